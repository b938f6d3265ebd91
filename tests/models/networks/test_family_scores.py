"""The cache of families: what it remembers, how it grows, K2 over it."""

import pickle

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models import family_scores
from fewest._models.family_scores import FamilyScores, Score
from fewest._models.graph import Graph
from fewest._models.structure_search import learn_k2
from tests.naive import discrete_models, structures


def some_rows(d=9, n=120, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, (n, d))
    for i in range(2, d):
        copied = rng.random(n) < 0.6
        rows[copied, i] = rows[copied, i - 1] ^ rows[copied, i - 2]
    return rows


def test_a_family_is_counted_once():
    families = FamilyScores(some_rows(), np.full(9, 2))
    order = np.random.default_rng(0).permutation(9)[None]
    first = families.k2(order)
    known = len(families)
    again = families.k2(order)
    assert len(families) == known
    assert [g.parents for g in again[0]] == [g.parents for g in first[0]]
    assert again[1].tolist() == first[1].tolist()


@pytest.mark.parametrize("name", ["k2", "bic", "bdeu"])
def test_many_orderings_are_the_literal_k2(name):
    rows = some_rows(d=6)
    slow = "bde" if name == "bdeu" else name

    def score(child, parents):
        return discrete_models.family_score(rows.tolist(), [2] * 6, child, parents, slow)

    orders = np.array([np.random.default_rng(i).permutation(6) for i in range(4)])
    graphs, scores = FamilyScores(rows, np.full(6, 2), score=name).k2(orders, max_parents=3)
    for order, graph, value in zip(orders.tolist(), graphs, scores, strict=True):
        expected = structures.k2(rows.tolist(), [2] * 6, order, 3, score)
        assert [set(p) for p in graph.parents] == [set(p) for p in expected]
        assert value == pytest.approx(sum(score(i, p) for i, p in enumerate(expected)))


def test_room_grows_without_changing_anything(monkeypatch):
    rows, orders = (
        some_rows(),
        np.array([np.random.default_rng(i).permutation(9) for i in range(9)]),
    )
    roomy = FamilyScores(rows, np.full(9, 2)).k2(orders)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 4)
    tight = FamilyScores(rows, np.full(9, 2))
    found = tight.k2(orders)
    assert len(tight) > 4
    assert [g.parents for g in found[0]] == [g.parents for g in roomy[0]]
    assert found[1].tolist() == roomy[1].tolist()


def test_later_is_earlier_read_backwards():
    families = FamilyScores(some_rows(), np.full(9, 2))
    order = np.random.default_rng(3).permutation(9)[None]
    later, _ = families.k2(order, parents="later")
    assert later[0].parents == families.k2(order[:, ::-1])[0][0].parents
    place = order[0].tolist().index
    assert all(place(p) > place(c) for p, c in later[0].arcs)


def test_of_a_graph_is_the_sum_of_its_families():
    rows, graph = some_rows(), Graph(((), (0,), (0, 1), (2,), (), (), (), (), ()))
    families = FamilyScores(rows, np.full(9, 2), score="k2")
    assert families.of(graph) == pytest.approx(Score("k2").of(graph, rows, np.full(9, 2)))


def test_a_copy_scores_the_same():
    families = FamilyScores(some_rows(), np.full(9, 2), score=Score("bdeu", 3.0))
    copy = pickle.loads(pickle.dumps(families))
    assert copy.score(4, [2, 3]) == families.score(4, [2, 3])


def test_k2_is_pyagrums():
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    rows = some_rows(d=8, n=400)
    order = np.random.default_rng(5).permutation(8).tolist()
    learner = gum.BNLearner(pandas.DataFrame(rows.astype(str), columns=list("abcdefgh")))
    learner.useScoreK2()
    learner.useNoPrior()
    learner.useK2(order)
    theirs = {tuple(arc) for arc in learner.learnDAG().arcs()}
    assert set(learn_k2(rows, np.full(8, 2), order).arcs) == theirs


def test_wrong_orderings_and_sides_are_refused():
    families = FamilyScores(some_rows(), np.full(9, 2))
    with pytest.raises(InputError, match="`orders` must name each of the 9 variables once per row"):
        families.k2(np.zeros((1, 9), dtype=int))
    with pytest.raises(
        InputError, match='`parents` must be "earlier" or "later", but is \'before\''
    ):
        families.k2(np.arange(9)[None], parents="before")
