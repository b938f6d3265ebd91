"""Information of sparse tables: the numbers of the dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.data._sparse_information import sparse_information


def tables(unknown):
    rng = np.random.default_rng(2)
    target = rng.integers(0, 3, 80)
    dense = np.round(rng.normal(target[:, None], 1.0, size=(80, 6)), 1)
    dense *= rng.random((80, 6)) < np.array([0.1, 0.3, 0.5, 0.9, 1.0, 0.0])
    if unknown:
        dense[rng.random((80, 6)) < 0.1] = np.nan
    return as_table(dense, target), as_table(sparse.csr_matrix(dense), target)


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("method", ["mdl", "width", "frequency"])
def test_entropies_are_those_of_the_dense_table(method, unknown):
    plain, scattered = tables(unknown)
    one, other = plain.information(method, 4), sparse_information(scattered, method, 4)
    assert_array_equal(one.cardinalities, other.cardinalities)
    for name in ("class_entropy", "entropy", "with_class", "relevance", "mutual", "conditional"):
        assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12)
    masks = np.array([[1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 0, 0]], dtype=bool)
    assert_allclose(one.of_subsets(masks), other.of_subsets(masks), atol=1e-12)
    assert_allclose(one.mutual_with(2), other.mutual_with(2), atol=1e-12)
    assert_allclose(one.excess_with(3), other.excess_with(3), atol=1e-12)


def test_numbers_are_no_classes():
    X = sparse.csr_matrix(np.eye(4))
    with pytest.raises(InputError, match="the target must be a class"):
        sparse_information(as_table(X, [0.5, 1.5, 2.5, 3.5]))
