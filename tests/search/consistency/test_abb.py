"""ABB: what it evaluates, and what it leaves out."""

from __future__ import annotations

import numpy as np

from fewest.search import ABB, FocusM, Subsets
from fewest.search._lattice import Descent
from fewest.search._monotone import monotone_of
from fewest.testing import MonotoneTableMeasure, drive, monotone_values, toy_table


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
