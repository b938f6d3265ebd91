"""The proof as a search: a good graph first, then the best one."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._run.loop import Run
from fewest.search import ExactGraph
from fewest.testing import drive


def test_it_ends_with_the_proven_best(scorer, space, best):
    done = drive(ExactGraph(), space, scorer)
    assert done.best_value == pytest.approx(best)
    assert done.verdict.optimal
    assert done.values[0][0] <= done.values[1][0] + 1e-9


def test_the_run_knows_the_bound(scorer, space):
    outcome = Run(ExactGraph(), scorer, space, np.random.default_rng(0)).go()
    assert outcome.bounds.value == outcome.history.best_value
