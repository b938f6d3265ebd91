import numpy as np
import pyarrow as pa
import pytest

from fewest._errors import InputError
from fewest.data._engine.encode import CodedScan, Coder, Coding
from tests.data.engine.sample import arrow, frame


def test_labels_are_coded_by_their_place_and_unknown_first():
    coding = Coding("a", ("u", "v"), None, True)
    assert coding.codes(pa.array(["v", None, "u"])).tolist() == [2, 0, 1]
    assert coding.size == 3


def test_numbers_are_coded_by_cuts_with_a_value_on_a_cut_left_of_it():
    coding = Coding("a", None, np.array([1.0, 2.0]), True)
    assert coding.codes(pa.array([0.5, 1.0, 1.5, None, 9.0])).tolist() == [1, 1, 2, 0, 3]
    assert coding.size == 4


def test_a_new_label_means_that_the_table_has_changed():
    with pytest.raises(InputError, match="column 'a' now holds 'w', which was not there"):
        Coding("a", ("u", "v"), None, False).codes(pa.array(["u", "w"]))


class Kept(CodedScan):
    """Keeps the codes of every batch."""

    def start(self):
        return []

    def add(self, state, part):
        return [*state, part]


def test_all_rows_come_with_class_and_weight():
    table = frame()
    codings = (Coding("x0", ("a", "b"), None, False),)
    target = Coding("y", ("low", "mid", "top"), None, False)
    rows = arrow(table, 70).reduce(Kept(Coder(codings, target, "w")))
    kept = table[table["w"] > 0]
    codes = np.concatenate([codes[0] for codes, _, _ in rows])
    assert np.array(["a", "b"])[codes].tolist() == kept["x0"].tolist()
    assert np.concatenate([weight for *_, weight in rows]).tolist() == kept["w"].tolist()
    bare = arrow(table, 70).reduce(Kept(Coder(codings, None)))
    assert all(not target.any() and weight is None for _, target, weight in bare)
