"""The L1 path as candidates: what is proposed, and which of it is the answer."""

from __future__ import annotations

import numpy as np
import pytest

import fewest
from fewest._errors import InputError, MismatchError
from fewest.search import L1Path, Subsets
from fewest.testing import TableMeasure, drive, toy_table


def test_every_subset_of_the_path_is_scored_once():
    value = np.array([3.0, 1.0, 2.0])
    scorer = TableMeasure(lambda mask: float(value @ mask)).bind(toy_table(n_features=3))
    done = drive(L1Path(), Subsets(3, min_features=1), scorer)
    assert [row.tolist() for row in done.candidates.astype(int)] == [
        [1, 0, 0],
        [1, 0, 1],
        [1, 1, 1],
    ]
    assert done.verdict.reason == "all 3 subsets of the path are scored"


def test_the_largest_size_holds():
    data = fewest.load("wine")
    selector = fewest.SubsetSelector(
        "gaussian-nb", search="l1-path", max_features=4, random_state=0
    ).fit(data.X, data.y)
    sizes = [entry["size"] for entry in selector.result_.archive]
    assert max(sizes) <= 4
    assert selector.score_ > 0.9


def test_the_model_must_suit_the_target():
    diabetes, wine = fewest.load("diabetes"), fewest.load("wine")
    with pytest.raises(InputError, match='must be "lasso" for a numeric target'):
        fewest.SubsetSelector("linear-regression", search=L1Path("logistic")).fit(
            diabetes.X, diabetes.y
        )
    with pytest.raises(InputError, match='must be "logistic" for more than two classes'):
        fewest.SubsetSelector("gaussian-nb", search=L1Path("lasso")).fit(wine.X, wine.y)


def test_a_measure_without_a_path_is_refused():
    wine = fewest.load("wine")
    with pytest.raises(MismatchError, match="`l1-path` needs a measure that gives an L1 path"):
        fewest.SubsetSelector("cfs", search="l1-path").fit(wine.X, wine.y)
