"""What single columns are taken for, and what they are not."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import fewest

N = 120
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
OTHER = RNG.normal(size=N)


def kinds(values, name="column"):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({name: values, "other": OTHER[: len(values)]})
    found = fewest.check(frame, Y[: len(values)])
    return [one.kind for one in found if one.column == name]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([f"id{i}" for i in range(N)], ["identifier"]),
        (["id0", *(f"id{i}" for i in range(N - 1))], ["identifier"]),
        ([hashlib.md5(b"%d" % (i // 2)).hexdigest() for i in range(N)], ["identifier"]),
        ([f"name {i % 60}" for i in range(N)], ["many-levels"]),
        ([f"the dog number {i} of the street" for i in range(N)], ["free-text"]),
        ([f"{i % 28 + 1:02d}.{i % 12 + 1:02d}.2020" for i in range(N)], ["date"]),
        ([f"{i % 12 + 1}/{i % 28 + 1}/20 10:00" for i in range(N)], ["date"]),
        ([f"2020-{i % 12 + 1:02d}-{i % 28 + 1:02d}" for i in range(N)], ["date"]),
        ([f"{v:.2f}".replace(".", ",") for v in OTHER], ["number-as-text"]),
        (["1,5", "2,5", "3,0"] * 40, ["number-as-text"]),
        (["1A", "2B", "3C"] * 40, []),
        ([f"{1000 * v:,.0f}" for v in OTHER], ["number-as-text"]),
        ([f"{v:.2f}" for v in OTHER], ["number-as-text"]),
        ([f"{i} kg" for i in range(N)], ["number-as-text"]),
        ([f"{i} %" for i in range(N)], ["number-as-text"]),
        ([f"$ {i}.50" for i in range(N)], ["number-as-text"]),
        ([f"{i % 90 + 10000}" for i in range(N)], ["many-levels"]),
        (["1", "2", "3", "4", "5", "n.a."] * 20, ["mixed-types"]),
        (["1", "2", "A", "B"] * 30, []),
        (["red", "blue", "green"] * 40, []),
        ([7.5] * N, ["constant"]),
        ([None] * N, ["constant"]),
        ([None, *[7.5] * (N - 1)], []),
        (["x", *["y"] * (N - 1)], ["nearly-constant"]),
        ([1.0, *[0.0] * (N - 1)], ["nearly-constant"]),
        ([1, 2, 3, 4, 5] * 24, ["few-values"]),
        ([0, 1] * 60, []),
        ([0.5, 1.5, 2.5] * 40, []),
        (list(range(N)), ["row-number"]),
        ((RNG.permutation(N) + 7).tolist(), ["row-number"]),
        ((RNG.permutation(5000)[:N]).tolist(), []),
        ([1e6, *OTHER[1:]], ["outliers"]),
        (np.exp(OTHER).tolist(), []),
    ],
)
def test_columns(values, expected):
    assert kinds(values) == expected


def test_numbers_are_identifiers_where_the_name_says_so():
    numbers = RNG.permutation(500_000)[:N].tolist()
    assert kinds(numbers, "customer_id") == kinds(numbers, "CustomerId") == ["identifier"]
    assert kinds(numbers, "amount paid") == []
    assert kinds(list(range(N)), "index") == ["identifier"]


def test_copies_of_rows_do_not_hide_an_identifier():
    labels = [f"id{i // 3}" for i in range(N)]
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"label": labels, "other": [OTHER[i // 3] for i in range(N)]})
    found = fewest.check(frame, Y)
    assert [one.column for one in found.of("identifier")] == ["label"]
    assert "80 of 120 rows" in found.of("duplicate-rows")[0].evidence


def test_few_rows_say_nothing():
    assert kinds([f"id{i}" for i in range(9)]) == []
