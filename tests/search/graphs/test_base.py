"""Steps of a walk as batches."""

from __future__ import annotations

import pytest

from fewest.errors import MismatchError
from fewest.models.networks.structure_search import Walk
from fewest.search import ClimbGraph, Subsets
from fewest.search.graphs.base import step_by_step
from fewest.testing import drive


def test_every_step_is_one_changed_arc_or_a_reversal(scorer, space):
    batches = list(step_by_step(Walk(scorer.families, max_parents=3), space))
    assert batches[0].sum() == 0
    assert all(batch.shape == (1, 64) for batch in batches)
    changes = [(a ^ b).sum() for a, b in zip(batches, batches[1:], strict=False)]
    assert set(changes) <= {1, 2}
    assert len(changes) >= 7


def test_other_spaces_are_refused(scorer):
    with pytest.raises(MismatchError, match="`climb-graph` needs the score of a network"):
        drive(ClimbGraph(), Subsets(8), scorer)
