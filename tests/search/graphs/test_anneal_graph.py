"""Annealing over graphs."""

from __future__ import annotations

import pytest

from fewest.errors import InputError
from fewest.measures.networks.graph_score import GraphScorer
from fewest.models.networks import family_scores
from fewest.models.networks.family_scores import FamilyScores
from fewest.search import AnnealGraph
from fewest.testing import drive


def test_it_comes_near_the_proven_best(scorer, space, best):
    done = drive(AnnealGraph(steps=20_000), space, scorer)
    assert best - 5 < done.best_value <= best + 1e-6
    assert len(done.batches) > 40


def test_little_room_changes_nothing(rows, space, monkeypatch):
    search = AnnealGraph(steps=2000, batch=300)
    first = drive(search, space, GraphScorer(FamilyScores(*rows)), 1)
    monkeypatch.setattr(family_scores, "ROOM", 8)
    again = drive(search, space, GraphScorer(FamilyScores(*rows)), 1)
    assert (again.candidates == first.candidates).all()


def test_rising_temperatures_are_refused():
    with pytest.raises(InputError, match="`hot` must be at least `cold`, but they are 0.1 and 1"):
        AnnealGraph(hot=0.1, cold=1.0).check_parameters()
