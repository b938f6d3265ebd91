"""Sparse values look like the dense array, and stay sparse where they can."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from fewest.data.build import as_table
from fewest.data.sparse_values import SparseValues
from fewest.errors import InputError

MATRIX = sparse.random(30, 6, 0.3, format="csr", random_state=0)
DENSE = MATRIX.toarray()
TARGET = np.arange(30) % 2


def test_parts_are_those_of_the_dense_array():
    values = SparseValues(MATRIX)
    rows = np.array([4, 1])
    assert_array_equal(values[:, 2], DENSE[:, 2])
    assert_array_equal(values[:, [0, 5]], DENSE[:, [0, 5]])
    assert_array_equal(values[rows], DENSE[rows])
    assert_array_equal(values[3, 2], DENSE[3, 2])
    assert_array_equal(np.asarray(values), DENSE)
    assert_array_equal(values.copy(), DENSE)
    assert_array_equal(values.astype(int), DENSE.astype(int))
    assert_array_equal(np.asarray(values.take_rows(rows)), DENSE[rows])
    assert (values.shape, len(values)) == ((30, 6), 30)


def test_a_table_is_sparse_and_so_are_its_rows():
    table = as_table(MATRIX, TARGET)
    assert table.sparse is not None
    assert table.names == tuple(f"x{j}" for j in range(6))
    part = table.take(np.arange(10))
    assert part.sparse is not None
    assert_array_equal(part.X.toarray(), DENSE[:10])
    assert table.fingerprint != part.fingerprint
    assert table.fingerprint == as_table(MATRIX.tocsc(), TARGET).fingerprint
    assert as_table(MATRIX, TARGET, nominal=[0]).sparse is None
    assert as_table(MATRIX > 0.5, TARGET).nominal.all()


def test_unknown_values_are_those_that_are_stored():
    matrix = MATRIX.tolil()
    matrix[3, 4] = np.nan
    table = as_table(matrix.tocsr(), TARGET)
    assert table.sparse.has_unknown
    assert table.incomplete.tolist() == [False] * 4 + [True, False]
    assert not as_table(MATRIX, TARGET).incomplete.any()


def test_a_huge_table_is_not_made_dense():
    huge = SparseValues(sparse.csr_matrix((100_000, 10_000)))
    with pytest.raises(InputError, match="needs it as a dense table of 7 GB"):
        np.asarray(huge)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (sparse.csr_matrix((0, 3)), "at least one row"),
        (sparse.csr_matrix([[np.inf, 0.0]]), "a stored value is infinite"),
    ],
)
def test_unusable_tables(X, words):
    with pytest.raises(InputError, match=words):
        as_table(X, [0])


def test_the_check_sees_constants_and_copies():
    dense = np.column_stack([DENSE, DENSE[:, 1], np.zeros(30), np.full(30, 2.0)])
    table = as_table(sparse.csr_matrix(dense), TARGET)
    assert [one.columns for one in table.check().of("copy")] == [("x6", "x1")]
    assert np.flatnonzero(table.constants()).tolist() == [7, 8]
