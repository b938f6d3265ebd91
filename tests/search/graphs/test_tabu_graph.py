"""Tabu search over graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models import family_scores
from fewest._models.family_scores import FamilyScores
from fewest._models.structure_search import climb_families
from fewest.networks._network_measures import GraphScorer
from fewest.search import IteratedTabuGraph, TabuGraph
from fewest.testing import drive


def test_it_is_the_tabu_search_of_the_models(rows, scorer, space):
    done = drive(TabuGraph(tenure=4, patience=30), space, scorer)
    _, value = climb_families(FamilyScores(*rows), max_parents=3, tenure=4, patience=30)
    assert done.best_value == pytest.approx(value)
    assert done.verdict.reason == "no improvement in 30 steps"
    values = [value[0] for value in done.values]
    assert values == sorted(values)


def test_iterated_tabu_begins_with_a_climb_and_never_loses(rows, scorer, space, best):
    done = drive(IteratedTabuGraph(patience=5, tenure=2, rounds=40), space, scorer)
    _, first = climb_families(FamilyScores(*rows), max_parents=3, tenure=2, patience=5)
    values = [value[0] for value in done.values]
    assert any(value == pytest.approx(first) for value in values)
    assert (np.diff(values) > -1e-9).all()
    assert done.best_value == pytest.approx(best)
    assert done.verdict.reason == "no improvement in 40 climbs"


def test_iterated_tabu_is_the_same_for_the_same_seed_and_a_full_cache(rows, space, monkeypatch):
    search = IteratedTabuGraph(rounds=10)
    one = drive(search, space, GraphScorer(FamilyScores(*rows)), 3)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 2)
    other = drive(search, space, GraphScorer(FamilyScores(*rows)), 3)
    assert (one.candidates == other.candidates).all()
