"""The name of a score, the selector's own scoring, and the default margin."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest._validation.schemes import default_margin, metric_name, out_of_one, own_scoring
from fewest._validation.significance import standard_error
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.testing._results import toy_validation

CLASSES = as_table(np.eye(4), [0, 1, 0, 1])
NUMBERS = as_table(np.eye(4), [0.5, 1.5, 2.5, 0.1])


def test_a_selector_brings_its_scoring():
    plain = CrossValidated(GaussianNB())
    own = CrossValidated(GaussianNB(), scoring="f1")
    selector = fewest.SubsetSelector(GaussianNB(), scoring="roc_auc")
    assert own_scoring(selector, own) == "roc_auc"
    assert own_scoring(fewest.SubsetSelector(own), own) == "f1"
    assert own_scoring(fewest.SubsetSelector(plain), plain) is None


@pytest.mark.parametrize(
    ("scoring", "table", "name"),
    [
        (None, CLASSES, "accuracy"),
        (None, NUMBERS, "R²"),
        ("neg_log_loss", CLASSES, "neg_log_loss"),
        (make_scorer(fbeta_score, beta=2), CLASSES, "fbeta_score"),
    ],
)
def test_names(scoring, table, name):
    assert metric_name(scoring, table) == name


def test_a_margin_is_a_point_or_a_standard_error():
    v = toy_validation(["a", "b"], np.array([True, False]))
    assert default_margin(v) == 0.01
    v = replace(v, metric="neg_root_mean_squared_error")
    assert default_margin(v) == standard_error(v.baseline_scores, v.splits_overlap)
    assert out_of_one("roc_auc_ovr")
    assert not out_of_one("max_error")
