"""The twin of BernoulliNB gives the fold scores of cross_val_score."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import BernoulliNB

from fewest.data import as_table
from fewest.measures.wrappers.bernoulli_twin import bernoulli_bits, bernoulli_twin
from tests.measures.wrappers.cases import check_twin, levels, some_masks


@pytest.mark.parametrize("seed", range(3))
def test_many_ties(seed):
    X, y = levels(seed, n=40, classes=2)
    check_twin(BernoulliNB(), X % 2, y, some_masks(6), cv=4)


def test_binarised_numbers():
    X, y = levels(0)
    check_twin(BernoulliNB(binarize=1.5, alpha=0.3), X.astype(float), y, some_masks(6))


def test_the_bits_are_those_that_the_classifier_sees():
    X, y = levels(1, classes=2)
    table = as_table(X.astype(float), y)
    splits = tuple(StratifiedKFold(3).split(X, y))
    bits = bernoulli_bits(BernoulliNB(binarize=1.0), table, splits)
    np.testing.assert_array_equal(bits, X > 1.0)


def test_unknown_values_are_for_the_classifier_to_refuse():
    X, y = levels(2, classes=2)
    X = X.astype(float)
    X[0, 0] = np.nan
    splits = tuple(StratifiedKFold(3).split(X, y))
    assert bernoulli_twin(BernoulliNB(), as_table(X, y), splits) is None
