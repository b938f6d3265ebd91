"""Families from the cache against the formulas, counted by bits and row by row."""

import numpy as np
import pytest

from fewest._kernels.networks.family_cache import cases_of_rows, graph_scores, members, row_gains
from fewest._models.family_scores import FamilyScores
from tests.naive import discrete_models as naive

CARDS = [2, 3, 2, 4, 2]


def some_rows(n=60, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1)
    rows[: n // 2, 2] = rows[: n // 2, 0]
    return rows


@pytest.mark.parametrize("name", ["k2", "bic", "bdeu"])
@pytest.mark.parametrize("parents", [(), (1,), (0, 3), (0, 1, 3)])
def test_scores_and_gains_are_the_formulas(name, parents):
    rows = some_rows()
    families = FamilyScores(rows, np.array(CARDS), score=name)
    slow = "bde" if name == "bdeu" else name

    def score(given):
        return naive.family_score(rows.tolist(), CARDS, 2, given, slow)

    assert families.score(2, parents) == pytest.approx(score(parents))
    gains = families.gains(2, parents)
    for j in range(5):
        if j == 2 or j in parents:
            assert gains[j] == -np.inf
        else:
            assert gains[j] == pytest.approx(score([*parents, j]) - score(parents))


def test_gains_are_counted_when_they_are_wanted():
    families = FamilyScores(some_rows(), np.array(CARDS))
    score = families.score(2, [0])
    assert not families.cache.judged.any()
    gains = families.gains(2, [0])
    assert len(families) == families.cache.judged.sum() == 1
    assert families.score(2, [0]) == score
    ranks = families.cache.ranks[0]
    assert (np.diff(gains[ranks[:3]]) <= 0).all()


@pytest.mark.parametrize("name", ["k2", "bic", "bdeu"])
def test_counting_by_rows_is_counting_by_bits(name):
    families = FamilyScores(some_rows(), np.array(CARDS), score=name)
    parents = np.array([0, 4])
    gains = np.empty(5)
    now = row_gains(families.cache, 1, parents, 4.0, gains)
    assert now == pytest.approx(families.score(1, [0, 4]))
    free = [2, 3]
    assert gains[free] == pytest.approx(families.gains(1, [0, 4])[free])


def test_cases_of_rows_number_the_observed_configurations():
    columns = np.array([[0, 1, 0, 1], [2, 2, 2, 0]], dtype=np.uint8)
    cases, number = cases_of_rows(columns, np.array([2, 3]), np.array([0, 1]))
    assert cases.tolist() == [0, 1, 0, 2]
    assert number == 3


def test_members_of_sets_of_more_than_a_word():
    bits = np.array([1 << 5, 1 << 6], dtype=np.uint64)
    assert members(bits, 100).tolist() == [5, 70]


def test_graphs_are_scored_until_the_cache_is_full():
    rows = some_rows()
    families = FamilyScores(rows, np.array(CARDS))
    graphs = np.zeros((2, 5, 1), dtype=np.uint64)
    graphs[1, 2] = 0b11
    scores = np.zeros(2)
    assert graph_scores(families.cache, graphs, 0, scores) == 2
    expected = naive.graph_score(rows.tolist(), CARDS, [(), (), (0, 1), (), ()], "bic")
    assert scores[1] == pytest.approx(expected)
    families.cache.count[0] = len(families.cache.scores)
    graphs[1, 3] = 0b111
    assert graph_scores(families.cache, graphs, 0, scores) == 1
