"""Networks over predictions: the proven one bounds what the other searches find."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._joint.predictions import Predictions
from fewest._joint.simplified_network import Learner, arc_influences, confidence, simplified
from fewest._models.family_scores import FamilyScores, Score
from fewest._models.graph import Graph


def predictions(n=9, rows=150, seed=0):
    """Classifiers that copy one another with some noise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (rows, n))
    for j in range(1, n):
        copied = rng.random(rows) < 0.8
        codes[copied, j] = codes[copied, rng.integers(0, j)]
    names = tuple(f"m{j}" for j in range(n))
    return Predictions(names, np.array([0, 1]), codes, codes[:, 0], {})


@pytest.mark.parametrize("score", ["k2", "bic"])
def test_the_genetic_search_comes_near_the_proven_network(score):
    rows = predictions()
    values = {}
    for search in ("exact", "genetic", "climbing"):
        found = Learner(score, search, None).learn(rows, np.random.default_rng(0))
        assert found.optimal == (search == "exact")
        values[search] = Score(score).of(found.graph, rows.codes, np.full(9, 2))
    assert values["exact"] >= values["genetic"] - 1e-9 >= values["climbing"] - 2e-9
    assert values["exact"] - values["genetic"] < 1.0


def test_refusals():
    with pytest.raises(InputError, match="`search` must be one of auto, exact, genetic"):
        Learner(search="ebna").checked(5)
    with pytest.raises(InputError, match='for 21 classifiers, but is "exact"'):
        Learner(search="exact").checked(21)
    with pytest.raises(InputError, match="`max_parents` must be at least 1, but is 0"):
        Learner(max_parents=0).checked(5)


def test_the_influence_is_the_difference_of_two_whole_scores():
    rows = np.random.default_rng(0).integers(0, 2, (60, 3))
    graph = Graph(((), (0,), (0, 1)))
    cards = np.full(3, 2)
    found = arc_influences(graph, FamilyScores(rows, cards, score="k2"))
    score = Score("k2")
    whole = score.of(graph, rows, cards)
    without = score.of(Graph(((), (0,), (1,))), rows, cards)
    assert found[0, 2] == pytest.approx(whole - without)


def test_half_is_kept_and_the_next_recovered_while_they_matter():
    graph = Graph(((), (0,), (0, 1), (0, 1, 2)))
    values = dict(zip(graph.arcs, [12.0, 10, 8, 5, 4, 1], strict=True))
    # Kept: 12, 10, 8. Then 5 >= (10 + 8) / 4, 4 >= (8 + 5) / 4, but 1 < (5 + 4) / 4.
    assert len(simplified(graph, values).arcs) == 5
    values = dict(zip(graph.arcs, [12.0, 10, 8, 4, 4, 4], strict=True))
    assert len(simplified(graph, values).arcs) == 3


def test_no_arcs_stay_none():
    assert simplified(Graph.empty(3), {}).arcs == []


def coins(rows, seed=0):
    """Fourteen classifiers that have nothing to do with each other."""
    codes = np.random.default_rng(seed).integers(0, 2, (rows, 14))
    names = tuple(f"m{j}" for j in range(14))
    return Predictions(names, np.array([0, 1]), codes, codes[:, 0], {})


def test_the_default_finds_few_arcs_in_noise_and_k2_without_a_bound_many():
    rng = np.random.default_rng(0)
    default, thesis = Learner().checked(14), Learner("k2", "exact", None)
    assert len(default.learn(coins(200), rng).graph.arcs) <= 5
    assert len(thesis.learn(coins(200), rng).graph.arcs) > 30
    bound = Learner("k2", "exact", 2).learn(coins(200), rng).graph
    assert max(len(parents) for parents in bound.parents) == 2


def test_tests_of_independence_find_the_copies():
    graph = Learner(search="tests").learn(predictions(4), np.random.default_rng(0)).graph
    assert 3 <= len(graph.arcs) <= 4
    assert len(Learner(search="tests").learn(coins(500), np.random.default_rng(0)).graph.arcs) < 10


def test_confidence_is_high_for_copies_and_noise_is_told():
    rows, learner = predictions(5), Learner().checked(5)
    readings = {"hard": {}, "inside": {"all": False}, "between": {}}
    readings["hard"] = dict.fromkeys(rows.names, True)
    found = confidence(rows, learner, {"all": rows.names}, readings, 10, np.random.default_rng(0))
    assert len(found.noise) == 10
    assert found.noise_arcs < 2
    graph = learner.learn(rows, np.random.default_rng(0)).simple
    strong = [found.arcs[tuple(sorted((rows.names[a], rows.names[b])))] for a, b in graph.arcs]
    assert min(strong) >= 0.5
    assert all(0 <= share <= 1 for share in found.readings["hard"].values())
    none = confidence(coins(100), learner, {"all": ("m0", "m1")}, {
        "hard": dict.fromkeys(coins(1).names, True), "inside": {"all": True}, "between": {}
    }, 5, np.random.default_rng(0))  # fmt: skip
    assert max(none.arcs.values()) <= 1.0
    assert none.to_dict()["noise"] == list(none.noise)
