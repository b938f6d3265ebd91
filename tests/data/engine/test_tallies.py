import pytest

from fewest._errors import InputError
from fewest.data._engine import tallies as module
from fewest.data._engine.tallies import Tallies
from tests.data.engine.sample import arrow, frame
from tests.naive.joint_counts import joint_counts


@pytest.mark.parametrize("batch", [7, 100, 5000])
def test_counts_by_value_and_class_are_those_of_a_dictionary(batch):
    table = frame()
    tally = arrow(table, batch).reduce(Tallies(("x1", "x2"), "y"))
    wanted = joint_counts(table["x2"].fillna("?"), table["y"])
    found = {
        (value or "?", label): row[place]
        for value, row in tally.found["x2"].items()
        for label, place in tally.classes.items()
        if place < len(row) and row[place]
    }
    assert found == wanted
    assert tally.n_rows == len(table)
    assert sorted(tally.found["x1"]) == ["a", "b", "c"]


def test_weights_add_up_and_rows_of_weight_zero_are_left_out():
    table = frame()
    tally = arrow(table).reduce(Tallies(("x0",), "y", "w"))
    assert tally.n_rows == (table["w"] > 0).sum()
    assert tally.total == table["w"].sum()
    assert sum(row.sum() for row in tally.found["x0"].values()) == table["w"].sum()


def test_a_column_that_names_the_rows_is_not_counted(monkeypatch):
    monkeypatch.setattr(module, "MOST_LEVELS", 50)
    table = frame().assign(name=[f"row {i}" for i in range(900)])
    tally = arrow(table).reduce(Tallies(("x0", "name"), "y"))
    assert tally.too_many == {"name"}
    assert not tally.found["name"]


def test_negative_weights_are_refused():
    table = frame().assign(w=-1.0)
    with pytest.raises(InputError, match="`sample_weight` must name a column of numbers of at"):
        arrow(table).reduce(Tallies(("x0",), "y", "w"))
