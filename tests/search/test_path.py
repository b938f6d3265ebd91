"""The cross-fitted path: rankings inside training parts, sizes judged on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._errors import InputError
from fewest._run.result import Result
from fewest.data._as_table import as_table
from fewest.measures._models_by_name import named_estimator
from fewest.measures._wrappers.importances import own_importances, proxy_measure
from fewest.measures._wrappers.line import fast_scorer
from fewest.search._curve import Curve
from fewest.search._path import Path, grid, mean_of_ranks


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


def test_halves_of_the_folds_choose_the_size_and_the_others_judge_it():
    # Equal sizes: all folds choose the luckier one, and its luck is taken off in large part.
    rng = np.random.default_rng(0)
    flattered, honest = [], []
    for _ in range(60):
        curve = Curve(np.array([1, 2, 3, 4]), rng.normal(0.7, 0.05, (4, 10)), 0.0)
        flattered.append(curve.mean[curve.chosen] - 0.7)
        honest.append(curve.honest.mean() - 0.7)
    assert np.mean(flattered) > 0.01
    assert abs(np.mean(honest)) < 0.004
    known = Curve(np.array([0, 2]), np.tile([[0.5], [0.8]], 10), 0.0)
    assert known.judged(np.array([0.1, 0.02])) == pytest.approx(0.78)


def test_the_honest_score_chooses_the_size_without_the_fold():
    folds = np.array([[0.5, 0.5, 0.5], [0.9, 0.6, 0.6], [0.6, 0.8, 0.8]])
    curve = Curve(np.array([1, 20, 400]), folds, 0.0)
    # Without fold 0 size 400 is best; without fold 1 or 2, size 20 has 0.75 and 400 has 0.7.
    assert curve.honest == pytest.approx(0.6)
    assert curve.size == 400
    low, high = curve.interval(np.array([0.6, 0.7, 0.8]))
    # Mean 0.7, variance 0.01, corrected by 1/3 + 1/2, t with 2 degrees of freedom is 4.303.
    assert (high - low) / 2 == pytest.approx(4.3027 * np.sqrt(0.01 * (1 / 3 + 1 / 2)), rel=1e-4)


def test_the_size_is_the_median_of_the_choices_in_resamplings_of_the_folds():
    sizes = np.array([0, 1, 2, 3, 5, 8, 12])
    for seed in range(8):
        folds = 0.8 + 0.03 * np.random.default_rng(seed).normal(size=(7, 5))
        folds += 0.02 * np.log1p(sizes)[:, None]
        chosen = []
        for weights in np.random.default_rng(0).dirichlet([1.0] * 5, 201):
            means = [sum(w * score for w, score in zip(weights, row, strict=True)) for row in folds]
            chosen.append(
                next(s for s, m in zip(sizes, means, strict=True) if m >= max(means) - 0.005)
            )
        assert Curve(sizes, folds, 0.005).size == sorted(chosen)[100]


def test_one_lucky_fold_does_not_ask_for_more_features():
    folds = np.full((2, 5), 0.9)
    folds[1, 4] = 0.926
    # The mean is better by 0.0052, more than the tolerance, but on one fold only.
    assert Curve(np.array([1, 20]), folds, 0.005).size == 1
    folds[1] = 0.9052
    assert Curve(np.array([1, 20]), folds, 0.005).size == 20


def test_r2_on_the_curve_is_that_of_all_predictions_at_once():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = X[:, 0] + rng.normal(size=40)
    found = selector("linear-regression", cv=10).fit(X, y).result_
    predicted = cross_val_predict(LinearRegression(), X, y, cv=10)
    assert found.honest["baseline"] == pytest.approx(r2_score(y, predicted))
    assert found.curve.everything.mean() == pytest.approx(r2_score(y, predicted))


def test_grids_and_ranks():
    assert grid(1) == []
    assert grid(5) == [1, 2, 3, 4]
    assert mean_of_ranks([np.array([1.0, 2.0])]).tolist() == [1, 0]
    assert mean_of_ranks([np.array([1.0, 1.0])]).tolist() == [0, 1]


def test_choose_sets_the_tolerance_or_the_size():
    X, y = signal(rows=80, noise=4)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    found = {
        choose: selector(tree, choose=choose).fit(X, y).result_.curve.tolerance
        for choose in ("fewest", "best", 0.03)
    }
    assert found == {"fewest": 0.005, "best": 0.0, 0.03: 0.03}
    sized = selector(tree, choose=3).fit(X, y).result_
    assert sized.n_features == sized.curve.size == 3
    assert sized.curve.without_fold == [sized.curve.chosen] * sized.curve.folds.shape[1]
    assert sized.stopped == "the size 3 was asked for"
    with pytest.raises(InputError, match='must be "fewest", "best", a size or a tolerance'):
        selector(tree, choose="one-se").fit(X, y)


@pytest.mark.parametrize("size", [1, 5, 7, 9])
def test_sizes_between_those_of_the_grid_can_be_asked_for(size):
    X, y = signal(rows=80, noise=9)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    fitted = selector(tree, min_features=size, max_features=size).fit(X, y)
    assert fitted.support_.sum() == size
    assert selector(tree, choose=size).fit(X, y).support_.sum() == size


def test_the_default_follows_the_path_to_a_size_that_is_asked_for():
    X, y = signal(rows=80, noise=9)
    fitted = fewest.SubsetSelector("gaussian-nb", choose=5, random_state=0).fit(X, y)
    assert fitted.result_.search == "path"
    assert fitted.support_.sum() == 5
    assert fitted.result_.curve.sizes.max() > 5


def test_a_size_between_groups_gets_a_sentence():
    X, y = signal(rows=80, noise=4)
    groups = [[i, i + 1] for i in range(0, X.shape[1] - 1, 2)]
    given = {"groups": groups, "exclude": [X.shape[1] - 1] if X.shape[1] % 2 else None}
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    assert selector(tree, min_features=3, max_features=4, **given).fit(X, y).support_.sum() == 4
    with pytest.raises(InputError, match="near it are 2 and 4"):
        selector(tree, choose=3, **given).fit(X, y)


def test_the_honest_number_is_that_of_the_curve_beside_all_features():
    X, y = signal()
    folds = list(StratifiedKFold(4, shuffle=True, random_state=1).split(X, y))
    model = LogisticRegression()
    result = selector(model, cv=folds).fit(X, y).result_
    honest = result.honest
    assert honest["scores"] == pytest.approx(result.curve.honest.tolist())
    assert honest["baseline_scores"] == pytest.approx(cross_val_score(model, X, y, cv=folds))
    assert result.corrected is None
    # The features of a fold, trained on its other rows, have its honest score.
    for fold, (train, test) in enumerate(folds):
        kept = np.array(honest["supports"][fold])
        fitted = model.fit(X[train][:, kept], y[train])
        assert honest["scores"][fold] == pytest.approx(fitted.score(X[test][:, kept], y[test]))


def test_on_noise_no_feature_is_the_answer_and_the_model_still_predicts():
    kept = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(90, 12)), np.arange(90) % 3 % 2
        found = fewest.SubsetSelector("gaussian-nb", random_state=0).fit(X, y)
        kept.append(found.n_features_)
    assert kept == [0] * 5
    with pytest.warns(UserWarning, match="No features were selected"):
        assert found.transform(X).shape == (90, 0)
    assert set(found.predict(X)) == {0}
    assert "shuffled copies" in found.result_.stopped
    assert "No feature was chosen" in " ".join(found.result_.notes)
    one = fewest.SubsetSelector("gaussian-nb", min_features=1, random_state=0).fit(X, y)
    assert one.n_features_ >= 1


def test_features_that_do_not_beat_their_copies_come_last():
    X, y = signal(rows=200, noise=30)
    found = selector(LogisticRegression()).fit(X, y)
    assert found.support_[:2].all()
    assert found.n_features_ <= 4
    # Without probes, sizes go on to all features.
    plain = selector(LogisticRegression(), path={"probes": False}).fit(X, y).result_.curve
    assert found.result_.curve.sizes[-2] < plain.sizes[-2] < plain.sizes[-1] == 32


def test_none_needs_a_test_on_the_curve_where_no_feature_is_related():
    folds = np.array([[0.5] * 5, [0.58, 0.42, 0.55, 0.49, 0.56]])
    sizes = np.array([0, 3])
    assert Curve(sizes, folds, 0.005, related=True).size == 3
    assert Curve(sizes, folds, 0.005, related=False).size == 0
    better = np.array([[0.5] * 5, [0.95, 0.94, 0.95, 0.93, 0.95]])
    assert Curve(sizes, better, 0.005, related=False).size == 3


def test_none_needs_to_be_enough_in_nearly_all_resamplings():
    sizes = np.array([0, 1, 2])
    # As good as two features on average, and in half of the resamplings.
    folds = np.array([[0.6] * 6, [0.5] * 6, [0.5, 0.7, 0.55, 0.65, 0.52, 0.68]])
    assert Curve(sizes, folds, 0.005).size == 2
    # A model that always predicts the same class is no better in any of them.
    assert Curve(sizes, np.full((3, 6), 0.6), 0.005).size == 0


def test_what_is_related_without_a_fold_decides_about_that_fold():
    folds = np.array([[0.5] * 5, [0.58, 0.42, 0.55, 0.49, 0.56]])
    known = Curve(np.array([0, 3]), folds, 0.005, related_without=[True] * 4 + [False])
    assert known.without_fold == [1, 1, 1, 1, 0]
    assert Curve.of(known.to_dict()).without_fold == known.without_fold
    assert Curve(np.array([0, 3]), folds, 0.005, related=False).without_fold == [0] * 5


@pytest.mark.parametrize("model", ["lightgbm(verbosity=-1)", "hist-gradient-boosting"])
def test_boosters_rank_by_gain(model):
    if model.startswith("lightgbm"):
        pytest.importorskip("lightgbm")
    X, y = signal(rows=150, noise=6)
    estimator = named_estimator(model).fit(X, y)
    values = own_importances(estimator)
    assert len(values) == 8
    assert values[0] == values.max() > 0
    if model.startswith("lightgbm"):
        np.testing.assert_allclose(values, estimator.booster_.feature_importance("gain"))


def test_gains_of_nominal_columns_go_to_their_own_place():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=200), rng.integers(4, size=200), rng.normal(size=200)])
    y = (X[:, 1] > 1).astype(int)
    model = HistGradientBoostingClassifier(categorical_features=[1], max_iter=5).fit(X, y)
    assert own_importances(model).argmax() == 1


class Counted(DecisionTreeClassifier):
    fits = 0

    def fit(self, X, y, **given):
        Counted.fits += 1
        return super().fit(X, y, **given)


def test_the_budget_of_trainings_is_announced_and_kept(capsys):
    X, y = signal(noise=18)
    model = Counted(max_depth=3, random_state=0)
    found = fewest.SubsetSelector(model, random_state=0, verbose=1, refit=False).fit(X, y)
    most = Path().most_trainings(20, 5)
    assert f"at most {most} trainings" in found.result_.notes[-1]
    assert f"at most {most} trainings" in capsys.readouterr().err
    assert most / 2 < Counted.fits <= most


def test_voters_of_a_table_with_few_rows_need_no_training():
    rng = np.random.default_rng(0)
    table = as_table(rng.normal(size=(40, 60)), np.arange(40) % 2)
    measure = proxy_measure(table)
    splits = tuple(StratifiedKFold(5).split(table.values, table.target))
    scorer = fast_scorer(measure.estimator, table, splits, measure.scoring)
    assert scorer.doubted(rng.random((50, 60)) < 0.5) == 0.0


def test_voters_of_columns_that_depend_on_each_other_need_no_training():
    data = fewest.load("zoo")
    X = np.column_stack([np.asarray(data.X[name]) == "true" for name in data.X][:14]).astype(float)
    X = np.column_stack([X, X[:, :2].sum(axis=1), X[:, 2:5].sum(axis=1)])
    measure = fewest.measures.CrossValidated(SVC(), cv=5)
    scorer = measure.bind(as_table(X, data.y), np.random.default_rng(0))
    proxy = scorer.proxy(0)
    some = np.random.default_rng(1).random((30, X.shape[1])) < 0.5
    some[:, 0] = True
    assert proxy.measure.scoring is None
    assert proxy.scorer(0).doubted(some) == 0.0
