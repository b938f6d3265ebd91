"""The cross-fitted path: rankings inside training parts, sizes judged on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest.errors import InputError
from fewest.run.result import Result
from fewest.search.curve import Curve
from fewest.search.path import Path, grid, mean_of_ranks


def signal(rows=120, noise=12, seed=0):
    """Two columns that matter, the first more than the second, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 2 + noise))
    y = (2.0 * X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=rows) > 0).astype(int)
    return X, y


def selector(model, **given):
    sources = given.pop("sources", ("elimination", "l1"))
    return fewest.SubsetSelector(
        model, search=Path(sources=sources, **given.pop("path", {})), random_state=0, **given
    )


def test_it_finds_what_matters_and_little_else():
    X, y = signal()
    found = selector(DecisionTreeClassifier(max_depth=3, random_state=0)).fit(X, y)
    assert found.support_[0]
    assert found.n_features_ <= 4
    assert found.result_.curve.size == found.n_features_


def test_every_point_is_judged_on_rows_that_its_ranking_has_not_seen():
    X, y = signal(rows=60)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, y))
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    one = {"sources": ("elimination",), "path": {"probes": False}}
    curve = selector(model, cv=folds, **one).fit(X, y).result_.curve
    for fold, (train, test) in enumerate(folds):
        order = _eliminated(model, X[train], y[train])
        for size, scores in zip(curve.sizes, curve.folds, strict=True):
            chosen = np.sort(order[:size])
            if size > 0:
                fitted = model.fit(X[train][:, chosen], y[train])
                assert scores[fold] == pytest.approx(fitted.score(X[test][:, chosen], y[test]))


def _eliminated(model, X, y):
    """The same elimination, written out."""
    inside, order = list(range(X.shape[1])), []
    while len(inside) > 1:
        values = model.fit(X[:, inside], y).feature_importances_
        ranked = [inside[i] for i in np.argsort(-values, kind="stable")]
        keep = max(1, min(len(inside) - 1, int(0.8 * len(inside))))
        order = ranked[keep:] + order
        inside = sorted(ranked[:keep])
    return np.array(inside + order)


def test_constraints_groups_and_no_feature_at_all():
    X, y = signal()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    kept = selector(tree, include=[5], exclude=[0], max_features=3).fit(X, y)
    assert kept.support_[5]
    assert not kept.support_[0]
    assert kept.n_features_ <= 3
    together = selector(tree, groups=[[0, 7]]).fit(X, y)
    assert together.support_[0] == together.support_[7]
    rng = np.random.default_rng(3)
    noise = selector(tree, min_features=0).fit(rng.normal(size=(80, 6)), np.arange(80) % 2)
    assert noise.n_features_ <= 1
    assert 0 in noise.result_.curve.sizes


def test_the_same_answer_with_workers_and_from_a_journal(tmp_path):
    X, y = signal()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    alone = selector(tree).fit(X, y)
    journal = tmp_path / "run.jsonl"
    recorded = selector(tree, n_jobs=2, journal=journal).fit(X, y)
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    resumed = selector(tree, journal=journal).fit(X, y)
    for other in (recorded, resumed):
        assert other.support_.tolist() == alone.support_.tolist()
        assert other.result_.curve.folds.tolist() == alone.result_.curve.folds.tolist()


def test_a_model_without_importances_uses_the_other_sources():
    X, y = signal()
    found = selector(SVC(), sources=("elimination", "l1")).fit(X, y)
    assert found.support_[0]
    with pytest.raises(InputError, match="it gives no importances"):
        selector(SVC(), sources=("elimination",)).fit(X, y)


@pytest.mark.parametrize("sources", [(), ("gain",), "l1"])
def test_sources_are_checked(sources):
    with pytest.raises(InputError, match="`sources` of Path must name one or more of"):
        Path(sources=sources).check_parameters()


def test_the_curve_survives_saving(tmp_path):
    X, y = signal()
    result = selector(LogisticRegression()).fit(X, y).result_
    result.save(tmp_path / "r.json")
    again = Result.load(tmp_path / "r.json").curve
    assert again.sizes.tolist() == result.curve.sizes.tolist()
    np.testing.assert_allclose(again.folds, result.curve.folds)
    assert again.size == result.curve.size


def test_the_honest_score_chooses_the_size_without_the_fold():
    folds = np.array([[0.5, 0.5, 0.5], [0.9, 0.6, 0.6], [0.6, 0.8, 0.8]])
    curve = Curve(np.array([1, 2, 3]), folds, 0.0)
    # Without fold 0 size 3 is best; without fold 1 or 2, size 2 has 0.75 and size 3 has 0.7.
    assert curve.honest.tolist() == [0.6, 0.6, 0.6]
    assert curve.size == 3
    low, high = curve.interval(np.array([0.6, 0.7, 0.8]))
    # Mean 0.7, variance 0.01, corrected by 1/3 + 1/2, t with 2 degrees of freedom is 4.303.
    assert (high - low) / 2 == pytest.approx(4.3027 * np.sqrt(0.01 * (1 / 3 + 1 / 2)), rel=1e-4)


def test_grids_and_ranks():
    assert grid(1) == []
    assert grid(5) == [1, 2, 3, 4]
    assert mean_of_ranks([np.array([1.0, 2.0])]).tolist() == [1, 0]
    assert mean_of_ranks([np.array([1.0, 1.0])]).tolist() == [0, 1]
