"""What all classifiers stand on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import classifiers as c
from fewest._errors import InputError
from fewest.classifiers import NaiveBayes, OneR
from fewest.classifiers._base import Rows, checked_table, known_target, shares
from fewest.classifiers._cells import Cells, Intervals, Split, half_way
from fewest.data._schema import Schema

# Every classifier, and the encoder, under scikit-learn's own checks.
MODELS = [
    c.BayesianNetworkClassifier(), c.C45(), c.C45(raising=False), c.CN2(), c.CN2(ordered=False),
    c.HOODG(),
    c.IB1(), c.IB3(), c.IB4(), c.ID3(), c.MLCNaiveBayes(), c.NBTree(), c.NaiveBayes(),
    c.NearestNeighbor(),
    c.NearestNeighbor(k=3), c.OC1(restarts=2), c.OneR(), c.PEBLS(), c.PEBLS(weighting="none"),
    c.Ripper(random_state=0), c.SelectiveNaiveBayes(), c.T2(), c.TAN(), c.TableEncoder(),
    c.TableEncoder(max_levels=2), c.TableMajority(),
]  # fmt: skip


@parametrize_with_checks(MODELS)
def test_scikit_learn(estimator, check):
    check(estimator)


def test_no_classifier_is_left_out():
    assert {type(model).__name__ for model in MODELS} == set(dir(c))


@pytest.mark.parametrize("name", dir(c))
def test_every_classifier_loads_by_its_name(name):
    assert getattr(c, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Oracle'"):
        c.Oracle  # noqa: B018


#
def test_rows_of_weight_zero_do_not_count():
    X, y = [["a"], ["b"], ["a"]], ["x", "y", "y"]
    rule = OneR().fit(X, y, sample_weight=[1, 1, 0])
    assert rule.predict([["a"]]).tolist() == ["x"]


def test_taken_rows_keep_what_belongs_to_them():
    rows = Rows(np.arange(6.0).reshape(3, 2), np.array([0, 0]), np.array([0, 1, 1]), np.ones(3), 2)
    part = rows.take(np.array([2, 0]))
    assert part.values.tolist() == [[4, 5], [0, 1]]
    assert part.class_weights.tolist() == [1, 1]
    assert rows.nominal.tolist() == [False, False]


def test_no_counts_give_the_prior():
    assert shares(np.zeros((1, 2)), np.array([1.0, 3.0])).tolist() == [[0.25, 0.75]]


def test_lengths_must_agree():
    with pytest.raises(InputError, match="same number of rows, but have 2 and 3"):
        OneR().fit([["a"], ["b"]], ["x", "y", "y"])


def test_frames_and_labels_stay_as_they_are():
    frame = pd.DataFrame({"a": ["x", None], "b": [1.0, np.nan]})
    model = NaiveBayes()
    assert checked_table(model, frame, reset=True) is frame
    assert model.feature_names_in_.tolist() == ["a", "b"]
    labels = np.array([["x", None], ["y", 1.5]], dtype=object)
    assert checked_table(NaiveBayes(), labels, reset=True) is labels


def test_infinite_numbers_are_refused():
    with pytest.raises(ValueError, match="infinity"):
        checked_table(NaiveBayes(), np.array([[np.inf]]), reset=True)


def test_another_width_is_refused_after_the_fit():
    model = NaiveBayes().fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])
    with pytest.raises(ValueError, match="2 features"):
        checked_table(model, np.zeros((1, 3)), reset=False)


def test_a_target_is_needed():
    with pytest.raises(InputError, match="NaiveBayes requires y to be passed"):
        known_target(NaiveBayes(), None)


#
def test_cells_by_hand():
    values = np.array([[2.5, 1], [1.0, 0], [np.nan, np.nan], [2.5, 1]])
    rows = Rows(values, np.array([0, 2]), np.array([0, 1, 1, 1]), np.array([1.0, 2, 3, 4]), 2)
    cells = Cells.count(rows)
    assert cells.first.tolist() == [0, 3, 6]
    assert cells.of.tolist() == [[1, 4], [0, 3], [2, 5], [1, 4]]
    assert [v.tolist() for v in cells.values] == [[1.0, 2.5], [0.0, 1.0]]
    found = cells.class_weights(rows, np.array([0, 1, 3]))
    assert found.tolist() == [[0, 2], [1, 4], [0, 0], [0, 2], [1, 4], [0, 0]]


def test_codes_by_hand():
    values = np.array([[1.0, 0], [2.0, 1], [8.0, 1], [9.0, np.nan]])
    rows = Rows(values, np.array([0, 2]), np.array([0, 0, 1, 1]), np.ones(4), 2)
    intervals = Intervals.learn(rows, Schema(("a", "b"), (None, ("p", "q"))))
    assert intervals.sizes.tolist() == [2, 2]
    assert intervals.codes(values).tolist() == [[0, 0], [0, 1], [1, 1], [1, -1]]


def test_branches_and_counts():
    split = Split.by_level(0, 2)
    column = np.array([0.0, 1.0, np.nan, 1.0])
    assert split.branches(column).tolist() == [0, 1, 2, 1]
    weight = np.array([1.0, 2, 3, 4])
    counts = split.counts(Rows(column[:, None], np.array([0]), np.array([0, 1, 0, 0]), weight, 2))
    assert counts.tolist() == [[1, 0], [4, 2], [3, 0]]


def test_words():
    split = Split.at(0, np.array([1.0, 2.0]))
    assert split.conditions(None) == ["<= 1", "in (1, 2]", "> 2", "unknown"]
    assert Split.at(0, np.array([])).conditions(None) == ["known", "unknown"]
    assert Split.by_level(0, 2).conditions(("a", "b")) == ["= a", "= b", "unknown"]


def test_half_way_is_never_the_higher_value():
    low = 1.0
    high = np.nextafter(low, 2.0)
    assert half_way(low, high) == low
    assert half_way(1.0, 2.0) == 1.5
