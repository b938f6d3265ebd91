"""Every classifier, and the encoder, under scikit-learn's own checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import classifiers as c

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
