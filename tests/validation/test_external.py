import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fewest
from fewest._errors import InputError
from fewest._validation.significance import (
    Overlap,
    corrected_t_test,
    f_test_5x2cv,
    is_steady,
    standard_error,
)
from tests.data.engine.sample import numbers, parquet

X, Y = load_iris(return_X_y=True, as_frame=True)
SFS = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3)


def test_selection_happens_inside_the_external_loop():
    splitter = StratifiedKFold(4, shuffle=True, random_state=0)
    v = fewest.validate(SFS, X, Y, scheme=splitter, random_state=0)
    for fold, (train, test) in enumerate(splitter.split(X, Y)):
        # GaussianNB with fixed folds is deterministic: the same rows, the same selection.
        selector = clone(SFS).fit(X.iloc[train], Y.iloc[train])
        assert np.array_equal(selector.support_, v.supports[fold])
        chosen = X.loc[:, selector.support_]
        model = GaussianNB().fit(chosen.iloc[train], Y.iloc[train])
        assert v.scores[fold] == model.score(chosen.iloc[test], Y.iloc[test])
        everything = GaussianNB().fit(X.iloc[train], Y.iloc[train])
        assert v.baseline_scores[fold] == everything.score(X.iloc[test], Y.iloc[test])


def test_the_figures_belong_together():
    v = fewest.validate(SFS, X, Y, scheme="5x2cv", random_state=0)
    assert len(v.scores) == 10
    assert v.score == pytest.approx(v.scores.mean())
    assert v.std == pytest.approx(v.scores.std(ddof=1))
    assert v.sizes == v.supports.sum(axis=1).tolist()
    assert v.p_value == f_test_5x2cv(v.scores, v.baseline_scores)
    assert set(v.stabilities) == {"nogueira", "kuncheva", "jaccard"}
    assert v.stability == v.stabilities["nogueira"]
    assert v.optimism == pytest.approx(v.selection_score - v.score)


def test_the_same_seed_and_any_workers_give_the_same_figures():
    one, two = (
        fewest.validate(SFS, X, Y, random_state=3, n_jobs=jobs).to_dict() for jobs in (1, 2)
    )
    assert one == two


def test_a_scheme_that_repeats_itself_is_the_same_as_by_name():
    v = fewest.validate(SFS, X, Y, random_state=0)
    repetitions = int(v.scheme.removesuffix("x10cv"))
    assert 3 <= repetitions <= 10
    assert len(v.scores) == 10 * repetitions
    again = fewest.validate(SFS, X, Y, scheme=v.scheme, random_state=0)
    np.testing.assert_array_equal(again.scores, v.scores)
    assert v.test == "corrected paired t test"
    folds = (v.scores, v.baseline_scores, v.splits_overlap, v.margin, 10)
    assert repetitions == 10 or is_steady(*folds)


def test_other_selectors_and_estimators():
    v = fewest.validate(
        SelectKBest(k=2), X, Y, estimator=KNeighborsClassifier(3), scheme="2x3cv", random_state=0
    )
    assert v.sizes == [2] * 6
    assert v.selection_score is None
    assert v.warning() is None
    assert v.test == "corrected paired t test"


def test_filters_are_judged_with_naive_bayes():
    v = fewest.validate(fewest.SubsetSelector("mdl", search="sfs"), X, Y, random_state=0)
    assert v.score > 0.9


@pytest.mark.parametrize("scheme", ["5x1cv", "0x2cv", "ten", 5, None])
def test_wrong_schemes_get_a_sentence(scheme):
    with pytest.raises(InputError, match='`scheme` must be "auto", like "5x2cv"'):
        fewest.validate(SFS, X, Y, scheme=scheme)


def test_a_journal_inside_is_refused(tmp_path):
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3, journal=tmp_path / "j")
    with pytest.raises(InputError, match="`journal` must be None"):
        fewest.validate(selector, X, Y, scheme=KFold(2))


def test_noise_is_told_from_signal():
    rng = np.random.default_rng(1)
    noise, labels = rng.normal(size=(60, 200)), np.arange(60) % 2
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=5)
    v = fewest.validate(selector, noise, labels, random_state=0)
    assert v.selection_score > 0.75
    assert abs(v.score - 0.5) < 0.12
    assert "illusion" in v.warning()
    assert v.guessing == 0.5
    assert "no better than guessing" in v.warning()
    assert fewest.validate(SFS, X, Y, random_state=0).warning() is None


def test_the_selectors_own_scoring_judges_it():
    rng = np.random.default_rng(0)
    labels = (rng.random(120) < 0.15).astype(int)
    data = rng.normal(size=(120, 4)) + labels[:, None] * [1.0, 0.0, 0.0, 0.0]
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3, scoring="roc_auc")
    scheme = StratifiedKFold(3, shuffle=True, random_state=0)
    v = fewest.validate(selector, data, labels, scheme=scheme, random_state=0)
    assert v.metric == "roc_auc"
    assert v.selection_metric is None
    assert v.guessing == 0.5
    for (train, test), support, score in zip(
        scheme.split(data, labels), v.supports, v.scores, strict=True
    ):
        model = GaussianNB().fit(data[train][:, support], labels[train])
        ahead = model.predict_proba(data[test][:, support])[:, 1]
        assert score == pytest.approx(roc_auc_score(labels[test], ahead), rel=1e-12)
    told = fewest.compare({"a": selector}, data, labels, scheme=scheme, random_state=0)
    assert told.validations["a"].metric == "roc_auc"


def test_errors_keep_their_units():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(90, 3))
    target = 100 * data[:, 0] + rng.normal(size=90)
    selector = fewest.SubsetSelector(
        Ridge(), search="sfs", cv=3, scoring="neg_root_mean_squared_error"
    )
    v = fewest.validate(selector, data, target, random_state=0)
    assert v.metric == "neg_root_mean_squared_error"
    assert abs(v.optimism) < 5
    assert v.score < -0.5
    assert v.margin == standard_error(v.baseline_scores, v.splits_overlap)


def test_another_metric_than_that_of_the_search_has_no_optimism():
    v = fewest.validate(SFS, X, Y, scoring="f1_macro", random_state=0)
    assert (v.metric, v.selection_metric, v.optimism) == ("f1_macro", "accuracy", None)


def test_the_statistics_come_from_the_splits():
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    v = fewest.validate(SFS, X, Y, scheme=splitter, random_state=0)
    assert v.overlap == Overlap(0.25)
    assert v.p_value == corrected_t_test(v.scores, v.baseline_scores, Overlap(0.25))
    # Repetitions add no rows: the error is that of one repetition of five folds.
    low, high = v.interval
    error = np.sqrt(np.var(v.scores, ddof=1) * (1 / 5 + 1 / 4))
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 19) * error)
    halves = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    again = fewest.validate(SFS, X, Y, scheme=halves, random_state=0)
    assert again.test == "5×2cv F test"


def test_a_margin_is_kept_and_checked():
    assert fewest.validate(SFS, X, Y, margin=0.05, random_state=0).difference.margin == 0.05
    with pytest.raises(InputError, match="`margin` must be a number of at least 0"):
        fewest.validate(SFS, X, Y, margin=-1)


def test_an_interrupt_is_not_swallowed(monkeypatch):
    """A fold whose selection was cut short would pass for a whole one."""
    from fewest._run.execute import Executor

    calls = []
    inner = Executor.score

    def interrupted(self, *given):
        calls.append(1)
        if len(calls) > 8:
            raise KeyboardInterrupt
        return inner(self, *given)

    monkeypatch.setattr(Executor, "score", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fewest.validate(SFS, X, Y, random_state=0)


def test_without_features_the_class_frequencies_are_as_uncertain_as_a_share_of_rows():
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(100, 4)), np.arange(100) % 5 < 2
    found = fewest.SubsetSelector("naive-bayes", search="path", random_state=0)
    honest = found.fit(noise, labels.astype(int)).result_.honest
    assert honest["sizes"] == [0] * 10
    # Every fold of ten rows has four of one class and six of the other.
    score = honest["score"]
    assert honest["scores"] == pytest.approx([score] * 10)
    assert score == pytest.approx(0.6, abs=0.01)
    half = stats.t.ppf(0.975, 9) * np.sqrt(score * (1 - score) / 100)
    assert honest["interval"] == pytest.approx([score - half, score + half])


def test_what_the_choice_of_the_model_flatters_is_taken_off():
    rng = np.random.default_rng(5)
    noise, labels = rng.normal(size=(60, 4)), np.arange(60) % 2
    result = fewest.SubsetSelector(choose=2, random_state=0).fit(noise, labels).result_
    flattery = result.extra["models"]["optimism"]
    assert abs(flattery) > 0.01
    honest, curve = result.honest, result.curve
    assert honest["score"] == pytest.approx(curve.honest.mean() - flattery)
    assert honest["baseline"] == pytest.approx(curve.everything.mean() - flattery)


def test_no_feature_is_worth_what_guessing_is_in_fit_and_in_validate():
    rng = np.random.default_rng(2)
    noise, classes = rng.standard_normal((60, 5)), (rng.random(60) < 0.5).astype(int)
    selector = fewest.SubsetSelector("naive-bayes", random_state=0).fit(noise, classes)
    honest = selector.result_.honest
    assert honest["sizes"] == [0] * 10
    assert honest["score"] == pytest.approx(honest["guessing"])
    assert 0.5 <= honest["guessing"] < np.bincount(classes).max() / 60 - 0.02
    found = fewest.validate(selector, noise, classes, scheme="1x5cv", random_state=0)
    assert found.score == found.guessing == pytest.approx(honest["guessing"])


@pytest.mark.parametrize(("estimator", "target"), [(GaussianNB(), "y"), (Ridge(), "z")])
def test_a_table_outside_memory_is_validated_without_the_rows_of_each_fold(
    estimator, target, tmp_path
):
    part = np.arange(600) % 4
    table = numbers().drop(columns="z" if target == "y" else "y").assign(part=part)
    data = fewest.load(parquet(table, tmp_path), target=target)
    selector = fewest.SubsetSelector(estimator, search="sfs", random_state=0, choose="best")
    found = fewest.validate(selector, data.X, data.y, folds="part", random_state=0)
    X, y = table[list("abcd")], table[target]
    for fold in range(4):
        train, test = part != fold, part == fold
        own = clone(selector).set_params(cv=PredefinedSplit(part[train])).fit(X[train], y[train])
        assert found.supports[fold].tolist() == own.support_.tolist()
        models = [(own.support_, found.scores), (np.ones(4, dtype=bool), found.baseline_scores)]
        for support, scores in models:
            model = clone(estimator).fit(X.loc[train, support], y[train])
            wanted = model.score(X.loc[test, support], y[test])
            assert scores[fold] == pytest.approx(wanted, abs=1e-9)
    assert found.scheme == "1x4cv"


def test_folds_of_a_table_outside_memory_are_drawn_and_workers_change_nothing(tmp_path):
    data = fewest.load(parquet(numbers().drop(columns="z"), tmp_path), target="y")
    selector = fewest.SubsetSelector("gaussian-nb", search="sfs", random_state=0)
    one, two, other = (
        fewest.validate(
            clone(selector).set_params(n_jobs=jobs), data, scheme=scheme, random_state=s
        )
        for jobs, scheme, s in ((None, "1x3cv", 0), (2, "1x3cv", 0), (None, "1x3cv", 1))
    )
    np.testing.assert_allclose(one.scores, two.scores, atol=1e-9)
    assert one.scores.tolist() != other.scores.tolist()
    assert one.score > one.guessing + 0.2
    assert len(fewest.validate(selector, data, random_state=0).scores) == 10
    with pytest.raises(InputError, match='`scheme` must be "auto" or once 2 to 100 folds'):
        fewest.validate(selector, data, scheme="2x5cv")
    with pytest.raises(InputError, match="validated for a SubsetSelector whose estimator is tr"):
        fewest.validate(selector, data, estimator=KNeighborsClassifier())


def test_the_path_of_a_table_outside_memory_is_validated_on_its_sample(tmp_path):
    data = fewest.load(parquet(numbers().drop(columns="z"), tmp_path), target="y")
    selector = fewest.SubsetSelector("gaussian-nb", search="path")
    found = fewest.validate(selector, data, scheme="1x3cv", random_state=0)
    assert found.score > found.guessing + 0.2
    assert len(found.scores) == 3
