"""QBB: all outputs of LVF go to ABB, and the second half is spent."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import QBB, Subsets
from fewest.testing import MonotoneTableMeasure, drive, monotone_values, toy_table


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
