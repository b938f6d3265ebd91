"""The searches for the smallest consistent subset, on tables and on any monotone measure."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest import SubsetSelector
from fewest.data.build import as_table
from fewest.errors import InputError
from fewest.measures.consistency.inconsistency import Inconsistency
from fewest.run.stop import Generations
from fewest.search import ABB, LVF, QBB, Exact, FocusM, SetCover, Subsets
from fewest.search.consistency.decision import Decision, Prices
from fewest.search.consistency.hitting_sets import HittingSets
from fewest.testing import (
    MonotoneTableMeasure,
    drive,
    monotone_values,
    parametrize_with_search_checks,
    toy_table,
)
from tests.naive import inconsistency as naive

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")
FAST = settings(deadline=None, max_examples=60)


@parametrize_with_search_checks([Exact()])
def test_conformance(search, check):
    check(search)


def corral():
    """64 rows: class = f1 and f2, or f3 and f4; f6 agrees with it on 75 % of the rows."""
    bits = (np.arange(64)[:, None] >> np.arange(6) & 1).astype(bool)
    y = (bits[:, 0] & bits[:, 1]) | (bits[:, 2] & bits[:, 3])
    f6 = y.copy()
    wrong = np.concatenate([np.flatnonzero(y)[::4], np.flatnonzero(~y)[::4]])
    f6[wrong] ^= True
    bits[:, 5] = f6
    return as_table(bits.astype(int).astype(str), y.astype(int))


def parity(extra=3):
    """Parity of three bits; as many irrelevant ones; all six once more."""
    bits = np.arange(64)[:, None] >> np.arange(6) & 1
    return as_table(np.hstack([bits, bits]).astype(str), bits[:, :3].sum(axis=1) % 2)


def size(search, table, space=None):
    space = space or Subsets(table.n_features)
    done = drive(search, space, Inconsistency().bind(table), max_batches=100_000)
    return int(space.expand(done.answer[None]).sum())


def test_set_cover_falls_for_the_correlated_feature_of_corral():
    table = corral()
    exact = drive(Exact(), Subsets(6), Inconsistency().bind(table))
    assert np.flatnonzero(exact.answer).tolist() == [0, 1, 2, 3]
    greedy = drive(SetCover(), Subsets(6), Inconsistency().bind(table))
    assert greedy.answer[5]
    assert greedy.answer[:4].all()


@pytest.mark.parametrize("search", [Exact(), FocusM(), QBB()])
def test_parity_needs_its_three_bits(search):
    assert size(search, parity()) == 3


@st.composite
def problems(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    d = draw(st.integers(2, 8))
    X = rng.integers(0, draw(st.integers(2, 3)), (draw(st.integers(4, 40)), d)).astype(str)
    y = rng.integers(0, draw(st.integers(2, 3)), len(X))
    y[:2] = [0, 1]
    constraints = {}
    if draw(st.booleans()):
        constraints["include"] = (int(rng.integers(d)),)
    if draw(st.booleans()) and d > 3:
        constraints["groups"] = ((0, 2),)
    if draw(st.booleans()):
        constraints["costs"] = tuple(rng.integers(0, 5, d) / draw(st.sampled_from([1, 2, 3])))
    if draw(st.booleans()):
        constraints["min_features"] = int(rng.integers(0, d // 2 + 1))
    if draw(st.booleans()):
        constraints["max_features"] = int(rng.integers((d + 3) // 2, d + 1))
    if draw(st.booleans()):
        free = set(range(d)) - {0, 2} - set(constraints.get("include", ()))
        constraints["exclude"] = tuple(sorted(free))[:1] if d > 4 else ()
    if draw(st.booleans()) and "costs" in constraints:
        constraints["budget"] = float(sum(constraints["costs"])) * 0.8 + 1
    threshold = draw(st.sampled_from([None, 0.05, 0.2]))
    return as_table(X, y), constraints, threshold


def answer_of(search, space, scorer):
    try:
        done = drive(search, space, scorer, max_batches=100_000)
    except InputError as error:
        return str(error)
    assert done.verdict.optimal
    assert space.feasible(done.answer[None])[0]
    assert scorer.score(space.expand(done.answer[None])).value[0] >= scorer.threshold - 1e-12
    return float(space.cost(done.answer[None])[0])


@settings(deadline=None, max_examples=200)
@given(problems())
def test_exact_is_as_cheap_as_focus_m_under_every_constraint(problem):
    table, constraints, threshold = problem
    try:
        space = Subsets(table.n_features, **constraints)
        scorer = Inconsistency(threshold=threshold).bind(table)
    except InputError:
        return
    exact, focus = answer_of(Exact(), space, scorer), answer_of(FocusM(), space, scorer)
    if isinstance(focus, str):
        assert isinstance(exact, str)
    else:
        assert exact == pytest.approx(focus, abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.floats(0.2, 1.0))
def test_exact_over_any_monotone_measure(seed, threshold):
    measure = MonotoneTableMeasure(monotone_values(7, seed), threshold=threshold)
    scorer = measure.bind(toy_table(n_features=7))
    assert answer_of(Exact(), Subsets(7), scorer) == answer_of(FocusM(), Subsets(7), scorer)


def cheapest_of_all(space, scorer):
    """Every answer of the least cost, by trying all; of those of equal cost without free units."""
    n = space.n_units
    every = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)
    every = every[space.feasible(every)]
    good = every[scorer.score(space.expand(every)).value >= scorer.threshold - 1e-12]
    if not len(good):
        return good
    alone = space.cost(np.eye(n, dtype=bool)) - space.cost(np.zeros((1, n), dtype=bool))
    price = good @ np.maximum(alone, 1e-6 * min([*alone[alone > 0], 1.0]))
    return good[price <= price.min() + 1e-9]


def all_optima(space, scorer):
    search = Exact(all_optima=True, max_optima=100_000)
    done = drive(search, space, scorer, max_batches=100_000)
    return np.vstack([done.verdict.answer[None], done.verdict.alternatives]), done.verdict.shared


@settings(deadline=None, max_examples=200)
@given(problems())
def test_every_smallest_subset_is_found_under_every_constraint(problem):
    table, constraints, threshold = problem
    try:
        space = Subsets(table.n_features, **constraints)
        scorer = Inconsistency(threshold=threshold).bind(table)
    except InputError:
        return
    expected = cheapest_of_all(space, scorer)
    if not len(expected):
        with pytest.raises(InputError):
            all_optima(space, scorer)
        return
    found, shared = all_optima(space, scorer)
    assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, expected.tolist()))
    assert shared.tolist() == expected.all(axis=0).tolist()


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(0, 5), st.floats(0.2, 1.0))
def test_every_smallest_subset_of_any_monotone_measure_is_found(seed, least, threshold):
    measure = MonotoneTableMeasure(monotone_values(7, seed), threshold=threshold)
    scorer = measure.bind(toy_table(n_features=7))
    space = Subsets(7, min_features=least)
    found, shared = all_optima(space, scorer)
    expected = cheapest_of_all(space, scorer)
    assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, expected.tolist()))
    assert shared.tolist() == expected.all(axis=0).tolist()


def test_all_optima_count_the_supersets_that_a_smallest_size_asks_for():
    # The class is a; with at least three of five features the six subsets with a are optimal.
    X = np.array([[(row >> unit) & 1 for unit in range(5)] for row in range(32)])
    search = Exact(all_optima=True)
    selector = SubsetSelector(measure="inconsistency", search=search, min_features=3)
    result = selector.fit(X.astype(str), X[:, 0]).result_
    assert result.extra["in_all_optima"] == ["x0"]
    assert {"x0"} <= set(result.features)
    assert len({tuple(found) for found in (result.features, *result.alternatives)}) == 6


def test_what_all_optima_share_is_told_only_when_none_is_missing():
    X = np.array([[(row >> unit) & 1 for unit in range(5)] for row in range(32)])
    scorer = Inconsistency().bind(as_table(X.astype(str), X[:, 0]))
    search = Exact(all_optima=True, max_optima=6)
    done = drive(search, Subsets(5, min_features=3), scorer)
    assert done.verdict.shared is None
    assert len(done.verdict.alternatives) == 5


def test_a_result_names_the_features_in_all_smallest_subsets():
    # The class is a xor b; d is a copy of b: {a, b} and {a, d} are the smallest.
    X = np.array([[a, b, c, b] for a in "01" for b in "01" for c in "01"])
    y = (X[:, 0] != X[:, 1]).astype(int)
    for most, expected in ((1000, ["x0"]), (2, None)):
        search = Exact(all_optima=True, max_optima=most)
        result = SubsetSelector(measure="inconsistency", search=search).fit(X, y).result_
        assert result.extra.get("in_all_optima") == expected


def random_table(rows=60, d=14, seed=3):
    rng = np.random.default_rng(seed)
    return as_table(rng.integers(0, 2, (rows, d)).astype(str), rng.integers(0, 2, rows))


def _hasty(prices, desk, threads, notice):
    """Hitting sets that hand over to the next way of solving at the first chance."""
    return HittingSets(prices, desk, threads, notice, nodes=1)


@pytest.fixture
def shared_proof(monkeypatch):
    """No OR-Tools and no patience: every proof is split over threads; counts its decisions."""
    together, decisions = Decision._together, []

    def counted(decision, parts, flag):
        decisions.append(len(parts))
        return together(decision, parts, flag)

    monkeypatch.setattr("fewest.search.consistency.hitting_sets.installed", lambda: False)
    monkeypatch.setattr("fewest.search.consistency.proof.HittingSets", _hasty)
    monkeypatch.setattr("fewest.search.consistency.decision.SPLIT_FROM", 2)
    monkeypatch.setattr(Decision, "_together", counted)
    return decisions


def test_the_answer_does_not_depend_on_the_number_of_threads(shared_proof):
    table = random_table()
    scorer = Inconsistency().bind(table)
    answers, splits = [], []
    for threads in (1, 2, 4):
        answers.append(drive(Exact(threads=threads), Subsets(14), scorer).answer.tolist())
        splits.append(shared_proof.copy())
        shared_proof.clear()
    assert answers[0] == answers[1] == answers[2]
    assert sum(answers[0]) == size(FocusM(), table)
    assert splits[0] == splits[1] == splits[2]
    assert max(splits[0]) > 4


def test_it_works_without_or_tools(shared_proof):
    for seed in range(5):
        table = random_table(40, 10, seed)
        assert size(Exact(), table) == size(FocusM(), table)
    assert size(Exact(), corral()) == 4
    assert size(Exact(), parity()) == 3
    assert shared_proof


def test_a_hard_table_is_asked_for_all_cuts_once(shared_proof, monkeypatch):
    scorer = Inconsistency().bind(random_table())
    cuts, limits = scorer.cuts, []

    def counted(candidate, limit=1):
        limits.append(limit)
        return cuts(candidate, limit)

    monkeypatch.setattr(scorer, "cuts", counted)
    drive(Exact(), Subsets(14), scorer)
    assert limits.count(0) == 1


@FAST
@given(st.lists(st.integers(1, 255), min_size=1, max_size=25), st.integers(2, 6))
def test_a_decision_split_over_threads_is_the_decision(masks, limit):
    words = np.array(sorted(set(masks), key=lambda m: (m.bit_count(), m)), dtype=np.uint64)
    sets = [frozenset(j for j in range(8) if m >> j & 1) for m in masks]
    prices = Prices(np.ones(8), np.ones(8), math.inf)
    decision = Decision(words, prices, limit, threads=2)
    found = decision._together(decision._parts(), np.zeros(1, dtype=np.int64))
    assert len(found) == bool(naive.hitting_sets(sets, np.ones(8), limit))
    for chosen in found:
        assert chosen.sum() <= limit
        assert all(chosen[list(s)].any() for s in sets)


def test_a_decision_that_is_stopped_gives_up():
    words = np.array([3, 12, 48, 192], dtype=np.uint64)
    decision = Decision(words, Prices(np.ones(8), np.ones(8), math.inf), 3)
    assert decision._together(decision._parts(), np.ones(1, dtype=np.int64)) is None


def without_or_tools(monkeypatch):
    monkeypatch.setattr("fewest.search.consistency.hitting_sets.installed", lambda: False)


def wide_table():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (40, 80)).astype(str)
    return as_table(X, ((X[:, 70] == "1") ^ (X[:, 3] == "1")).astype(int))


def test_more_than_64_features_need_or_tools(monkeypatch):
    without_or_tools(monkeypatch)
    with pytest.raises(InputError, match="more than 64.*fewest\\[exact\\]"):
        size(Exact(), wide_table())


def test_more_than_64_features_by_cp_sat():
    pytest.importorskip("ortools")
    done = drive(Exact(), Subsets(80), Inconsistency().bind(wide_table()))
    assert done.verdict.optimal
    assert done.answer.sum() == 2


def test_a_short_search_hands_over_to_cp_sat(monkeypatch):
    pytest.importorskip("ortools")
    monkeypatch.setattr("fewest.search.consistency.proof.HittingSets", _hasty)
    table = random_table()
    assert size(Exact(), table) == size(FocusM(), table)


def test_a_size_that_is_too_small_is_refused_with_the_proof():
    with pytest.raises(InputError, match="`max_features` must be at least 4 .*but is 3"):
        size(Exact(), corral(), Subsets(6, max_features=3))


def test_excluding_what_is_needed_is_refused():
    for search in (Exact(), ABB(), FocusM(), SetCover(), LVF(tries=20), QBB(tries=20)):
        with pytest.raises(InputError, match="reach"):
            size(search, corral(), Subsets(6, exclude=(0,)))


def test_bounds_close_on_the_answer():
    from fewest.search import Better
    from fewest.search.monotone import Bounds

    space, bounds, scorer = Subsets(6), Bounds(), Inconsistency().bind(corral())
    proposals = Exact().start(space, Better(space), np.random.default_rng(0), scorer, bounds)
    batch = next(proposals)
    gaps = []
    while batch is not None:
        gaps.append(bounds.gap)
        try:
            batch = proposals.send(scorer.score(batch))
        except StopIteration:
            batch = None
    assert (bounds.lower, bounds.upper, bounds.gap) == (4, 4, 0)
    assert gaps == sorted(gaps, reverse=True)


def led(n=150, irrelevant=17, seed=0):
    """LED with 10 % noise: seven segments of a digit, and irrelevant bits."""
    segments = [0x77, 0x24, 0x5D, 0x6D, 0x2E, 0x6B, 0x7B, 0x25, 0x7F, 0x6F]
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 10, n)
    bits = np.array([[s >> k & 1 for k in range(7)] for s in segments])[y]
    bits ^= rng.random(bits.shape) < 0.1
    X = np.hstack([bits, rng.integers(0, 2, (n, irrelevant))])
    return as_table(X.astype(str), y)


def test_larger_thresholds_give_smaller_subsets():
    # LED24: 17 of the 24 features are irrelevant, the others noisy.
    table = led(60)
    sizes = []
    for threshold in (None, 0.01, 0.05, 0.1, 0.3):
        scorer = Inconsistency(threshold=threshold).bind(table)
        done = drive(Exact(), Subsets(24), scorer, max_batches=100_000)
        assert done.verdict.optimal
        assert scorer.score(done.answer[None]).value[0] >= scorer.threshold
        sizes.append(int(done.answer.sum()))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[2] < sizes[0]


def test_the_subsets_of_a_size_are_looked_at_only_where_they_are_few(monkeypatch):
    scorer = Inconsistency(threshold=0.1).bind(led(60, irrelevant=5))
    by_looking = drive(Exact(), Subsets(12), scorer, max_batches=100_000)
    monkeypatch.setattr("fewest.search.consistency.proof.SETS", 0)
    monkeypatch.setattr(type(scorer), "within", None)
    by_cuts = drive(Exact(), Subsets(12), scorer, max_batches=100_000)
    assert by_looking.answer.sum() == by_cuts.answer.sum()


@pytest.mark.parametrize("threads", [1, 3])
def test_what_looking_finds_does_not_depend_on_the_threads(threads):
    scorer = Inconsistency(threshold=0.1).bind(led(60, irrelevant=5))
    nothing, everything = np.zeros(12, dtype=bool), np.ones(12, dtype=bool)
    alone = scorer.within(nothing, everything, 8, 1, np.zeros(1, dtype=np.int64))
    found = scorer.within(nothing, everything, 8, threads, np.zeros(1, dtype=np.int64))
    assert found.tolist() == alone.tolist()
    assert scorer.within(nothing, everything, 8, threads, np.ones(1, dtype=np.int64)) is None


def stopped_after(search, generations, **constraints):
    X = np.random.default_rng(0).integers(0, 2, (60, 8)).astype(str)
    X[:, 0] = "constant"
    y = np.random.default_rng(1).integers(0, 2, 60)
    selector = SubsetSelector(
        measure="inconsistency", search=search, stop=Generations(generations), **constraints
    )
    return selector.fit(X, y).result_


@pytest.mark.parametrize("name", ["exact", "focus-m", "abb", "set-cover", "lvf", "qbb"])
def test_a_search_that_is_stopped_early_answers_with_a_subset_that_reaches_the_threshold(name):
    full = stopped_after("exact", 1)
    assert full.n_features == 8
    for generations in (1, 2, 3):
        result = stopped_after(name, generations)
        assert result.score == full.score
        assert result.features != ["x0"]


def test_an_answer_below_the_threshold_is_partial_and_says_so():
    result = stopped_after("focus-m", 2, max_features=6)
    assert result.partial
    assert result.stopped.endswith("no subset reached the threshold by then")
