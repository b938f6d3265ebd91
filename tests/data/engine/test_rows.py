import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data._as_table import as_table
from fewest.data._engine.fold_sums import FoldedRows
from fewest.data._engine.frame import stored_table
from tests.data.engine.sample import arrow, frame, mixed, parts_of


def _all(rows):
    parts = parts_of(rows)
    return [np.concatenate([getattr(part, name) for part in parts]) for name in parts[0]._fields]


def test_values_are_those_of_memory_and_folds_do_not_depend_on_batches_and_order():
    table = mixed()
    values, target, fold, weight = _all(FoldedRows(stored_table(arrow(table, 64), "y"), 5))
    memory = as_table(table.drop(columns="y"), table["y"])
    np.testing.assert_array_equal(values, memory.values)
    np.testing.assert_array_equal(target, memory.target)
    assert weight.tolist() == [1.0] * len(table)
    assert sorted(set(fold.tolist())) == [0, 1, 2, 3, 4]
    assert np.bincount(fold).min() > len(table) / 5 * 0.7
    other = stored_table(arrow(table.iloc[::-1], 1000), "y")
    assert _all(FoldedRows(other, 5))[2].tolist() == fold[::-1].tolist()


def test_a_column_gives_the_folds():
    table = mixed().assign(part=np.arange(900) % 3 + 7)
    stored = stored_table(arrow(table), "y", metadata={"folds": "part"})
    assert "part" not in stored.names
    assert _all(FoldedRows(stored, 3))[2].tolist() == (np.arange(900) % 3).tolist()
    with pytest.raises(InputError, match="`folds` must name a column with 2 to 100 values"):
        stored_table(arrow(frame().assign(one=1)), "y", metadata={"folds": "one"})


def test_an_unknown_target_is_refused():
    table = mixed()
    with pytest.raises(InputError, match="`y` must be known in every row"):
        _all(FoldedRows(stored_table(arrow(table), "noise"), 3))
