from math import log2

import pytest

from fewest.classifiers._rule_lists import exception_bits, rule_bits, subset_bits, theory_bits


def test_bits_by_hand():
    assert subset_bits(4, 1, 0.25) == pytest.approx(2 + 3 * log2(4 / 3))
    assert subset_bits(4, 0, 0.0) == 0.0
    assert subset_bits(4, 4, 1.0) == 0.0
    assert rule_bits(2, 8) == pytest.approx(0.5 * (1 + subset_bits(8, 2, 0.25)))
    assert theory_bits([1, 1], 100) == pytest.approx(2 * rule_bits(1, 100))


def test_no_errors_cost_only_their_number():
    assert exception_bits(10, 5, 0, 0, 0.3) == pytest.approx(log2(16))
    assert exception_bits(5, 10, 0, 0, 0.3) == pytest.approx(log2(16))


def test_more_errors_cost_more():
    bits = [exception_bits(50, 50, errors, 3, 0.5) for errors in range(6)]
    assert bits == sorted(bits)
