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
    assert problem.measure.title == "naive-bayes"
    assert problem.measure.cv == 3
    assert "`naive-bayes` was picked" in problem.notes[0]
    numbers = make_problem(X, X.iloc[:, 0], "auto")
    assert numbers.measure.title == "linear-regression"
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
    fewest.validate(fewest.SubsetSelector(search="sfs"), X, Y, random_state=0)
    assert len(read) == 1


def test_a_task_says_what_whole_numbers_are():
    X, y = np.random.default_rng(0).normal(size=(120, 3)), np.arange(120) % 12
    for task, classes in (("classification", 12), ("regression", 0)):
        selector = fewest.SubsetSelector(search="sfs", random_state=0).fit(X, y, task=task)
        assert make_problem(X, y, "auto", task=task).table.n_classes == classes
        assert selector.measure_.task == (None if classes else "regression")
        found = fewest.validate(selector, X, y, task=task, scheme="1x3cv", random_state=0)
        assert found.metric == ("accuracy" if classes else "R²")
        assert fewest.corrected_score(selector, X, y, task=task).scores
        assert fewest.permutation_test(selector, X, y, task=task, permutations=2).scores
    assert fewest.score_subsets(X, y, [[0]], task="classification").value[0] < 0.5
    with pytest.raises(InputError, match="may be classes or amounts"):
        fewest.SubsetSelector(search="sfs").fit(X, y, task="auto")
    with pytest.raises(InputError, match='`task` must be "regression" for `linear-regression`'):
        make_problem(X, y, "linear-regression", task="classification")
    with pytest.raises(InputError, match="`task` must be .* or \"auto\", but is 'classes'"):
        make_problem(X, y, "auto", task="classes")
