import numpy as np
import pytest

from fewest.classifiers import OneR
from tests.oracles.weka import ask_weka, needs_weka, write_arff


def test_intervals_by_hand():
    # The golf table of Holte's method: at least 3 of a class in an interval (the last may be
    # smaller), intervals of the same class are joined.
    values = [64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85, 86]
    play = list("ynyyynnyyynyynn")
    rule = OneR(min_bucket=3).fit(np.array(values, float)[:, None], play)
    assert rule.split_.cuts.tolist() == [77.5]
    assert rule.counts_[:2].tolist() == [[3, 7], [3, 2]]


def test_unknown_values_are_a_branch():
    rule = OneR().fit([["a"], ["a"], [None], [None]], ["x", "x", "y", "y"])
    assert rule.predict([[None], ["a"]]).tolist() == ["y", "x"]
    assert rule.to_text() == "x0 = a: x (2)\nx0 unknown: y (2)"


def test_a_value_never_seen_gets_the_most_frequent_class():
    rule = OneR().fit([["a"], ["b"], ["b"]], ["x", "y", "y"])
    assert rule.predict([["c"]]).tolist() == ["y"]


def test_graphviz():
    rule = OneR().fit([["a"], ["b"]], ["x", "y"])
    assert 'n0 -> n1 [label="= a"]' in rule.to_dot()


@needs_weka
@pytest.mark.parametrize("name", ["votes", "hepatitis", "lymphography", "breast-cancer"])
def test_the_rule_of_weka(name, dataset, tmp_path):
    # Tables in which equal values of several classes do not decide the rule: Weka sorts them
    # in an order of its own.
    table = dataset(name).table()
    feature, right = ask_weka("one-r", write_arff(tmp_path / "t.arff", table))
    rule = OneR().fit(dataset(name).X, dataset(name).y)
    assert rule.schema_.names[rule.split_.feature] == feature
    predicted = rule.predict(dataset(name).X)
    assert (predicted == np.asarray(dataset(name).y)).sum() == int(right)
