"""The figures of a validation as plain data."""

import json
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest import FeatureWeighter, validate
from fewest._errors import InputError
from fewest._validation.comparison import Comparison
from fewest._validation.schemes import (
    affordable_scheme,
    auto_folds,
    check_way,
    default_margin,
    estimates,
    external_splits,
    metric_name,
    out_of_one,
    own_scoring,
    settings_of,
)
from fewest._validation.selections import judge_weights
from fewest._validation.significance import Overlap, difference, interval, standard_error
from fewest._validation.validation import (
    Validation,
    internal_and_external,
    jaccard,
    kuncheva,
    nogueira,
    score_generations,
)
from fewest.classifiers import NearestNeighbor
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.search._curve import Curve
from fewest.testing import toy_table
from fewest.testing._results import toy_result, toy_validation

NAMES, SUPPORT = [f"f{j}" for j in range(6)], np.arange(6) < 2


def test_plain_data_and_back():
    validation = toy_validation(NAMES, SUPPORT)
    again = Validation.from_dict(validation.to_dict())
    assert again.to_dict() == validation.to_dict()
    assert again.overlap == Overlap(1.0, halves=True)


def test_results_saved_before_the_overlap_was_kept_still_load():
    plain = toy_validation(NAMES, SUPPORT).to_dict()
    for key in ("overlap", "margin", "difference", "interval", "worthless", "selection_metric"):
        plain.pop(key)
    old = Validation.from_dict(plain)
    assert old.splits_overlap == Overlap(1.0, halves=True)
    assert old.margin == 0.01


def test_interval_and_difference_use_the_overlap_of_the_splits():
    v = toy_validation(NAMES, SUPPORT)
    v = replace(v, overlap=Overlap(0.25), margin=0.03)
    # One repetition of five folds, a quarter of which overlaps: 1/5 + 1/4 of the variance.
    least = np.sqrt((1 / 5 + 1 / 4) * v.scores.var(ddof=1))
    assert v.interval == pytest.approx(interval(v.scores, Overlap(0.25), least=least))
    assert v.difference == difference(v.scores, v.baseline_scores, Overlap(0.25), 0.03)


def test_scores_of_another_metric_have_no_optimism():
    v = toy_validation(NAMES, SUPPORT, illusion=True)
    assert v.misleading
    assert v.optimism == pytest.approx(0.9 - v.score)
    v = replace(v, selection_metric="roc_auc")
    assert v.optimism is None
    assert not v.misleading
    assert v.warning() is None


def test_no_better_than_guessing_is_a_field():
    v = toy_validation(NAMES, SUPPORT, illusion=True)
    v = replace(v, guessing=0.5)
    assert v.worthless
    assert v.to_dict()["worthless"] is True
    assert "no better than guessing" in v.warning()
    v = replace(v, guessing=0.2)
    assert not v.worthless


def test_the_older_name_of_the_score_warns():
    v = toy_validation(["a", "b"], np.array([True, False]))
    with pytest.warns(FutureWarning, match="`accuracy` is called `score` since version 0.3"):
        assert v.accuracy == v.score
    old = {name: value for name, value in v.to_dict().items() if name != "score"}
    assert Validation.from_dict(old).score == v.score


def test_validations_do_not_change():
    with pytest.raises(FrozenInstanceError):
        toy_validation(["a", "b"], np.array([True, False])).score = 1.0


def taking(seconds, **options):
    result = toy_result(**options)
    result.extra["operations"] = seconds * 1e9
    return result


def test_what_is_asked_for_is_done():
    slow = taking(1e6)
    assert estimates("nested", slow, limited=False) == (True, False, [])
    assert estimates("corrected", slow, limited=False) == (False, True, [])
    assert estimates("none", slow, limited=False) == (False, False, [])


def test_quick_searches_get_both():
    assert estimates("auto", taking(0.5), limited=False) == (True, True, [])
    assert estimates("auto", taking(5.0), limited=False) == (True, False, [])


def test_slow_searches_are_replayed_and_it_is_said():
    nested, replayed, (note,) = estimates("auto", taking(600.0), limited=False)
    assert (nested, replayed) == (False, True)
    assert note.startswith("Nested validation would take about 324 minutes, so")
    assert estimates("auto", taking(600.0), limited=True)[0]


def test_filters_have_nothing_to_replay():
    nested, replayed, (note,) = estimates("auto", taking(600.0, folds=False), limited=False)
    assert (nested, replayed) == (False, False)
    assert "so it was left out" in note
    assert estimates("auto", taking(0.1, folds=False), limited=False) == (True, False, [])


def test_a_curve_has_judged_the_procedure_already():
    result = taking(0.5)
    curve = Curve(np.array([0, 2]), np.array([[0.5, 0.6], [0.8, 0.9]]), 0.005)
    result.extra["curve"] = curve.to_dict()
    assert estimates("auto", result, limited=False) == (False, False, [])
    assert estimates("nested", result, limited=False) == (True, False, [])


def test_other_words_are_refused():
    check_way("corrected")
    with pytest.raises(InputError, match="`--validate` must be one of auto, nested, corrected"):
        check_way("yes")


def test_longer_schemes_are_dearer():
    # 5x2cv is five passes over the rows, 1x10cv nine, 2x2cv two, auto at least 27.
    nested = {
        scheme: estimates("auto", taking(40.0), limited=False, scheme=scheme)[0]
        for scheme in ("5x2cv", "1x10cv", "2x2cv")
    }
    assert nested == {"5x2cv": True, "1x10cv": False, "2x2cv": True}
    assert affordable_scheme("auto", taking(5.0), limited=False) == "auto"
    assert affordable_scheme("auto", taking(40.0), limited=False) == "5x2cv"
    assert affordable_scheme("auto", taking(5.0), limited=True) == "5x2cv"
    assert affordable_scheme("1x10cv", taking(40.0), limited=True) == "1x10cv"


def leaking(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 5))
    y = (X[:, 0] + rng.normal(size=rows) > 0).astype(int)
    X[:, 4] = y + 0.01 * rng.normal(size=rows)
    return X, y


def test_an_excluded_leak_is_not_in_the_baseline():
    X, y = leaking()
    selector = fewest.SubsetSelector("lda", search="sfs", exclude=[4], random_state=0)
    found = fewest.validate(selector, X, y, scheme="1x3cv", random_state=0)
    assert found.baseline < 0.9
    without = fewest.SubsetSelector("lda", search="sfs", random_state=0)
    expected = fewest.validate(without, X[:, :4], y, scheme="1x3cv", random_state=0)
    assert found.baseline == pytest.approx(expected.baseline)
    assert selector.fit(X, y).allowed_.tolist() == [True] * 4 + [False]
    assert selector.result_.n_allowed == 4


def test_nor_in_the_replayed_baseline():
    X, y = leaking()
    selector = fewest.SubsetSelector("lda", search="sfs", exclude=[4], random_state=0).fit(X, y)
    corrected = fewest.corrected_score(selector, X, y)
    assert np.mean(corrected.all_scores) < 0.9


def test_each_distinct_subset_is_judged_once():
    asked = []

    def judge(masks):
        asked.append(masks.copy())
        return masks @ np.array([1.0, 10.0, 100.0])

    history = [
        {"generation": g, "best_features": best} for g, best in enumerate(([0], [0], [1, 2], None))
    ]
    told = score_generations(history, 3, judge)
    assert [e["honest"] for e in told] == [1.0, 1.0, 110.0, None]
    assert [len(masks) for masks in asked] == [2]


@pytest.mark.parametrize("internal", [True, False])
def test_generations_without_a_best_are_left_out(internal):
    entry = {"generation": 0, "best_so_far": 0.9, "best_size": 2, "honest": 0.8}
    folds = internal_and_external([[entry, {**entry, "honest": None}]], internal)
    assert folds == [
        [{"generation": 0, "internal": 0.9 if internal else None, "external": 0.8, "size": 2}]
    ]


def test_validate_ends_where_the_last_generation_ends():
    from sklearn.datasets import load_iris

    import fewest

    X, y = load_iris(return_X_y=True, as_frame=True)
    selector = fewest.SubsetSelector("naive-bayes", search="exhaustive", max_features=2)
    validation = fewest.validate(selector, X, y, scheme="1x3cv", random_state=0)
    for history, score in zip(validation.history, validation.scores, strict=True):
        assert history[-1]["honest"] == score
    plain = validation.to_dict()["by_generation"]
    assert [fold[-1]["external"] for fold in plain] == validation.scores.tolist()


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


X, Y = np.zeros((100, 1)), np.arange(100) % 2


def overlap(splitter):
    return Overlap.of(list(splitter.split(X, Y)))


def test_repetitions_do_not_shrink_the_share_of_test_rows():
    # Five folds leave 20 of 100 rows out, whether once or four times: 20 / 80.
    assert overlap(StratifiedKFold(5)) == Overlap(0.25)
    assert overlap(RepeatedStratifiedKFold(n_splits=5, n_repeats=4)) == Overlap(0.25)


def test_a_splitter_that_draws_has_the_share_it_draws():
    assert overlap(ShuffleSplit(7, test_size=0.1, train_size=0.5)) == Overlap(pytest.approx(0.2))


@pytest.mark.parametrize("kind", [RepeatedKFold, RepeatedStratifiedKFold])
def test_five_times_two_halves_are_known_however_they_are_made(kind):
    assert overlap(kind(n_splits=2, n_repeats=5, random_state=0)) == Overlap(1.0, halves=True)
    assert not overlap(kind(n_splits=2, n_repeats=4, random_state=0)).halves
    # Ten splits that are no halves.
    assert not overlap(KFold(10)).halves


def test_independent_splits_have_no_overlap():
    parts = np.arange(60).reshape(6, 10)
    assert Overlap.of([(parts[i], parts[i + 1]) for i in (0, 2, 4)]) == Overlap(0.0)


def test_old_results_are_read_by_the_name_of_their_scheme():
    assert Overlap.named("5x2cv", 10) == Overlap(1.0, halves=True)
    assert Overlap.named("2x5cv", 10) == Overlap(0.25)
    assert Overlap.named("KFold(4)", 4) == Overlap(pytest.approx(1 / 3))


RNG = np.random.default_rng


@pytest.fixture
def table():
    return as_table(np.arange(80.0).reshape(40, 2), np.arange(40) % 2)


def test_a_name_gives_repetitions_of_stratified_folds(table):
    splits = external_splits("3x4cv", table, RNG(0))
    assert len(splits) == 12
    for start in (0, 4, 8):
        tested = np.concatenate([test for _, test in splits[start : start + 4]])
        assert sorted(tested) == list(range(40))
    assert all(np.bincount(table.target[test]).tolist() == [5, 5] for _, test in splits)


def test_groups_stay_on_one_side():
    groups = np.repeat(np.arange(10), 4)
    for y in (np.arange(40) % 2, np.linspace(0.0, 1.0, 40) ** 2):
        table = as_table(np.arange(80.0).reshape(40, 2), y, metadata={"groups": groups})
        for train, test in external_splits("2x5cv", table, RNG(0)):
            assert not set(groups[train]) & set(groups[test])


def test_the_folds_of_auto_follow_small_classes_and_groups(table):
    assert auto_folds(table) == 10
    rare = as_table(np.arange(80.0).reshape(40, 2), np.r_[np.zeros(37), np.ones(3)].astype(int))
    assert auto_folds(rare) == 3
    grouped = {"groups": np.repeat(np.arange(5), 8)}
    assert auto_folds(as_table(np.eye(40), np.arange(40) % 2, metadata=grouped)) == 5


def test_a_splitter_is_taken_as_it_is(table):
    splits = external_splits(KFold(4), table, RNG(0))
    assert [test.tolist() for _, test in splits] == np.arange(40).reshape(4, 10).tolist()


def test_too_few_rows_get_a_sentence(table):
    with pytest.raises(InputError, match="which needs at least 60 rows, but there are 40"):
        external_splits("1x30cv", table, RNG(0))
    rare = as_table(np.eye(40), [f"{i % 20}" for i in range(40)])
    with pytest.raises(InputError, match="no class has that many rows"):
        external_splits("1x4cv", rare, RNG(0))


def test_what_the_search_says_of_itself_comes_first():
    table = as_table(*load_iris(return_X_y=True))
    told = {"search": "SFS()", "measure": "MDL()", "seed": 3}
    found = settings_of(SelectKBest(), told, GaussianNB(), "f1_macro", table)
    assert (found["search"], found["measure"], found["scoring"]) == ("SFS()", "MDL()", "'f1_macro'")
    assert "seed" not in found
    assert found["rows"] == 150


def test_other_selectors_are_spelled_out():
    table = as_table(*load_iris(return_X_y=True))
    found = settings_of(SelectKBest(k=2), {}, GaussianNB(), None, table)
    assert found["selector"] == "SelectKBest(k=2)"
    assert found["scoring"] is None


DATA = fewest.load("iris")


@pytest.fixture(scope="module")
def comparison():
    selectors = {name: fewest.SubsetSelector("naive-bayes", search=name) for name in ("sfs", "sbe")}
    return fewest.compare(selectors, DATA, scheme="1x3cv", random_state=0)


def test_a_validation_is_shown_in_a_few_lines(comparison):
    validation = comparison.validations["sfs"]
    assert len(repr(validation)) < 120
    assert str(validation) == validation.summary()
    assert len(str(validation).splitlines()) < 20
    assert f"{100 * validation.score:.1f} %" in str(validation)
    assert "Honest accuracy" in validation._repr_html_()
    frame = validation.to_frame()
    assert frame["score"].tolist() == validation.scores.tolist()
    assert frame["size"].tolist() == validation.sizes


def test_a_comparison_is_shown_in_a_few_lines(comparison):
    assert repr(comparison) == "<Comparison of sfs, sbe and all features>"
    assert "sfs against sbe: p = " in str(comparison)
    assert comparison.to_frame("polars")["method"].to_list() == ["sfs", "sbe", "all features"]


def test_names_of_a_notebook_are_no_markup(comparison):
    text = json.dumps(comparison.to_dict()).replace('"sfs"', '"<b>"')
    named = Comparison.from_dict(json.loads(text))
    assert "<b>" not in named._repr_html_()
    assert "&lt;b&gt;" in named._repr_html_()


def test_a_result_has_two_lengths():
    result = fewest.SubsetSelector("naive-bayes", search="sfs").fit(DATA).result_
    assert len(result.summary().splitlines()) < len(result.summary(details=True).splitlines())


def test_stability_of_the_same_subset_is_one():
    z = np.tile([True, False, True, False, False], (4, 1))
    assert nogueira(z) == kuncheva(z) == jaccard(z) == 1


def test_stability_worked_out_by_hand():
    z = np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool)
    # Kuncheva: r = 1, k = 2, d = 4: (1 - 1) / (2 - 1) = 0. Jaccard: 1 / 3.
    assert kuncheva(z) == 0
    assert jaccard(z) == pytest.approx(1 / 3)
    # Nogueira: two of four features vary with variance 1/2, share 1/2: 1 - (1/4) / (1/4) = 0.
    assert nogueira(z) == pytest.approx(0)


def test_random_subsets_have_stability_near_zero():
    z = np.random.default_rng(0).random((300, 200)) < 0.2
    assert abs(nogueira(z)) < 0.01
    assert abs(kuncheva(z[:60])) < 0.02


def test_one_subset_has_no_stability():
    with pytest.raises(ValueError, match="at least two subsets"):
        nogueira(np.ones((1, 3), dtype=bool))


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_accuracies_are_those_of_the_classifier():
    table = toy_table(60, 4)
    train, test = np.arange(0, 60, 2), np.arange(1, 60, 2)
    weights = np.array([1.0, 0.7, 0.0, 0.1])
    expected = []
    for w in (weights, np.ones(4), np.zeros(4)):
        model = NearestNeighbor(k=3, weights=w).fit(table.values[train], table.target[train])
        expected.append(model.score(table.values[test], table.target[test]))
    given = NearestNeighbor(k=3, weights=weights)
    assert_allclose(judge_weights(given, table, (train, test)), expected)


def test_the_settings_name_the_model_that_judges(iris):
    weighter = FeatureWeighter(NearestNeighbor(k=3), search="random", random_state=0)
    found = validate(weighter, *iris, scheme="1x2cv", random_state=0)
    assert found.settings["estimator"] == "NearestNeighbor(k=3, weights=None, prototypes='all')"


def test_another_model_needs_a_pipeline(iris):
    with pytest.raises(InputError, match="must be None for a FeatureWeighter.*pipeline"):
        validate(FeatureWeighter(), *iris, estimator="naive-bayes")
