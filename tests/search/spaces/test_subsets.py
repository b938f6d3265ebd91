"""Spaces: whatever the constraints, they hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._errors import InputError
from fewest.search._spaces.subsets import Subsets
from fewest.search._spaces.weight_spaces import Levels


@st.composite
def spaces(draw):
    """Subsets under constraints drawn at random; those that cannot hold together are left out."""
    d = draw(st.integers(1, 9))
    role = draw(st.lists(st.sampled_from("fffio"), min_size=d, max_size=d))
    group = draw(st.lists(st.integers(0, 4), min_size=d, max_size=d))
    groups = [tuple(f for f in range(d) if group[f] == g) for g in (0, 1)]
    costs = draw(st.none() | st.lists(st.integers(0, 5), min_size=d, max_size=d).map(tuple))
    try:
        return Subsets(
            d,
            include=tuple(f for f in range(d) if role[f] == "i"),
            exclude=tuple(f for f in range(d) if role[f] == "o"),
            groups=tuple(g for g in groups if len(g) > 1),
            min_features=draw(st.integers(0, d)),
            max_features=draw(st.none() | st.integers(1, d)),
            costs=costs,
            budget=None if costs is None else draw(st.none() | st.integers(0, 20)),
        )
    except InputError:
        return None


@given(spaces(), st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_repair_gives_feasible_candidates_and_leaves_them_alone(space, seed):
    if space is None:
        return
    rng = np.random.default_rng(seed)
    rough = rng.random((20, space.n_units)) < rng.random((20, 1))
    before = rough.copy()
    repaired = space.repair(rough, rng)
    assert space.feasible(repaired).all()
    np.testing.assert_array_equal(rough, before)
    np.testing.assert_array_equal(space.repair(repaired, rng), repaired)
    kept = space.feasible(rough)
    np.testing.assert_array_equal(repaired[kept], rough[kept])


@given(spaces(), st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_expanded_candidates_keep_every_constraint(space, seed):
    if space is None:
        return
    masks = space.expand(space.sample(20, np.random.default_rng(seed)))
    assert masks.shape == (20, space.n_features)
    assert masks.dtype == bool
    assert masks[:, list(space.include)].all()
    assert not masks[:, list(space.exclude)].any()
    for group in space.groups:
        assert (masks[:, list(group)].all(axis=1) == masks[:, list(group)].any(axis=1)).all()
    sizes = masks.sum(axis=1)
    assert (sizes >= space.min_features).all()
    assert space.max_features is None or (sizes <= space.max_features).all()
    if space.budget is not None:
        assert (masks @ np.array(space.costs) <= space.budget + 1e-9).all()


@given(spaces(), st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_size_and_cost_agree_with_the_masks(space, seed):
    if space is None:
        return
    rows = np.random.default_rng(seed).random((20, space.n_units)) < 0.5
    masks = space.expand(rows)
    np.testing.assert_array_equal(space.size(rows), masks.sum(axis=1))
    costs = np.ones(space.n_features) if space.costs is None else np.array(space.costs)
    np.testing.assert_allclose(space.cost(rows), masks @ costs)


@pytest.mark.parametrize("space", [Subsets(11), Levels(6)])
def test_keys_are_equal_only_for_equal_candidates(space):
    rows = np.unique(space.sample(300, np.random.default_rng(0)), axis=0)
    assert len(set(space.keys(rows))) == len(rows)
    assert space.keys(rows) == space.keys(np.asfortranarray(rows))


def test_a_tight_largest_size_of_many_features_is_repaired_fairly():
    space = Subsets(2000, max_features=20)
    masks = space.sample(50, np.random.default_rng(0))
    assert (masks.sum(axis=1) == 20).all()
    assert len(np.flatnonzero(masks.any(axis=0))) > 600
