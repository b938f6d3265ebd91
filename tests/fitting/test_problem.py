"""From data and a measure to the problem: read once, tasks and measures picked."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge

import fewest
from fewest.data import as_table, schema
from fewest.errors import InputError
from fewest.fitting.problem import make_problem, problem_of

X, Y = load_iris(return_X_y=True, as_frame=True)


def test_the_measure_is_picked_from_the_table():
    problem = make_problem(X, Y, "auto", cv=3)
    models = problem.told["models"]
    assert problem.measure.title == models["picked"]
    assert problem.measure.cv == 3
    assert problem.notes[0].startswith("The model selected for, with all features: ")
    numbers = make_problem(X, X.iloc[:, 0], "auto")
    assert sorted(numbers.told["models"]["scores"]) == [
        "hist-gradient-boosting-regressor", "ridge",
    ]  # fmt: skip
    assert numbers.table.classes is None


def test_a_regressor_makes_whole_numbers_a_numeric_target():
    assert make_problem(X, Y, Ridge()).table.classes is None
    assert make_problem(X, Y, "cfs").table.n_classes == 3


def test_metadata_read_elsewhere_is_not_refused():
    groups = np.arange(150) % 7
    with pytest.raises(InputError, match="`groups` is not used"):
        make_problem(X, Y, "cfs", metadata={"groups": groups})
    problem = make_problem(X, Y, "cfs", metadata={"groups": groups}, read_elsewhere=["groups"])
    assert problem.table.metadata["groups"] is groups


def test_a_table_that_was_read_already():
    table = as_table(X, Y)
    problem = problem_of(table, "cfs", cv="auto", scoring=None)
    assert problem.table is table
    selector = fewest.SubsetSelector("cfs", search="sfs")
    fitted = selector.fit(X, Y).result_
    assert selector.fit_table(table).result_.to_dict()["archive"] == fitted.to_dict()["archive"]


def test_validate_reads_the_data_once(monkeypatch):
    read, original = [], schema.read_columns

    def counted(X):
        read.append(X)
        return original(X)

    monkeypatch.setattr(schema, "read_columns", counted)
    fewest.validate(fewest.SubsetSelector("naive-bayes", search="sfs"), X, Y, random_state=0)
    assert len(read) == 1
