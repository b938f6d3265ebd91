"""The box: constraints, repair, keys."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from fewest._errors import InputError
from fewest.search import Better
from fewest.search._spaces.weight_spaces import Box

BOXES = [
    Box(6),
    Box(6, include=(1, 4)),
    Box(6, exclude=(0, 5)),
    Box(6, groups=((0, 3), (1, 2)), min_features=2, max_features=3),
    Box(6, include=(2,), groups=((2, 4),), max_features=4),
    Box(6, costs=(1, 2, 3, 1, 2, 3), budget=5.0, min_features=1),
    Box(3, include=(0, 1), exclude=(2,)),
]


@pytest.mark.parametrize("space", BOXES)
def test_samples_and_repairs_keep_the_constraints(space):
    rng = np.random.default_rng(0)
    wild = rng.normal(0.5, 1.0, (200, space.n_units))
    for candidates in (space.sample(200, rng), space.sample(50, rng, 0.3), space.repair(wild, rng)):
        assert space.feasible(candidates).all()
        weights = space.expand(candidates)
        assert ((weights >= 0) & (weights <= 1)).all()
        assert (weights[:, list(space.include)] > 0).all()
        assert (weights[:, list(space.exclude)] == 0).all()
        for group in space.groups:
            assert (weights[:, list(group)] == weights[:, [group[0]]]).all()
        if space.max_features is not None:
            assert np.count_nonzero(weights, axis=1).max() <= space.max_features


def test_repair_keeps_the_largest_weights_and_what_is_right_already():
    space, rng = Box(4, max_features=2), np.random.default_rng(0)
    assert_array_equal(space.repair(np.array([[0.1, 0.9, 0.2, 0.8]]), rng), [[0, 0.9, 0, 0.8]])
    fine = space.sample(50, rng)
    assert_array_equal(space.repair(fine, rng), fine)


def test_keys_tell_weights_apart_to_the_last_bit_and_zero_is_zero():
    space = Box(2)
    near = np.array([[0.3, 0.1 + 0.2], [0.3, 0.3]])
    assert len(set(space.keys(near))) == 2
    back = np.frombuffer(b"".join(space.keys(near))).reshape(2, 2)
    assert_array_equal(back, near)
    zeros = space.repair(np.array([[-0.0, 0.5], [0.0, 0.5]]), np.random.default_rng(0))
    assert len(set(space.keys(zeros))) == 1


def test_fewer_features_win_among_equal_values():
    space = Box(3)
    candidates = np.array([[0.5, 0.5, 0.5], [0.0, 0.9, 0.0]])
    assert Better(space).best(candidates, np.array([0.7, 0.7])) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"least": 0.0}, "`least` must be above 0"),
        ({"include": (0,), "exclude": (0,)}, "must not share features"),
        ({"max_features": 9}, "`max_features` must be between"),
    ],
)
def test_refuses(wrong, words):
    with pytest.raises(InputError, match=words):
        Box(4, **wrong)
