"""LVF: draws as the paper lists them, and draws that shrink."""

from __future__ import annotations

import numpy as np

from fewest.data._as_table import as_table
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.search import LVF, Subsets
from fewest.testing import MonotoneTableMeasure, drive, monotone_values, toy_table


def parity():
    """Parity of three of six bits; all six once more."""
    bits = np.arange(64)[:, None] >> np.arange(6) & 1
    return as_table(np.hstack([bits, bits]).astype(str), bits[:, :3].sum(axis=1) % 2)


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
