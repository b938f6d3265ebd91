"""Scores against the formulas, against pyAgrum, and by hand."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.family_scores import Score
from fewest._models.graph import Graph
from tests.naive import discrete_models as naive

NAMES = ["log-likelihood", "aic", "bic", "k2", "k2-penalised", "bd", "bde"]
CARDS = [2, 3, 2, 4, 2]
GRAPHS = [
    ((), (), (), (), ()),
    ((), (0,), (0, 1), (2,), (1, 3)),
    ((1, 2, 3, 4), (2, 3, 4), (3, 4), (4,), ()),
]


def some_rows(n=70, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, r, n) for r in CARDS], axis=1)
    rows[: n // 2, 2] = rows[: n // 2, 0]
    return rows


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("graph", GRAPHS)
def test_scores_are_the_formulas(name, graph):
    rows = some_rows()
    expected = naive.graph_score(rows.tolist(), CARDS, graph, name, 2.5)
    assert Score(name, 2.5).of(Graph(graph), rows, np.array(CARDS)) == pytest.approx(expected)


def test_k2_metric_is_equation_3_16_by_factorials():
    rows = some_rows(12)
    product = 1.0
    for i, p in enumerate(GRAPHS[1]):
        product *= naive.k2_by_hand(rows.tolist(), CARDS, i, p)
    found = Score("k2").of(Graph(GRAPHS[1]), rows, np.array(CARDS))
    assert found == pytest.approx(np.log(product))


def test_equivalent_graphs_have_equal_bde():
    rows = some_rows()
    chains = [((), (0,), (1,), (), ()), ((1,), (2,), (), (), ()), ((1,), (), (1,), (), ())]
    scores = [Score("bde", 4.0).of(Graph(c), rows, np.array(CARDS)) for c in chains]
    assert scores == pytest.approx([scores[0]] * 3)


@pytest.mark.parametrize(
    ("name", "method"),
    [("bic", "useScoreBIC"), ("aic", "useScoreAIC"), ("k2", "useScoreK2"),
     ("log-likelihood", "useScoreLog2Likelihood"), ("bde", "useScoreBDeu")],
)  # fmt: skip
def test_scores_are_pyagrums(name, method):
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    rows = some_rows(200)
    names = [f"x{i}" for i in range(len(CARDS))]
    learner = gum.BNLearner(pandas.DataFrame(rows.astype(str), columns=names))
    learner.useNoPrior()
    if name == "bde":
        # It adds 1 to this equivalent sample size, and interpolates log gamma between whole
        # numbers: 24 makes every prior count of these families whole.
        learner.useBDeuPrior(23.0)
    getattr(learner, method)()
    for i, parents in enumerate(GRAPHS[1]):
        theirs = learner.score(names[i], [names[p] for p in parents]) * np.log(2)
        if name == "aic":
            # Its likelihood is in bits but its penalty is not converted: one bit a parameter.
            theirs -= (1 - np.log(2)) * (CARDS[i] - 1) * np.prod([CARDS[p] for p in parents])
        ours = naive.family_score(rows.tolist(), CARDS, i, parents, name, 24.0)
        assert ours == pytest.approx(theirs), (i, parents)


def test_unknown_score_is_refused():
    with pytest.raises(InputError, match=r"`score` must be one of .*but is 'bis'"):
        Score("bis")
    with pytest.raises(InputError, match="`alpha` must be above 0, but is 0"):
        Score("bde", 0)
