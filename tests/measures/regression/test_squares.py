"""Cross products of tables, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.measures._regression.squares import CrossProducts
from tests.measures.regression.cases import rows, table
from tests.naive.least_squares import naive_rss


def test_correlations_and_a_constant_column():
    X, y = rows()
    squares = CrossProducts.of(table(), "aic")
    others = [0, 1, 3, 4, 5]
    assert_allclose(squares.gram[np.ix_(others, others)], np.corrcoef(X[:, others].T), atol=1e-12)
    assert_array_equal(squares.gram[2], np.zeros(6))
    assert_allclose(squares.total, naive_rss(X, y, []))


def test_far_from_zero():
    X, y = rows(trouble=False)
    X[:, 0] += 1e7
    squares = CrossProducts.of(as_table(X, y, task="regression"), "aic")
    share = squares.unexplained(np.eye(6, dtype=bool)[:1])[0]
    assert_allclose(share * squares.total, naive_rss(X - X.mean(axis=0), y, [0]), rtol=1e-8)


def test_numbers_that_are_labels():
    X, y = rows(trouble=False)
    X[:, 0] = np.round(X[:, 0])
    plain = CrossProducts.of(as_table(X, y, task="regression"), "aic")
    nominal = CrossProducts.of(as_table(X, y, nominal=[0], task="regression"), "aic")
    assert_allclose(nominal.right, plain.right, atol=1e-12)


def test_what_is_refused():
    X, y = rows()
    with pytest.raises(InputError, match="`aic` needs a target that is a number, but"):
        CrossProducts.of(as_table(X, np.where(y > 0, "a", "b")), "aic")
    with pytest.raises(InputError, match="a target that is not constant"):
        CrossProducts.of(as_table(X, np.ones(len(y)), task="regression"), "aic")
    X[3, 2] = np.nan
    with pytest.raises(InputError, match="needs known values, but 'x2'.* has unknown ones; impute"):
        CrossProducts.of(as_table(X, y, task="regression"), "aic")
    labels = np.array([["u", "v"][i % 2] for i in range(len(y))], dtype=object)[:, None]
    with pytest.raises(InputError, match="needs numbers, but .* has labels; encode"):
        CrossProducts.of(as_table(labels, y, task="regression"), "aic")
