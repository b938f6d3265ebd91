"""A filter before the search."""

import numpy as np
import pytest

import fewest
from fewest._errors import InputError


def wide(seed=0, classes=True):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 2, 80)
    X = rng.normal(size=(80, 60))
    X[:, [7, 31]] += 2.0 * target[:, None]
    return X, target if classes else X[:, 7] + X[:, 31]


def selector(measure="naive-bayes", **options):
    return fewest.SubsetSelector(measure, search="sfs", cv=3, random_state=0, **options)


@pytest.mark.parametrize("classes", [True, False])
def test_only_the_best_of_the_filter_are_searched(classes):
    X, y = wide(classes=classes)
    fitted = selector("naive-bayes" if classes else "linear-regression", screen=5).fit(X, y)
    result = fitted.result_
    tried = {j for entry in result.archive for j in entry["features"]}
    assert {7, 31} <= tried
    assert len(tried) <= 5
    assert fitted.support_.shape == (60,)
    assert any("the 5 of 60 features with the highest" in note for note in result.notes)


def test_the_scores_are_those_of_a_search_that_excludes_the_others():
    X, y = wide()
    screened = selector(screen=5).fit(X, y)
    kept = sorted({j for e in screened.result_.archive for j in e["features"]})
    excluded = selector(exclude=[j for j in range(60) if j not in kept]).fit(X, y)
    assert screened.result_.features == excluded.result_.features
    assert screened.score_ == excluded.score_
    assert np.array_equal(screened.predict(X), excluded.predict(X))


def test_included_features_and_groups_stay():
    X, y = wide()
    result = selector(screen=3, include=[50], groups=[[10, 11]]).fit(X, y).result_
    tried = {j for entry in result.archive for j in entry["features"]}
    assert {10, 11, 50} <= tried
    assert len(tried) <= 6


def test_nothing_happens_where_there_are_few():
    X, y = wide()
    assert selector(screen=60).fit(X, y).result_.notes == selector().fit(X, y).result_.notes


@pytest.mark.parametrize("bad", [0, -1, 2.5, "all", True])
def test_what_is_no_number_of_features_is_refused(bad):
    with pytest.raises(InputError, match="`screen` must be a whole number of at least 1"):
        selector(screen=bad).fit(*wide())


def test_a_validation_screens_in_every_fold_anew():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 800)), np.arange(60) % 2
    chooser = selector(screen=10)
    assert chooser.fit(X, y).score_ > 0.8  # the filter saw all rows
    found = fewest.validate(chooser, X, y, scheme="1x5cv", random_state=0)
    assert abs(found.score - 0.5) < 0.15  # noise, on rows that it has not seen
