"""Steps of a walk as batches."""

from __future__ import annotations

import pytest

from fewest._errors import MismatchError
from fewest._models.structure_search import Walk
from fewest.networks._graph_searches import step_by_step
from fewest.search import ClimbGraph, Subsets
from fewest.testing import drive


def test_batches_are_the_best_graphs_of_more_and_more_steps(scorer, space):
    batches = list(step_by_step(Walk(scorer.families, max_parents=3), space))
    assert batches[0].sum() == 0
    assert all(batch.shape == (1, 64) for batch in batches)
    changes = [int((a ^ b).sum()) for a, b in zip(batches, batches[1:], strict=False)]
    assert changes[0] == 1
    assert 2 <= changes[1] <= 4
    whole = Walk(scorer.families, max_parents=3)
    whole.climb()
    assert (batches[-1] == space.rows([whole.best])).all()


def test_other_spaces_are_refused(scorer):
    with pytest.raises(MismatchError, match="`climb-graph` needs the score of a network"):
        drive(ClimbGraph(), Subsets(8), scorer)
