"""The compiled reader of CSV files against the plain one, on normal and hostile texts."""

import random

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.data._loaders import delimited
from fewest.data._loaders import delimited as compiled

pytest.importorskip("pyarrow", reason="the compiled reader needs pyarrow")

CELLS = [
    "1", "-2.5", "1e5", "+3", " 4", "5 ", ".5", "6.", "1_000", "0x10", "inf", "-Infinity", "nan",
    "NaN", "nan(1)", "", "?", "NA", " NA ", "null", "a", "A b", "é", "\u2003x", "\x1cy", "tRue",
    "1,5", '"q"', '"a,b"', '"a\nb"', '""', 'a"b', '"a"b', '"a""b"', ' "a"', "'", "\\", "\u0661",
    "12345678901234567890", "0.1", "1e400", "-0", "00", "\t", "#", "@",
]  # fmt: skip
TEXTS = [
    "a,b\n1,2\n3,4\n", "a,b\r\n1,x\r\n3,y\r\n", "a;b\n1,5;2\n", "a\tb\n1\t2", "a|b\n1|2\n\n3|4\n",
    "a\n1\n\n2\n", "a,b\n1\n", "a,b\n1,2,3\n", "a,b\n", "", "\n\na,b\n1,2\n", '"a,b",c\n1,2\n',
    '"a\nb",c\n1,2\n', "1.5,2\n3,4\n", "a,a\n1,2\n", ",b\n1,2\n", "a,b\n1,2\0\n", 'a,b\n"1,2\n',
    "a,b\n1,\n,2\n", "a,b\n?,NA\n,nan\n", "a,b\n \n1,2\n", "a,b\n1," + "x" * 140_000 + "\n",
    "a,b\n" + "1,2\n" * 50 + "x,2\n", 'a,b\n1,"2"\n"3",4\n', 'a,b\nx",y"\n', "a,b\n1,2\r3,4\n",
]  # fmt: skip


def outcome(read, path):
    try:
        found = read(path)
    except InputError as error:
        return str(error)
    columns = [
        ("numbers", c.numbers.tolist()) if c.numbers is not None else ("labels", list(c.labels))
        for c in found.columns
    ]
    return repr((found.names, columns, found.n_rows))


def check(tmp_path, monkeypatch, text):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    monkeypatch.setattr(compiled, "LEAST_CHARACTERS", 0)
    fast = outcome(delimited.read_delimited, path)
    monkeypatch.setattr(compiled, "LEAST_CHARACTERS", np.inf)
    assert fast == outcome(delimited.read_delimited, path), text[:200]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_both_readers_give_the_same_columns_or_the_same_sentence(tmp_path, monkeypatch, text):
    check(tmp_path, monkeypatch, text)


def test_any_mixture_of_cells_is_read_in_the_same_way(tmp_path, monkeypatch):
    rng = random.Random(0)
    for _ in range(300):
        kinds = [rng.sample(CELLS, rng.choice([1, 2, 4])) for _ in range(rng.choice([1, 2, 3]))]
        kinds = [kind if rng.random() < 0.5 else ["1", "2.5", "3"] for kind in kinds]
        lines = [",".join(f"c{j}" for j in range(len(kinds)))]
        lines += [
            ",".join(rng.choice(kind) for kind in kinds) for _ in range(rng.choice([1, 5, 20]))
        ]
        check(tmp_path, monkeypatch, "\n".join(lines) + rng.choice(["", "\n"]))


def test_a_regular_text_is_read_by_the_compiled_reader():
    rest = "".join(f"{i}.5,{'ab'[i % 2]},\n" for i in range(20_000))
    number, label, nothing = compiled.read_compiled(rest, [False] * 3, ",", delimited._plain_column)
    assert number.numbers[:2].tolist() == [0.5, 1.5]
    assert label.labels[:3] == ["a", "b", "a"]
    assert np.isnan(nothing.numbers).all()
    assert (
        compiled.read_compiled(rest[:1000], [False] * 3, ",", delimited._plain_column) is None
    )  # too short
    assert (
        compiled.read_compiled(rest + '5,a"b,\n', [False] * 3, ",", delimited._plain_column) is None
    )


def test_numbers_that_are_labels_stay_text():
    rest = "".join(f"0{i % 3}\n" for i in range(40_000))
    (column,) = compiled.read_compiled(rest, [True], ",", delimited._plain_column)
    assert column.labels[:3] == ["00", "01", "02"]
