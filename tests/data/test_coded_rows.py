import numpy as np
import pytest

from fewest.data._as_table import as_table
from fewest.data._discretise import Discretiser
from fewest.data._information import CodedRows, nominal_codes
from fewest.data._table import Table
from tests.naive.entropies import entropy


def _rows(weight=None):
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(0, size, 60) for size in (2, 3, 4)], dtype=np.int32)
    return CodedRows(codes, np.array([2, 3, 4]), rng.integers(0, 2, 60), 2, weight)


@pytest.mark.parametrize("weight", [None, np.ones(60)])
def test_columns_pairs_and_subsets_agree_with_naive_entropies(weight):
    rows = _rows(weight)
    a, b, c = rows.codes
    assert rows.column(-1)[0] == pytest.approx([entropy(v) for v in rows.codes])
    assert rows.column(1)[1] == pytest.approx([entropy(v, b, rows.target) for v in rows.codes])
    pairs, triples = rows.pairs()
    assert pairs[0, 2] == pytest.approx(entropy(a, c))
    assert triples[0, 2] == pytest.approx(entropy(a, c, rows.target))
    found = rows.subsets(np.array([[True, True, True]]))[0]
    assert found == pytest.approx([entropy(a, b, c), entropy(a, b, c, rows.target)])


def test_only_values_that_occur_get_a_code_and_unknown_comes_first():
    values = np.array([[2.0], [np.nan], [0.0], [2.0]])
    table = Table(("a",), values, (("u", "v", "w"),), np.array([0, 1, 0, 1]), np.array([0, 1]))
    codes, sizes = nominal_codes(table)
    assert codes.tolist() == [[2, 0, 1, 2]]
    assert sizes.tolist() == [3]


def test_codes_of_cut_columns_are_those_of_the_cut_table():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 4)) + y[:, None] * np.array([2.0, 0.0, 1.0, 0.0])
    X[::7, 0], X[::5, 3] = np.nan, np.nan
    table = as_table(X, y)
    cuts = Discretiser().fit(table)
    found, sizes = nominal_codes(table, cuts)
    wanted, expected = nominal_codes(cuts.apply(table))
    assert found.tolist() == wanted.tolist()
    assert sizes.tolist() == expected.tolist()
