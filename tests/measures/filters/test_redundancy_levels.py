"""Redundancy at any level, against information counted by hand."""

from __future__ import annotations

from itertools import combinations

import pytest

from fewest._errors import InputError
from fewest.measures._filters.redundant_features import (
    cost_of_level,
    explain_redundancy,
    redundant_at,
)
from tests.measures.networks.xor_example import xor_example
from tests.naive.entropies import information


@pytest.mark.parametrize("noise", [False, True])
def test_levels_0_and_1_are_those_that_are_explained(noise):
    example = xor_example(100)
    explained = explain_redundancy(example, noise=noise)
    for level, bits, redundant in ((0, "bits", "redundant"), (1, "bits_given", "redundant_given")):
        for row, known in zip(redundant_at(example, level, noise=noise), explained, strict=True):
            assert row.bits == pytest.approx(getattr(known, bits), abs=1e-12)
            assert row.redundant == getattr(known, redundant)


def test_level_2_is_the_least_information_given_any_two_others():
    example = xor_example()
    columns = dict(zip(example.names, example.values.T, strict=True))
    for row in redundant_at(example, 2, noise=False):
        others = [name for name in example.names if name != row.feature]
        least = min(
            information(columns[row.feature], example.target, 2 * columns[a] + columns[b])
            for a, b in combinations(others, 2)
        )
        assert row.bits == pytest.approx(least, abs=1e-9)
        assert len(row.given) == 2


def test_the_cost_is_known_before_and_too_much_is_refused():
    example = xor_example()
    d = example.n_features
    assert cost_of_level(d, 2) == d * (d - 1) * (d - 2) // 2
    with pytest.raises(InputError, match=f"examines {cost_of_level(d, 3)} sets .*max_sets"):
        redundant_at(example, 3, max_sets=10)
    with pytest.raises(InputError, match=f"`level` must be between 0 and {d - 1}"):
        redundant_at(example, d)
