"""Data and helpers that several tests of cross-validated measures use."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated

IRIS = load_iris(return_X_y=True)


TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


ALL_PAIRS = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 1], [1, 1, 1, 1]], bool)


def refusal(estimator, X, y, **options):
    table = as_table(X, y)
    every = np.ones((1, table.n_features), bool)
    with pytest.raises(InputError) as caught:
        CrossValidated(estimator, **{"cv": 3, **options}).bind(table).score(every)
    return str(caught.value)
