import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data._information import Information
from fewest.data._table import Table
from tests.naive.entropies import entropy, information


def _table(rng, n=50):
    values = np.column_stack([rng.integers(0, r, n) for r in (2, 3, 4)]).astype(float)
    values[rng.random((n, 3)) < 0.1] = np.nan
    levels = tuple(tuple("abcdef"[:r]) for r in (2, 3, 6))
    return Table(("p", "q", "r"), values, levels, rng.integers(0, 2, n), np.array(["u", "v"]))


def test_all_tables_equal_the_naive_ones_with_unknown_as_a_value():
    table = _table(np.random.default_rng(0))
    bits = Information.of(table)
    c = table.target
    columns = [np.where(np.isnan(v), -1, v) for v in table.values.T]
    assert bits.class_entropy == pytest.approx(entropy(c))
    assert bits.cardinalities.tolist() == [3, 4, 5]
    for i, a in enumerate(columns):
        assert bits.relevance[i] == pytest.approx(information(a, c), abs=1e-12)
        both = entropy(a) + entropy(c)
        assert bits.class_uncertainty[i] == pytest.approx(2 * information(a, c) / both)
        for j, b in enumerate(columns):
            assert bits.mutual[i, j] == pytest.approx(information(a, b), abs=1e-12)
            assert bits.conditional[i, j] == pytest.approx(information(a, b, c), abs=1e-12)
            assert bits.added[i, j] == pytest.approx(information(a, c, b), abs=1e-12)
            su = 2 * information(a, b) / (entropy(a) + entropy(b))
            assert bits.uncertainty[i, j] == pytest.approx(su, abs=1e-12)


def test_a_continuous_feature_is_refused_by_name():
    table = _table(np.random.default_rng(1))
    levels = (table.levels[0], None, table.levels[2])
    mixed = Table(table.names, table.values, levels, table.target, table.classes)
    with pytest.raises(InputError, match="`q` is continuous; discretise the table first"):
        Information.of(mixed)


def test_a_constant_feature_says_nothing_and_divides_by_nothing():
    table = Table(("a",), np.zeros((4, 1)), (("x",),), np.zeros(4, dtype=int), np.array(["c"]))
    bits = Information.of(table)
    assert bits.relevance.tolist() == [0.0]
    assert bits.class_uncertainty.tolist() == [0.0]
