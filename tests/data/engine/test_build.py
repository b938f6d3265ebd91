import pytest

from fewest._errors import InputError
from fewest.data._engine.frame import stored_table
from tests.data.engine.sample import arrow, frame, mixed


def test_kinds_levels_and_classes_are_those_of_memory():
    table = mixed()
    stored = stored_table(arrow(table), "y")
    assert stored.names == ("size", "noise", "x0", "x1")
    assert stored.levels == (None, None, ("a", "b"), ("a", "b", "c"))
    assert stored.classes.tolist() == ["low", "mid", "top"]
    assert stored_table(arrow(frame()), "y", nominal=["w"]).levels[-1] == (0, 1, 2, 3)


def test_unusable_targets_and_columns_get_a_sentence():
    table = frame()
    with pytest.raises(InputError, match="`y` must have at least two classes, but has only one"):
        stored_table(arrow(table.assign(y="same")), "y")
    with pytest.raises(InputError, match="`y` must be known in every row"):
        stored_table(arrow(table), "x2")
    with pytest.raises(InputError, match="must hold numbers for a regression, but 'y' does not"):
        stored_table(arrow(table), "y", task="regression")
    with pytest.raises(InputError, match="has 900 different whole numbers, hardly a class"):
        stored_table(arrow(table.assign(y=range(900))), "y")
    with pytest.raises(InputError, match="must have at least one row, but has none"):
        stored_table(arrow(table.iloc[:0]), "y")
    with pytest.raises(InputError, match="must have at least one feature, but has none"):
        stored_table(arrow(table[["y"]]), "y")


def test_metadata_name_columns():
    table = frame()
    weighted = stored_table(arrow(table), "y", metadata={"sample_weight": "w"})
    assert weighted.names == tuple(f"x{j}" for j in range(6))
    with pytest.raises(InputError, match="`sample_weight` must name a column of the Arrow data"):
        stored_table(arrow(table), "y", metadata={"sample_weight": [1.0, 2.0]})
    with pytest.raises(InputError, match="`costs` is not used for a table that stays"):
        stored_table(arrow(table), "y", metadata={"costs": "w"})


def test_numbers_as_targets_have_no_classes():
    assert stored_table(arrow(mixed()), "size").classes is None
