"""Proven answers: exact search, its proof, hitting sets, least squares, everything scored."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fewest
from fewest import SubsetSelector
from fewest._errors import InputError, MismatchError
from fewest._report.facts import facts
from fewest._run.stop_rules import Evaluations, Generations
from fewest.data._as_table import as_table
from fewest.measures import resolve_measure
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.measures._measure import Scorer, Scores
from fewest.search import ABB, LVF, QBB, Exact, FocusM, SetCover, Subsets
from fewest.search import _hitting_sets as background
from fewest.search._better import Better
from fewest.search._exhaustive import Exhaustive, allowed_in, count_candidates
from fewest.search._hitting_sets import Decision, HittingSets, StoppedError, in_background
from fewest.search._monotone import Bounds, monotone_of, unit_costs
from fewest.search._search import Search
from fewest.search._spaces.space import Space
from fewest.search._spaces.weight_spaces import Levels
from fewest.testing import (
    SPACES,
    MonotoneTableMeasure,
    TableMeasure,
    drive,
    every_candidate,
    monotone_values,
    parametrize_with_search_checks,
    toy_table,
)
from tests.measures.number_tables import rows, table
from tests.search.problems import corral, parity, problems, random_table, size, wide_table

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


# The searches for the smallest consistent subset, on tables and on any monotone measure.


@parametrize_with_search_checks([Exact()])
def test_conformance(search, check):
    check(search)


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


def test_excluding_what_is_needed_is_refused():
    for search in (Exact(), ABB(), FocusM(), SetCover(), LVF(tries=20), QBB(tries=20)):
        with pytest.raises(InputError, match="reach"):
            size(search, corral(), Subsets(6, exclude=(0,)))


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


# The proof: bounds, constraints, and thresholds above the rate of all features.
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


def test_a_size_that_is_too_small_is_refused_with_the_proof():
    with pytest.raises(InputError, match="`max_features` must be at least 4 .*but is 3"):
        size(Exact(), corral(), Subsets(6, max_features=3))


def test_bounds_close_on_the_answer():
    from fewest.search import Better
    from fewest.search._monotone import Bounds

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
    monkeypatch.setattr("fewest.search._exact.MOST_SETS_OF_A_SIZE", 0)
    monkeypatch.setattr(type(scorer), "find_subset", None)
    by_cuts = drive(Exact(), Subsets(12), scorer, max_batches=100_000)
    assert by_looking.answer.sum() == by_cuts.answer.sum()


@pytest.mark.parametrize("threads", [1, 3])
def test_what_looking_finds_does_not_depend_on_the_threads(threads):
    scorer = Inconsistency(threshold=0.1).bind(led(60, irrelevant=5))
    nothing, everything = np.zeros(12, dtype=bool), np.ones(12, dtype=bool)
    alone = scorer.find_subset(nothing, everything, 8, 1, np.zeros(1, dtype=np.int64))
    found = scorer.find_subset(nothing, everything, 8, threads, np.zeros(1, dtype=np.int64))
    assert found.tolist() == alone.tolist()
    assert scorer.find_subset(nothing, everything, 8, threads, np.ones(1, dtype=np.int64)) is None


# The cheapest set that hits all cuts, with and without OR-Tools.
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

    monkeypatch.setattr("fewest.search._hitting_sets.installed", lambda: False)
    monkeypatch.setattr("fewest.search._exact.HittingSets", _hasty)
    monkeypatch.setattr("fewest.search._hitting_sets.LEAST_COLUMNS_TO_SPLIT", 2)
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


def without_or_tools(monkeypatch):
    monkeypatch.setattr("fewest.search._hitting_sets.installed", lambda: False)


def test_more_than_64_features_need_or_tools(monkeypatch):
    without_or_tools(monkeypatch)
    with pytest.raises(InputError, match="more than 64.*fewest\\[exact\\]"):
        size(Exact(), wide_table())


# Hitting sets by CP-SAT.
def test_more_than_64_features_by_cp_sat():
    pytest.importorskip("ortools")
    done = drive(Exact(), Subsets(80), Inconsistency().bind(wide_table()))
    assert done.verdict.optimal
    assert done.answer.sum() == 2


def test_a_short_search_hands_over_to_cp_sat(monkeypatch):
    pytest.importorskip("ortools")
    monkeypatch.setattr("fewest.search._exact.HittingSets", _hasty)
    table = random_table()
    assert size(Exact(), table) == size(FocusM(), table)


# Work in the background: it is scored by the run, stopped with it, and its errors come back.
def run_steps(steps, value=1.0):
    """Score every batch with one value; the batches, and what is returned."""
    batches = []
    try:
        batch = next(steps)
        while True:
            batches.append(batch)
            batch = steps.send(Scores(np.full(len(batch), value)))
    except StopIteration as end:
        return batches, end.value


def test_batches_go_out_and_scores_come_back():
    def work(desk):
        first = desk.score(np.ones((2, 3), dtype=bool)).value
        second = desk.score(np.zeros((1, 3), dtype=bool)).value
        return first.sum() + second.sum()

    batches, answer = run_steps(in_background(work, 3))
    assert [len(batch) for batch in batches] == [2, 1]
    assert answer == 3.0


def test_an_empty_batch_gives_the_run_a_chance(monkeypatch):
    monkeypatch.setattr(background, "WAIT_SECONDS", 0.01)
    batches, answer = run_steps(in_background(lambda desk: time.sleep(0.2) or "done", 4))
    assert answer == "done"
    assert batches
    assert all(batch.shape == (0, 4) for batch in batches)


def test_an_error_of_the_work_is_raised_in_the_run():
    def work(desk):
        desk.score(np.ones((1, 2), dtype=bool))
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match="no such thing"):
        run_steps(in_background(work, 2))


def test_closing_stops_work_that_waits_for_scores_and_work_that_calculates():
    ended = []

    def waits(desk):
        try:
            desk.score(np.ones((1, 2), dtype=bool))
        except StoppedError:
            ended.append("waits")
            raise

    def calculates(desk):
        desk.score(np.ones((1, 2), dtype=bool))
        while not desk.flag[0]:
            time.sleep(0.001)
        ended.append("calculates")
        desk.check()

    steps = in_background(waits, 2)
    next(steps)
    steps.close()
    steps = in_background(calculates, 2)
    next(steps)
    steps.send(Scores(np.ones(1)))
    steps.close()
    assert ended == ["waits", "calculates"]


# `exact` with criteria of least squares: constraints, bounds and results.
@pytest.mark.parametrize("constraint", SPACES)
@pytest.mark.parametrize("name", ["aic", "rss"])
def test_constraints(constraint, name):
    space = SPACES[constraint]
    d = space.n_features
    scorer = resolve_measure(name).bind(table(d, d=d, trouble=d > 5))
    every = scorer.score(np.asarray(space.expand(every_candidate(space)))).value
    done = drive(Exact(), space, scorer)
    assert done.verdict.optimal
    assert space.feasible(done.answer[None])[0]
    value = scorer.score(np.asarray(space.expand(done.answer[None]))).value
    assert_allclose(value, every.max(), rtol=1e-9)


def test_what_is_allowed():
    space = Subsets(5, (0,), (1,), ((2, 3),), 2, 4, costs=(1, 9, 1, 2, 2), budget=5.0)
    allowed = allowed_in(space, True)
    assert np.flatnonzero(allowed.fixed).tolist() == [0]
    assert [np.flatnonzero(u).tolist() for u in allowed.units] == [[2, 3], [4]]
    assert_allclose(allowed.costs, [3, 2])
    assert_allclose(allowed.budget, 4)
    assert (allowed.min_features, allowed.max_features) == (2, 4)


def test_the_result_is_proven():
    X, y = rows(1, trouble=False)
    result = fewest.SubsetSelector(measure="bic", search="exact").fit(X, y).result_
    every = fewest.SubsetSelector(measure="bic", search="exhaustive").fit(X, y).result_
    assert result.optimal
    assert result.features == every.features
    assert_allclose([result.score, result.bound], [every.score] * 2, rtol=1e-12)
    assert result.gap == 0
    assert result.stopped == "proven: no subset has a better score"
    assert "no allowed subset has a better score on these rows" in str(facts(result))


def test_each_size_in_the_result():
    X, y = rows(1, trouble=False)
    selector = fewest.SubsetSelector(
        measure="rss", search=Exact(each_size=True), choose=3, min_features=1
    )
    result = selector.fit(X, y).result_
    assert result.n_features == 3
    sizes = result.extra["sizes"]
    assert [entry["size"] for entry in sizes] == [1, 2, 3, 4, 5, 6]
    assert all(entry["proven"] and len(entry["features"]) == entry["size"] for entry in sizes)


def test_stopped_early_there_is_a_bound():
    X, y = rows(2, trouble=False)
    selector = fewest.SubsetSelector(measure="aic", search="exact", stop=Evaluations(2))
    result = selector.fit(X, y).result_
    best = fewest.SubsetSelector(measure="aic", search="exact").fit(X, y).result_
    assert not result.optimal
    assert result.bound >= best.score
    assert_allclose(result.gap, result.bound - result.score)
    assert f"no subset scores above {result.bound:.6g}" in str(facts(result))


def test_the_subsets_of_r():
    # regsubsets of leaps 3.1 in R 4.2, on scikit-learn's diabetes: $rss for 1 to 10 features.
    by_r = [
        1719581.81077, 1416694.01396, 1362708.69371, 1331431.40356, 1287881.1554, 1271493.99729,
        1267807.81206, 1264714.57987, 1264068.09639, 1263985.78563,
    ]  # fmt: skip
    data = fewest.load("diabetes")
    selector = fewest.SubsetSelector(measure="rss", search=Exact(each_size=True), min_features=1)
    sizes = selector.fit(data.X, data.y).result_.extra["sizes"]
    assert_allclose([-entry["value"] for entry in sizes], by_r, rtol=1e-9)


# Exhaustive search: every feasible subset once, or a refusal.
COUNT = TableMeasure(np.sum).bind(toy_table())


@pytest.mark.parametrize("batch", [1, 5, 4096])
@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_every_feasible_subset_once(space, batch):
    done = drive(Exhaustive(batch=batch), space, COUNT)
    assert len(done.candidates) == done.evaluations
    assert done.seen == set(space.keys(every_candidate(space)))


def test_every_weighting_once():
    done = drive(Exhaustive(), Levels(4), COUNT)
    assert done.evaluations == 3**4
    assert len(done.candidates) == 3**4


def test_all_pairs_of_many_features():
    done = drive(Exhaustive(), Subsets(100, max_features=2), COUNT)
    assert done.evaluations == 1 + 100 + 4950
    assert done.verdict.optimal


def test_too_many_are_refused_with_a_remedy():
    with pytest.raises(InputError, match="would score 67,108,864 .* at most 33,554,432.*max_feat"):
        drive(Exhaustive(), Subsets(26), COUNT)
    with pytest.raises(InputError, match=r"would score about 10\^150"):
        drive(Exhaustive(), Subsets(500), COUNT)
    with pytest.raises(InputError, match=r"would score about 10\^6020"):
        drive(Exhaustive(), Subsets(20_000), COUNT)


@pytest.mark.parametrize("most", [1, 3, 299])
def test_the_count_is_that_of_all_sizes_that_fit(most):
    expected = sum(math.comb(300, k) for k in range(most + 1))
    assert count_candidates(Subsets(300, max_features=most)) == expected
    paired = Subsets(
        601,
        max_features=2 * most + 1,
        include=(0,),
        groups=tuple((2 * k + 1, 2 * k + 2) for k in range(300)),
    )
    assert count_candidates(paired) == expected


# The seam between monotone measures and the searches over them.
class Units(Space):
    """Four features: the first must be in, the second and third come together."""

    kind = "subsets"
    brings = np.array([[0, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)
    cardinalities = np.array([2, 2])

    def sample(self, n, rng, p=0.5):
        return rng.random((n, 2)) < p

    def repair(self, candidates, rng):
        return candidates

    def feasible(self, candidates):
        return np.ones(len(candidates), dtype=bool)

    def expand(self, candidates):
        out = candidates.astype(int) @ self.brings > 0
        out[:, 0] = True
        return out

    def cost(self, candidates):
        return self.expand(candidates).sum(axis=1).astype(float)


class Fixed(Scorer):
    threshold = 0.0
    masks = np.array([[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0]], dtype=bool)

    def score(self, candidates):
        hit = (candidates[:, None, :] & self.masks[None]).any(axis=2)
        return Scores(hit.all(axis=1) - 1.0)

    def cuts(self, candidate, limit=1):
        open_ = self.masks[~(self.masks & candidate).any(axis=1)]
        return open_ if limit == 0 else open_[:limit]


class Nothing(Search):
    name = "nothing"
    needs_monotone = True

    def propose_monotone(self, space, better, rng, monotone):
        monotone.bounds.raise_lower(3)
        yield np.zeros((0, space.n_units), dtype=bool)


def test_masks_come_back_over_units_and_those_already_hit_are_dropped():
    cuts = monotone_of(Fixed(), Units()).cuts(np.zeros(2, dtype=bool), 0)
    assert cuts.tolist() == [[True, True], [True, False]]


def test_costs_of_units_do_not_count_what_is_always_in():
    assert unit_costs(Units()).tolist() == [2.0, 1.0]


def test_a_mask_without_a_free_unit_is_told():
    scorer = Fixed()
    scorer.masks = np.array([[0, 0, 0, 1]], dtype=bool)
    space = Units()
    space.brings = Units.brings.copy()
    space.brings[1] = False
    with pytest.raises(InputError, match="No subset under these constraints reaches"):
        monotone_of(scorer, space).cuts(np.zeros(2, dtype=bool), 0)


def test_start_hands_the_monotone_part_and_the_bounds():
    bounds = Bounds()
    space = Units()
    proposals = Nothing().start(space, Better(space), np.random.default_rng(0), Fixed(), bounds)
    everything = next(proposals)
    assert everything.tolist() == [[True, True]]
    assert proposals.send(Fixed().score(space.expand(everything))).shape == (0, 2)
    assert bounds.lower == 3
    assert bounds.answer.tolist() == [True, True]


def test_a_threshold_that_the_full_set_fails_is_refused_at_once():
    scorer, space = Fixed(), Units()
    scorer.threshold = 0.5
    proposals = Nothing().start(space, Better(space), np.random.default_rng(0), scorer)
    with pytest.raises(InputError, match="No subset under these constraints reaches"):
        proposals.send(scorer.score(space.expand(next(proposals))))


def test_start_refuses_a_measure_without_threshold():
    scorer = Fixed()
    scorer.threshold = None
    with pytest.raises(MismatchError, match="`nothing` needs a monotone measure"):
        Nothing().start(Units(), Better(Units()), np.random.default_rng(0), scorer)


def test_bounds_keep_the_cheapest_answer():
    bounds = Bounds()
    assert bounds.offer(np.array([True, True]), 3.0)
    assert not bounds.offer(np.array([True, False]), 3.0)
    assert bounds.offer(np.array([False, True]), 1.0)
    bounds.raise_lower(1.0)
    assert bounds.gap == 0
    assert bounds.answer.tolist() == [False, True]
