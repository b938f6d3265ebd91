"""The space of weights from a few levels."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.search._spaces.weight_spaces import Levels


def space():
    return Levels(7, include=(0,), exclude=(1,), groups=((2, 3),), min_features=2, max_features=4)


def test_constraints_hold_for_weights_above_zero():
    rng = np.random.default_rng(0)
    levels = space()
    assert levels.cardinalities.tolist() == [3, 3, 3, 3, 2]
    for p in (0.0, 0.5, 1.0):
        drawn = levels.sample(200, rng, p)
        weights = levels.expand(drawn)
        sizes = (weights > 0).sum(axis=1)
        assert levels.feasible(drawn).all()
        assert sizes.min() >= 2
        assert sizes.max() <= 4
        assert (weights[:, 0] > 0).all()
        assert (weights[:, 1] == 0).all()
        assert (weights[:, 2] == weights[:, 3]).all()
        assert set(np.unique(weights[:, 0])) == {0.5, 1.0}
        assert (levels.cost(drawn) == sizes).all()


def test_repair_keeps_what_is_feasible():
    rng = np.random.default_rng(1)
    levels = space()
    drawn = levels.sample(100, rng)
    assert (levels.repair(drawn, rng) == drawn).all()
    raw = rng.integers(0, levels.cardinalities, (100, 5), dtype=np.uint8)
    mended = levels.repair(raw, rng)
    kept = (mended[:, :4] > 0) == (raw[:, :4] > 0)
    assert (mended[:, :4] == raw[:, :4])[kept].all()
    assert (mended[:, 4] == raw[:, 4]).all()


def test_two_levels_are_subsets():
    levels = Levels(4, (0.0, 1.0), include=(2,))
    assert levels.cardinalities.tolist() == [2, 2, 2]
    assert levels.expand(np.array([[1, 0, 1]], dtype=np.uint8)).tolist() == [[1, 0, 1, 1]]


@pytest.mark.parametrize("values", [(0.5, 1.0), (0.0,), (0.0, 1.0, 0.5)])
def test_values_must_rise_from_zero(values):
    with pytest.raises(InputError, match=r"`values` must be two or more weights that rise"):
        Levels(3, values)


def test_impossible_constraints_are_refused_at_once():
    with pytest.raises(InputError, match="`max_features` must be between"):
        Levels(3, max_features=9)


@pytest.mark.parametrize("p", [0.5, 0.2])
def test_a_sample_is_uniform_over_the_levels_unless_few_are_wanted(p):
    space = Levels(3, values=(0.0, 0.25, 0.5, 1.0))
    codes = space.sample(20_000, np.random.default_rng(0), p)
    shares = np.bincount(codes.ravel(), minlength=4) / codes.size
    zero = (1 - p) / (1 - p + 3 * p)
    assert shares == pytest.approx([zero, *[(1 - zero) / 3] * 3], abs=0.01)
