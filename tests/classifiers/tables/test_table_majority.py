import numpy as np

from fewest.classifiers import TableMajority


def test_the_majority_of_equal_rows_else_of_all():
    X = [["a", "p"]] * 3 + [["b", "q"]] * 4
    y = ["x", "x", "y"] + ["y"] * 4
    table = TableMajority(select=False).fit(X, y)
    assert table.predict([["a", "p"], ["b", "q"], ["a", "q"]]).tolist() == ["x", "y", "y"]
    assert np.allclose(table.predict_proba([["a", "p"]]), [[2 / 3, 1 / 3]])


def test_it_finds_the_features_of_a_concept(dataset):
    data = dataset("monks-1")
    table = TableMajority(discretise="width").fit(data.X.astype(str), data.y)
    assert {data.names[j] for j in table.features_} >= {"a1", "a2", "a5"}


def test_leave_one_out_by_hand():
    # Without its own row, each of two equal rows of different classes is wrong, and a single
    # row falls back on the majority of the others.
    X = [["a"], ["a"], ["b"], ["c"], ["c"]]
    y = ["x", "y", "x", "x", "x"]
    from fewest.classifiers._base import Rows
    from fewest.classifiers._table_majority import _leave_one_out

    codes = np.array([0, 0, 1, 2, 2])
    rows = Rows(codes[:, None] * 1.0, np.array([3]), np.array([0, 1, 0, 0, 0]), np.ones(5), 2)
    assert _leave_one_out(codes, 3, rows) == 3.0
    assert TableMajority(select=False).fit(X, y).predict([["a"]]).tolist() == ["x"]
