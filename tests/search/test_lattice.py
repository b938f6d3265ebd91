"""Searches for the smallest subset that reaches a threshold: FocusM, ABB, QBB, LVF, SetCover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import ABB, LVF, QBB, Exact, FocusM, SetCover, Subsets
from fewest.search._hitting_sets import Decision, Prices
from fewest.search._lattice import Descent
from fewest.search._monotone import monotone_of
from fewest.testing import MonotoneTableMeasure, drive, monotone_values, toy_table
from tests.naive import inconsistency as naive
from tests.search.problems import corral, parity, size

# The smallest consistent subsets of known tables (Dash & Liu, 2003, table 1), proven.
pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")

# Votes: the paper says 8 for its own 435 rows; with unknown as a value these need 9.
SIZES = {
    "mushroom": 4,
    "lymphography": 6,
    "promoters": 4,
    "soybean-small": 2,
    "lung-cancer": 4,
    "zoo": 5,
    "votes": 9,
    "soybean-large": 11,
    "audiology": 13,
    "letter": 11,
    "chess-kr-vs-kp": 29,
}


def table_of(data):
    """Every column as a nominal one: the numbers of these tables are codes."""
    return as_table(data.X, data.y, nominal=list(data.X.columns))


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_the_smallest_consistent_subset(dataset, name, size):
    if name == "audiology":
        pytest.importorskip("ortools")
    table = table_of(dataset(name))
    scorer = Inconsistency().bind(table)
    done = drive(Exact(), Subsets(table.n_features), scorer, max_batches=100_000)
    assert done.verdict.optimal
    assert done.answer.sum() == size
    assert scorer.score(done.answer[None]).value[0] >= scorer.threshold


def test_branch_and_bound_needs_few_evaluations_on_votes(dataset):
    # Dash & Liu (2003), section 4.6: 301 for ABB, 39,967 for FocusM.
    table = table_of(dataset("votes"))
    scorer = Inconsistency().bind(table)
    down = drive(ABB(), Subsets(16), scorer, max_batches=100_000)
    up = drive(FocusM(), Subsets(16), scorer, max_batches=100_000)
    assert down.evaluations <= 301
    assert 20_000 < up.evaluations < 60_000
    assert down.answer.sum() == up.answer.sum() == 9


# One decision about hitting sets, split over threads.
FAST = settings(deadline=None, max_examples=60)


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


# FocusM: the smallest subset, by trying all from the smallest on.
@pytest.mark.parametrize("search", [Exact(), FocusM(), QBB()])
def test_parity_needs_its_three_bits(search):
    assert size(search, parity()) == 3


def test_the_first_subset_that_reaches_the_threshold_is_counted_exactly():
    measure = MonotoneTableMeasure(lambda mask: float(mask[[1, 3]].all()), threshold=1.0)
    done = drive(FocusM(), Subsets(4), measure.bind(toy_table(n_features=4)))
    # The empty set, 4 of one feature, and {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}.
    assert "subset number 10 was the first to reach it" in done.verdict.reason


# ABB: what it evaluates, and what it leaves out.
def test_abb_visits_five_of_four_features_that_all_matter():
    # Dash & Liu (2003), section 4.2: the root and its four children.
    needs = MonotoneTableMeasure(lambda mask: float(mask.all()), threshold=1.0)
    done = drive(ABB(), Subsets(4), needs.bind(toy_table(n_features=4)))
    assert done.evaluations == 5


def test_abb_visits_fifteen_where_one_of_four_matters():
    # The same section: all subsets but the empty one, which is inside a pruned one.
    needs = MonotoneTableMeasure(lambda mask: float(mask[0]), threshold=1.0)
    done = drive(ABB(), Subsets(4), needs.bind(toy_table(n_features=4)))
    assert done.evaluations <= 15
    assert done.answer.tolist() == [True, False, False, False]


def evaluated_by_the_quadratic_test(d, values, threshold):
    """The same descent, holding every child against all subsets that failed before."""
    failed, evaluated = [], set()
    stack = [((1 << d) - 1, 0)]
    while stack:
        node, first = stack.pop()
        children = [node ^ 1 << u for u in range(first, d) if node >> u & 1]
        children = [c for c in children if not any(c & f == c for f in failed)]
        evaluated.update(children)
        failed += [c for c in children if values[c] < threshold]
        good = [c for c in children if values[c] >= threshold]
        stack += [(c, (node ^ c).bit_length()) for c in reversed(good)]
    return evaluated


def test_the_hash_set_prunes_as_much_as_holding_against_every_failed_subset():
    for seed in range(20):
        values = monotone_values(7, seed)
        threshold = float(np.quantile(values, 0.7))
        scorer = MonotoneTableMeasure(values, threshold=threshold).bind(toy_table(n_features=7))
        done = drive(ABB(), Subsets(7), scorer)
        weights = 1 << np.arange(7)
        seen = {int(row @ weights) for row in done.candidates} - {127}
        assert seen == evaluated_by_the_quadratic_test(7, values, threshold)
        assert done.answer.sum() == drive(FocusM(), Subsets(7), scorer).answer.sum()


def test_a_descent_evaluates_nothing_twice_and_keeps_to_its_share():
    values = monotone_values(6, 3)
    threshold = float(np.quantile(values, 0.4))
    scorer = MonotoneTableMeasure(values, threshold=threshold).bind(toy_table(n_features=6))
    space = Subsets(6)
    descent = Descent(space, monotone_of(scorer, space))
    seen = []
    for most in (5, 1000, 1000):
        steps = descent.below(np.ones(6, dtype=bool), most)
        before = descent.used
        batch = next(steps, None)
        while batch is not None:
            seen += [row.tobytes() for row in batch]
            try:
                batch = steps.send(scorer.score(batch))
            except StopIteration:
                batch = None
        assert descent.used - before <= most
    assert len(seen) == len(set(seen)) == descent.used


# LVF: draws as the paper lists them, and draws that shrink.
def test_las_vegas_keeps_all_answers_of_the_smallest_size():
    done = drive(LVF(tries=3000, sampling="shrinking"), Subsets(12), Inconsistency().bind(parity()))
    found = np.vstack([done.answer[None], done.verdict.alternatives])
    # Each of the three bits may come from either copy: eight subsets.
    assert (found.sum(axis=1) == 3).all()
    assert len(found) == 8


def test_as_listed_every_subset_is_equally_likely_and_larger_ones_are_not_evaluated():
    # Only the full set reaches the threshold, so every draw may be evaluated.
    needs_all = MonotoneTableMeasure(lambda mask: float(mask.all()), threshold=1.0)
    done = drive(LVF(tries=4000), Subsets(4), needs_all.bind(toy_table(n_features=4)))
    counts = np.bincount((done.candidates @ (1 << np.arange(4)))[1:], minlength=16)
    assert counts.sum() == 4000
    assert counts.min() > 180
    assert counts.max() < 320


def test_as_listed_draws_are_counted_not_evaluations():
    # Every subset reaches the threshold: once the empty one is drawn, nothing else is evaluated.
    anything = MonotoneTableMeasure(lambda mask: 1.0, threshold=1.0)
    done = drive(LVF(tries=2000), Subsets(5), anything.bind(toy_table(n_features=5)))
    assert done.answer.sum() == 0
    assert len(done.candidates) < 300
    assert done.verdict.reason == "2000 subsets were drawn"


def test_shrinking_draws_are_never_larger_than_the_best_so_far():
    scorer = MonotoneTableMeasure(monotone_values(8, 1), threshold=0.5).bind(
        toy_table(n_features=8)
    )
    done = drive(LVF(tries=300, sampling="shrinking"), Subsets(8), scorer)
    best = 8
    for batch, value in zip(done.batches, done.values, strict=True):
        assert (batch.sum(axis=1) <= best).all()
        best = min([best, *batch[value >= 0.5].sum(axis=1)])


# QBB: all outputs of LVF go to ABB, and the second half is spent.
@pytest.mark.parametrize("sampling", ["uniform", "shrinking"])
def test_half_of_the_tries_are_draws_and_the_other_half_is_spent_below_them(sampling):
    # Any three of twelve features are enough: there is much below every subset.
    three = MonotoneTableMeasure(lambda mask: float(mask.sum() >= 3), threshold=1.0)
    search = QBB(tries=600, sampling=sampling)
    done = drive(search, Subsets(12), three.bind(toy_table(n_features=12)), 1)
    assert done.answer.sum() == 3
    assert 250 < done.evaluations <= 601


def test_every_answer_reaches_the_threshold_and_is_as_small():
    values = monotone_values(8, 4)
    scorer = MonotoneTableMeasure(values, threshold=0.7).bind(toy_table(n_features=8))
    done = drive(QBB(tries=2000), Subsets(8), scorer, 0)
    found = np.vstack([done.answer[None], done.verdict.alternatives])
    assert (scorer.score(found).value >= 0.7).all()
    assert len(set(found.sum(axis=1))) == 1


# SetCover: greedy, and misled by a correlated feature.
def test_set_cover_falls_for_the_correlated_feature_of_corral():
    table = corral()
    exact = drive(Exact(), Subsets(6), Inconsistency().bind(table))
    assert np.flatnonzero(exact.answer).tolist() == [0, 1, 2, 3]
    greedy = drive(SetCover(), Subsets(6), Inconsistency().bind(table))
    assert greedy.answer[5]
    assert greedy.answer[:4].all()
