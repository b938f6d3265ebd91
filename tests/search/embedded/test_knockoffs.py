"""Knockoffs as a search: what passes, and the answer "none"."""

import numpy as np
import pytest

import fewest
from fewest._errors import MismatchError
from fewest.search import Knockoffs
from fewest.search._elimination import _passed


def test_the_limit_keeps_the_share_of_losers_small():
    lead = np.array([5.0, 4.0, 3.0, -2.0, 1.0, 1.0, 0.0])
    # At 3: (1 + 0) / 5 over 3 features; at 1: (1 + 1) / 5 over 5 features.
    assert _passed(lead, 0.07).tolist() == [True, True, True, False, False, False, False]
    assert _passed(lead, 0.08).tolist() == [True, True, True, False, True, True, False]
    assert not _passed(lead, 0.05).any()
    assert not _passed(np.zeros(3), 1.0).any()


def tables(real):
    rng = np.random.default_rng(4)
    X = rng.standard_normal((150, 10))
    return X, (X[:, :4] @ np.full(4, real) + rng.logistic(size=150) > 0).astype(int)


def test_a_signal_is_kept_and_noise_is_not():
    search = Knockoffs(fdr=0.1)
    found = [
        fewest.SubsetSelector("gaussian-nb", search=search, min_features=0, random_state=0).fit(
            *tables(real)
        )
        for real in (2.0, 0.0)
    ]
    assert {"x0", "x1", "x2", "x3"} <= set(found[0].result_.features)
    assert found[1].result_.features == []
    assert found[1].result_.stopped == "no feature beats its knockoffs at a rate of 0.1"


def test_a_smallest_size_holds():
    X, y = tables(0.0)
    selector = fewest.SubsetSelector(
        "gaussian-nb", search="knockoffs", min_features=2, random_state=0
    ).fit(X, y)
    assert selector.n_features_ == 2


def test_a_filter_gives_no_importances():
    X, y = tables(1.0)
    with pytest.raises(MismatchError, match="`knockoffs` needs a measure that gives importances"):
        fewest.SubsetSelector("cfs", search="knockoffs").fit(X, y)
