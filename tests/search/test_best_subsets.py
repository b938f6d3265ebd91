"""`exact` with criteria of least squares: constraints, bounds and results."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fewest
from fewest.measures import resolve_measure
from fewest.report.facts import facts
from fewest.run.stop import Evaluations
from fewest.search import Exact, Subsets
from fewest.search.best_subsets import allowed_in
from fewest.testing import drive
from fewest.testing.search_checks import SPACES, every_candidate
from tests.measures.regression.cases import rows, table


@pytest.mark.parametrize("constraint", SPACES)
@pytest.mark.parametrize("name", ["aic", "rss"])
def test_constraints(constraint, name):
    space = SPACES[constraint]
    d = space.n_features
    scorer = resolve_measure(name).bind(table(d, d=d, trouble=d > 5))
    every = scorer.score(np.asarray(space.expand(every_candidate(space)))).value
    done = drive(Exact(), space, scorer)
    assert done.verdict.optimal
    assert space.feasible(done.answer[None])[0]
    value = scorer.score(np.asarray(space.expand(done.answer[None]))).value
    assert_allclose(value, every.max(), rtol=1e-9)


def test_what_is_allowed():
    space = Subsets(5, (0,), (1,), ((2, 3),), 2, 4, costs=(1, 9, 1, 2, 2), budget=5.0)
    allowed = allowed_in(space, True)
    assert np.flatnonzero(allowed.fixed).tolist() == [0]
    assert [np.flatnonzero(u).tolist() for u in allowed.units] == [[2, 3], [4]]
    assert_allclose(allowed.costs, [3, 2])
    assert_allclose(allowed.budget, 4)
    assert (allowed.min_features, allowed.max_features) == (2, 4)


def test_the_result_is_proven():
    X, y = rows(1, trouble=False)
    result = fewest.SubsetSelector(measure="bic", search="exact").fit(X, y).result_
    every = fewest.SubsetSelector(measure="bic", search="exhaustive").fit(X, y).result_
    assert result.optimal
    assert result.features == every.features
    assert_allclose([result.score, result.bound], [every.score] * 2, rtol=1e-12)
    assert result.gap == 0
    assert result.stopped == "proven: no subset has a better score"
    assert "no allowed subset has a better score on these rows" in str(facts(result))


def test_each_size_in_the_result():
    X, y = rows(1, trouble=False)
    selector = fewest.SubsetSelector(
        measure="rss", search=Exact(each_size=True), choose=3, min_features=1
    )
    result = selector.fit(X, y).result_
    assert result.n_features == 3
    sizes = result.extra["sizes"]
    assert [entry["size"] for entry in sizes] == [1, 2, 3, 4, 5, 6]
    assert all(entry["proven"] and len(entry["features"]) == entry["size"] for entry in sizes)


def test_stopped_early_there_is_a_bound():
    X, y = rows(2, trouble=False)
    selector = fewest.SubsetSelector(measure="aic", search="exact", stop=Evaluations(2))
    result = selector.fit(X, y).result_
    best = fewest.SubsetSelector(measure="aic", search="exact").fit(X, y).result_
    assert not result.optimal
    assert result.bound >= best.score
    assert_allclose(result.gap, result.bound - result.score)
    assert f"no subset scores above {result.bound:.6g}" in str(facts(result))


def test_the_subsets_of_r():
    # regsubsets of leaps 3.1 in R 4.2, on scikit-learn's diabetes: $rss for 1 to 10 features.
    by_r = [
        1719581.81077, 1416694.01396, 1362708.69371, 1331431.40356, 1287881.1554, 1271493.99729,
        1267807.81206, 1264714.57987, 1264068.09639, 1263985.78563,
    ]  # fmt: skip
    data = fewest.load("diabetes")
    selector = fewest.SubsetSelector(measure="rss", search=Exact(each_size=True), min_features=1)
    sizes = selector.fit(data.X, data.y).result_.extra["sizes"]
    assert_allclose([-entry["value"] for entry in sizes], by_r, rtol=1e-9)
