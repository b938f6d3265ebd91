"""Pairs of columns that say the same, against all pairs one by one."""

from __future__ import annotations

import numpy as np

import fewest

COPIES = ("copy", "affine-copy", "one-to-one")


def pairs(X, y=None, **more):
    y = np.arange(len(X)) % 2 if y is None else y
    found = fewest.check(X, y, **more)
    return {one.columns: one.kind for one in found if one.kind in COPIES}


def test_each_kind_of_copy():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 300))
    few = rng.integers(0, 6, 300).astype(float)
    X = np.column_stack(
        [a, a, 3 - 2 * a, np.exp(a), -(a**3), b, np.round(1.1 * b, 6), few, 7 - few]
    )
    X = np.column_stack([X, np.array([3.0, 9, 1, 0, 4, 2])[few.astype(int)]])
    assert pairs(X) == {
        ("x1", "x0"): "copy",
        ("x2", "x0"): "affine-copy",
        ("x3", "x0"): "one-to-one",
        ("x4", "x0"): "one-to-one",
        ("x6", "x5"): "affine-copy",
        ("x8", "x7"): "affine-copy",
        ("x9", "x7"): "one-to-one",
    }


def test_labels_and_numbers_of_the_same_rows():
    pd = __import__("pandas")
    codes = np.random.default_rng(1).integers(0, 4, 200)
    frame = pd.DataFrame({"grade": np.array(list("ABCD"))[codes], "points": codes * 5.0})
    frame["other"] = np.array(list("ABCD"))[(codes + 1) % 4]
    frame.loc[7, "other"] = frame.loc[8, "other"]
    codes[7] = codes[8]
    assert pairs(frame) == {("points", "grade"): "one-to-one"}


def test_near_copies_are_none():
    rng = np.random.default_rng(2)
    a = rng.normal(size=2000)
    X = np.column_stack([a, a + 0.01 * rng.normal(size=2000), np.where(a > 3, 0.0, a)])
    assert pairs(X) == {}


def test_gaps_must_agree():
    a = np.random.default_rng(3).normal(size=400)
    b = 2 * a
    b[5:30] = np.nan
    assert pairs(np.column_stack([a, b])) == {}
    c = -3 * b + 1
    assert pairs(np.column_stack([a, b, c])) == {("x2", "x1"): "affine-copy"}


def test_affine_copies_of_a_wide_table_against_all_correlations():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 3000))
    X[:, 100:200] = -0.5 * X[:, :100] + 3
    r = np.abs(np.corrcoef(X.T))
    expected = {(f"x{j}", f"x{i}") for i, j in np.argwhere(np.triu(r > 1 - 1e-6, 1))}
    assert len(expected) == 100
    assert set(pairs(X)) == expected


def test_sorted_columns_are_compared_beyond_the_first_rows():
    a = np.sort(np.random.default_rng(5).normal(size=1000))
    b = a**3
    b[[900, 901]] = b[[901, 900]]
    assert pairs(np.column_stack([a, b]), np.tile([0, 1, 1, 0], 250)) == {}
