"""Spaces: what is searched, and the constraints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._fitting.screen import subsets_of
from fewest._models.graph import Graph
from fewest._run.loop import Run
from fewest._run.stop_rules import Converged, Generations
from fewest.measures._steps import Steps
from fewest.search import Better, GAOrder, Graphs, Orderings, RandomSearch, Subsets, resolve_search
from fewest.search._spaces.space import Space
from fewest.search._spaces.subsets import add_until, drop_until, sparse_rows, sparse_steps
from fewest.search._spaces.weight_spaces import Box, Levels
from fewest.testing import TableMeasure, toy_table


# What a space has without saying so: no limits, sizes, keys, shares and spread.
def test_a_space_has_no_limits_unless_it_says_so():
    assert (Space.min_features, Space.max_features, Space.costs, Space.budget) == (
        0,
        None,
        None,
        None,
    )
    limited = Subsets(3, min_features=1, max_features=2, costs=(1, 2, 3), budget=4.0)
    assert (limited.min_features, limited.max_features) == (1, 2)
    assert (limited.costs, limited.budget) == ((1, 2, 3), 4.0)


@pytest.mark.parametrize("space", [Subsets(5, include=(0,)), Levels(4)], ids=["subsets", "levels"])
def test_keys_sizes_and_shares_are_those_of_the_expanded_candidates(space):
    rows = space.sample(40, np.random.default_rng(0))
    keys = space.keys(rows)
    assert len(set(keys)) == len(np.unique(rows, axis=0))
    assert space.identities(rows) == keys
    uses = space.uses(rows)
    assert space.size(rows).tolist() == uses.sum(axis=1).tolist()
    assert space.frequency(rows) == pytest.approx(uses.mean(axis=0))
    assert space.spread(rows[:1]) == 0.0
    assert 0.0 < space.spread(rows) <= 1.0


# Spaces: whatever the constraints, they hold.
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


# From what a person says to a space of subsets.
NAMES = ("age", "sex", "dose", "weight")


def test_names_and_positions_mean_the_same():
    by_name = subsets_of(NAMES, include=["dose"], exclude=["sex"], groups=[["age", "weight"]])
    by_position = subsets_of(NAMES, include=[2], exclude=[1], groups=[[0, -1]])
    for space in (by_name, by_position):
        assert (space.include, space.exclude, space.groups) == ((2,), (1,), ((0, 3),))


def test_costs_by_name_come_in_the_order_of_the_features():
    costs = {"weight": 4, "age": 1, "sex": 2, "dose": 3}
    space = subsets_of(NAMES, costs=costs, budget=5)
    assert (space.costs, space.budget) == ((1.0, 2.0, 3.0, 4.0), 5.0)


def test_features_without_a_named_cost_cost_one():
    assert subsets_of(NAMES, costs={"dose": 7}).costs == (1.0, 1.0, 7.0, 1.0)


@pytest.mark.parametrize(
    ("said", "of", "largest"),
    [
        (0.3, 10, 3), (0.29, 100, 29), (0.01, 10, 1), (1.0, 4, 4), (1, 4, 1),
        (np.float64(0.5), 5, 2),
        ("sqrt", 17, 4), ("sqrt", 16, 4), ("sqrt", 1, 1), (np.int64(3), 4, 3),
    ],
)  # fmt: skip
def test_sizes_as_people_say_them(said, of, largest):
    names = tuple(f"x{j}" for j in range(of))
    assert subsets_of(names, max_features=said).max_features == largest


def test_more_features_than_there_are_is_all_with_a_warning():
    with pytest.warns(UserWarning, match="`max_features` is 9, but there are 4 features"):
        assert subsets_of(NAMES, max_features=9).max_features == 4


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"include": ["does"]}, "dose"),
        ({"max_features": True}, "`max_features` must be a whole number"),
        ({"max_features": 1.5}, "`max_features` must be a whole number"),
        ({"max_features": 0.0}, "a share of the features between 0 and 1"),
        ({"max_features": "log"}, "or \"sqrt\", but is 'log'"),
        ({"max_features": float("nan")}, "but is nan"),
        ({"costs": {"agee": 1}}, "Did you mean age"),
        ({"exclude": [7]}, "7"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(given, words):
    with pytest.raises(InputError, match=words):
        subsets_of(NAMES, **given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"min_features": 1.5}, "`min_features` must be a whole number"),
        ({"budget": -1, "costs": [1, 1, 1, 1]}, "`budget` must be a number of at least 0"),
    ],
)
def test_a_selector_checks_them_before_any_work(given, words):
    with pytest.raises(InputError, match=words):
        SubsetSelector("naive-bayes", **given).fit(np.eye(4), [0, 1, 0, 1])


# Repair: units go or come in random order, no more than needed.
RNG = np.random.default_rng


def test_units_are_dropped_until_every_limit_holds_and_none_is_added():
    rng = RNG(0)
    bits = rng.random((300, 8)) < 0.8
    costs = rng.random(8) * 3
    limits = [(np.ones(8), 4.0), (costs, 5.0)]
    kept = drop_until(bits, limits, rng)
    assert not (kept & ~bits).any()
    assert (kept.sum(axis=1) <= 4).all()
    assert (kept @ costs <= 5.0).all()


def test_every_unit_is_as_likely_to_stay():
    kept = drop_until(np.ones((20_000, 5), dtype=bool), [(np.ones(5), 2.0)], RNG(1))
    np.testing.assert_allclose(kept.mean(axis=0), 0.4, atol=0.02)


def test_units_are_added_until_nothing_is_missing_and_none_is_dropped():
    rng = RNG(2)
    bits = rng.random((300, 8)) < 0.2
    sizes = np.array([1, 1, 2, 1, 3, 1, 1, 1])
    missing = rng.integers(0, 4, 300)
    more = add_until(bits, sizes, missing, rng)
    assert not (bits & ~more).any()
    gained = (more & ~bits) @ sizes
    assert (gained >= np.minimum(missing, (~bits) @ sizes)).all()
    # The last unit added was needed: without the largest one, something would be missing.
    assert (gained - missing < 3).all()


# Identities of wide subsets: different subsets differ, and steps have those of their subsets.
def every_step(base):
    return Steps(base, np.arange(len(base)), (~base).astype(np.int64))


@pytest.mark.parametrize("inside", [0, 1, 8, 9, 10, 11, 150, 300])
def test_steps_have_the_identities_of_the_subsets(inside):
    base = np.zeros(300, dtype=bool)
    base[np.random.default_rng(inside).choice(300, inside, replace=False)] = True
    some = every_step(base)
    assert sparse_steps(some) == sparse_rows(np.asarray(some))
    assert Subsets(300).identities(some) == sparse_steps(some)


def test_different_subsets_have_different_identities():
    rng = np.random.default_rng(0)
    rows = rng.random((2000, 300)) < rng.random((2000, 1)) ** 3
    keys, short = Subsets(300).keys(rows), sparse_rows(rows)
    assert len(set(keys)) == len(set(short)) == len(set(zip(keys, short, strict=True)))
    assert max(map(len, short)) <= 1 + 300 // 8 + 1


# The space of weights from a few levels.
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


# The box: constraints, repair, keys.
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


# The space of orderings, and runs over it.
def test_draws_are_uniform():
    drawn = Orderings(3).sample(6000, np.random.default_rng(0))
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 6
    assert counts.min() > 850
    assert Orderings(300).sample(2, np.random.default_rng(0)).dtype == np.uint16


def test_repair_replaces_doubles_only():
    broken = np.array([[0, 0, 2, 3], [3, 2, 1, 0], [1, 1, 1, 1]])
    space = Orderings(4)
    fixed = space.repair(broken, np.random.default_rng(0))
    assert space.feasible(fixed).all()
    assert fixed[0].tolist() == [0, 1, 2, 3]
    assert fixed[1].tolist() == [3, 2, 1, 0]
    assert fixed[2, 0] == 1


def test_what_a_run_asks_of_a_space():
    space = Orderings(3)
    rows = np.array([[0, 1, 2], [0, 2, 1]], dtype=np.uint8)
    assert space.size(rows).tolist() == [3, 3]
    assert space.cost(rows).tolist() == [0, 0]
    assert space.uses(rows).all()
    assert space.spread(rows) == 0.5
    assert space.spread(rows[:1]) == 0
    assert len(set(space.keys(rows))) == 2
    assert space.layout(["a", "b", "c"]) == {"names": ["a", "b", "c"], "ordering": True}


def test_a_converged_population_stops_a_run():
    scorer = TableMeasure(lambda o: -float(o[0])).bind(toy_table(n_features=4))
    search = GAOrder(population=40, mutation=0.0, patience=None)
    stop = (Converged(), Generations(300))
    outcome = Run(search, scorer, Orderings(4), np.random.default_rng(0), stop=stop).go()
    assert outcome.reason.text == "the population has converged"


def test_a_search_over_subsets_refuses_orderings():
    scorer = TableMeasure(lambda o: 0.0).bind(toy_table(n_features=4))
    with pytest.raises(InputError, match="the space is of orderings"):
        Run(resolve_search("sfs"), scorer, Orderings(4), np.random.default_rng(0)).go()
    drawn = Run(RandomSearch(draws=50), scorer, Orderings(4), np.random.default_rng(0)).go()
    assert len(drawn.archive) <= 24


def test_no_variables_are_refused():
    with pytest.raises(InputError, match="`n` of Orderings must be between 1 and 65535, but is 0"):
        Orderings(0)


# The space of graphs.
CYCLE = [0, 1, 0, 0, 0, 1, 1, 0, 0]
CHAIN = [0, 1, 0, 0, 0, 1, 0, 0, 0]
FORK = [0, 0, 1, 0, 0, 1, 0, 0, 0]


def test_cycles_and_too_many_parents_are_not_feasible():
    batch = np.array([CYCLE, CHAIN, FORK], dtype=bool)
    assert Graphs(3).feasible(batch).tolist() == [False, True, True]
    assert Graphs(3, 1).feasible(batch).tolist() == [False, True, False]
    fixed = Graphs(3, 1).repair(batch, np.random.default_rng(0))
    assert Graphs(3, 1).feasible(fixed).all()
    assert (fixed.sum(axis=1) == [2, 2, 1]).all()
    assert not (fixed & ~batch).any()


def test_a_graph_is_its_arcs():
    space = Graphs(3)
    row = space.row(Graph(((), (0,), (1,))))
    assert row.astype(int).tolist() == CHAIN
    assert space.cost(row[None]).tolist() == [2.0]
    assert space.size(row[None]).tolist() == [2]
    named = np.array(space.arc_names(["a", "b", "c"]))[row]
    assert named.tolist() == ["a -> b", "b -> c"]
    assert space.keys(np.array([CHAIN, FORK, CHAIN]))[0] == bytes([0b01000100, 0])
    assert space.layout(["a", "b", "c"]) == {"variables": ["a", "b", "c"]}
    assert space.rows([]).shape == (0, 9)


def test_draws_are_feasible_and_repeatable():
    space = Graphs(6, 2)
    drawn = space.sample(40, np.random.default_rng(3), p=3.0)
    assert space.feasible(drawn).all()
    assert drawn.sum() > 40
    np.testing.assert_array_equal(drawn, space.sample(40, np.random.default_rng(3), p=3.0))


def test_a_wrong_number_is_refused():
    with pytest.raises(InputError, match="`n` of Graphs must be between 1 and 65535, but is 0"):
        Graphs(0)
