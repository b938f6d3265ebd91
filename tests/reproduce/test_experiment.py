"""Cells, keys and means."""

import pytest

from papers.experiment import Experiment, mean_std


def test_means_and_deviations():
    assert mean_std([1.0, 2.0, 6.0], 10) == pytest.approx((30.0, 10 * 7**0.5))
    assert mean_std([3.0]) == (3.0, None)


def test_the_key_tells_part_domain_and_method():
    assert Experiment("id3", "Chess", "FSS", list).key == "id3 / Chess / FSS"
