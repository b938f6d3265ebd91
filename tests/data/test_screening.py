"""What screening sees in a table, and what it does not take for something."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data import as_table
from fewest.data._screening import Screening, screen

N = 20
Y = [i % 2 for i in range(N)]


def seen(*columns):
    X = np.array([*zip(*columns, strict=True)], dtype=object)
    return screen(as_table(X, Y))


COLOURS = ["red", "blue", "green", "red", "blue"] * 4
NUMBERS = [float(v) + 0.5 for v in (3, 1, 4, 1, 5, 9, 2, 6, 5, 3) * 2]


def test_identifiers():
    assert seen([f"id{i}" for i in range(N)], COLOURS).identifiers == (0,)
    almost = ["id0", *(f"id{i}" for i in range(N - 1))]
    unknown = [None, *(f"id{i}" for i in range(N - 1))]
    assert seen(almost, unknown, [i + 0.5 for i in range(N)]).identifiers == ()


def test_a_few_rows_say_nothing():
    X = [[f"id{i}", float(i)] for i in range(9)]
    assert screen(as_table(X, [0, 1, 0] * 3)) == Screening()


def test_row_numbers():
    numbers = [float(i) for i in range(5, N + 5)]
    assert seen(numbers, [10 * v for v in numbers], NUMBERS).row_numbers == ()
    X = np.array([numbers, [10 * v for v in numbers], numbers[::-1], NUMBERS]).T
    assert screen(as_table(X, Y)).row_numbers == (0, 1)


def test_constants_and_unknown_columns():
    X = np.array([[7.0] * N, [np.nan] * N, NUMBERS, [np.nan, *[7.0] * (N - 1)]]).T
    assert screen(as_table(X, Y)).constants == (0, 1)


def test_copies_are_told_with_the_first_one():
    found = seen(COLOURS, NUMBERS, COLOURS, NUMBERS, COLOURS)
    assert found.copies == ((2, 0), (3, 1), (4, 0))
    codes = [{"blue": 0.0, "green": 1.0, "red": 2.0}[c] for c in COLOURS]
    assert screen(as_table(np.array([codes, codes], dtype=float).T, Y)).copies == ((1, 0),)
    # The codes of labels are no copies of numbers.
    assert screen(as_table(np.array([codes, codes]).T, Y, nominal=[0])).copies == ()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["3,5", "4", "1.200,75", "-2,1"] * 5, True),
        (["3", "4", "5", "6"] * 5, False),
        (["a,b", "3,5"] * 10, False),
        (COLOURS, False),
    ],
)
def test_numbers_written_with_commas(values, expected):
    assert seen(values, NUMBERS).with_commas == ((0,) if expected else ())


def test_notes_name_what_was_seen():
    names = [f"f{j}" for j in range(12)]
    found = Screening((0, 1), (2,), tuple(range(3, 10)), ((11, 10),), (10,))
    notes = found.notes(names, [0])
    assert notes[0].startswith("Left out as identifiers, because every row has another value: f0.")
    assert notes[1] == "Looks like an identifier, because every row has another value: f1."
    assert notes[3] == "Has the same value in every row: f3, f4, f5, f6, f7 and 2 more."
    assert notes[4].endswith("(in brackets): f11 (f10).")
    assert len(notes) == 6
    assert Screening().notes(names) == []


def test_long_columns_are_compared_beyond_their_first_rows():
    rng = np.random.default_rng(0)
    n = 3000
    a, late = rng.normal(size=n), np.zeros(n)
    late[-1] = 1.0
    nearly = a.copy()
    nearly[-1] += 1.0
    count = np.arange(n, dtype=float)
    broken = count.copy()
    broken[-1] = 7.0
    X = np.column_stack([a, late, nearly, a, count, broken, np.zeros(n)])
    found = screen(as_table(X, np.arange(n) % 2))
    assert (found.copies, found.constants, found.row_numbers) == (((3, 0),), (6,), (4,))
