"""Racing drops subsets that cannot catch up, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import t
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._errors import MismatchError
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._wrappers.racing import FOLDS_RUN, cannot_catch_up

STUMP = DecisionTreeClassifier(max_depth=2, random_state=0)


def table(n=400, d=8):
    """Two columns tell the class, the others are noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=n) > 0).astype(int)


def test_the_chance_to_catch_up():
    """Against the prediction interval of the mean of the folds to come."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        f, k = int(rng.integers(2, 10)), 10
        seen = rng.normal(-0.5, 1.0, f) * 0.1
        mean, spread = seen.mean(), max(seen.std(ddof=1), 0.125 * abs(seen.mean()))
        needed = -f * mean / (k - f)
        chance = t.sf((needed - mean) / (spread * np.sqrt(1 / f + 1 / (k - f))), f - 1)
        assert cannot_catch_up(seen, k) == (mean < 0 and chance < 0.001)


def test_what_would_catch_up_is_hardly_ever_dropped():
    """Several looks at one run add up, so that the chance is a little above 0.1 %."""
    runs = np.random.default_rng(2).normal(size=(2000, 10))
    dropped = np.array([any(cannot_catch_up(run[:f], 10) for f in range(2, 10)) for run in runs])
    assert np.mean(dropped & (runs.mean(axis=1) >= 0.0)) <= 0.002
    assert dropped.any()


def test_one_fold_and_the_last_fold_decide_nothing():
    assert not cannot_catch_up(np.array([-1.0]), 10)
    assert not cannot_catch_up(np.full(10, -1.0), 10)


def test_scores_of_a_race():
    X, y = table()
    plain = CrossValidated(STUMP, cv=10).bind(as_table(X, y))
    scorer = CrossValidated(STUMP, cv=10, racing=True).bind(as_table(X, y))
    assert scorer.races
    masks = np.vstack([np.eye(8, dtype=bool), np.ones((1, 8), dtype=bool)])
    best = plain.score(masks[-1:])
    raced = scorer.raced(float(best.value[0]), best.folds[0]).score(masks)
    whole = plain.score(masks)
    run = raced.goals[FOLDS_RUN].astype(int)
    assert (run[2:8] < 10).all()
    assert run[-1] == 10
    for i, f in enumerate(run):
        assert_array_equal(raced.folds[i, :f], whole.folds[i, :f])
    assert_array_equal(raced.value[run == 10], whole.value[run == 10])
    assert (raced.value[run < 10] < best.value[0]).all()
    assert_allclose(raced.value, raced.folds.mean(axis=1))
    assert_array_equal(scorer.score(masks).goals[FOLDS_RUN], 10)


def test_an_estimator_without_any_twin_races():
    X, y = table(200)
    tree = DecisionTreeClassifier(ccp_alpha=0.01, random_state=0)
    selector = fewest.SubsetSelector(tree, search="sfs", cv=10, racing=True, random_state=0)
    assert any("Racing dropped" in note for note in selector.fit(X, y).result_.notes)


def test_a_search_races_the_same_with_any_number_of_workers():
    X, y = table()
    settings = {"search": "sffs", "cv": 10, "random_state": 0, "racing": True, "max_features": 4}
    one = fewest.SubsetSelector(STUMP, **settings).fit(X, y)
    two = fewest.SubsetSelector(STUMP, **settings, n_jobs=2).fit(X, y)
    assert one.result_.features == two.result_.features
    assert one.result_.score == two.result_.score
    assert one.result_.notes == two.result_.notes
    assert any(note.startswith("Racing dropped ") for note in one.result_.notes)
    assert "racing=True" in one.result_.settings["measure"]


def test_a_race_resumes(tmp_path):
    X, y = table()
    settings = {"search": "sfs", "cv": 10, "random_state": 0, "racing": True}
    whole = fewest.SubsetSelector(STUMP, **settings).fit(X, y).result_
    journal = tmp_path / "run.jsonl"
    fewest.SubsetSelector(STUMP, **settings, journal=journal).fit(X, y)
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[: len(lines) // 2]))
    again = fewest.SubsetSelector(STUMP, **settings, journal=journal).fit(X, y).result_
    assert again.notes == whole.notes
    assert again.score == whole.score
    assert again.archive == whole.archive


def test_without_racing_nothing_is_said():
    X, y = table(100)
    result = fewest.SubsetSelector(STUMP, search="sfs", cv=5, random_state=0).fit(X, y).result_
    assert not any("acing" in note for note in result.notes)


def test_fast_paths_do_not_race():
    X, y = table(100)
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=5, racing=True)
    notes = selector.fit(X, y).result_.notes
    assert "Racing has no effect here: nothing is trained, all folds are scored at once." in (notes)


def test_filters_have_no_folds():
    with pytest.raises(MismatchError, match="`racing` must go with an estimator"):
        fewest.SubsetSelector("cfs", search="sfs", racing=True).fit(*table(50))
