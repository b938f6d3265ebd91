"""The proof: bounds, constraints, and thresholds above the rate of all features."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import Exact, FocusM, Subsets
from fewest.testing import MonotoneTableMeasure, drive, monotone_values, toy_table
from tests.search.consistency.problems import corral, problems, size

pytestmark = pytest.mark.filterwarnings("ignore:.*contradict others")


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
