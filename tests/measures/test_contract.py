"""What all measures stand on: the registry, advice, narrowing, weights, steps."""

from __future__ import annotations

import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from fewest import score_subsets
from fewest._errors import InputError
from fewest._fitting.screen import Narrowed
from fewest.classifiers import NaiveBayes, NearestNeighbor
from fewest.classifiers._trees.tree import ID3
from fewest.data import as_table
from fewest.measures import (
    CrossValidated,
    Measure,
    Scores,
    Weighted,
    _weighted,
    list_measures,
    resolve_measure,
)
from fewest.measures._abilities import Proof, Question
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.measures._description_length import NetworkMeasure
from fewest.measures._filters.rankings import InformationMeasure
from fewest.measures._measure import score_batch
from fewest.measures._measure_names import MEASURES, measure_class
from fewest.measures._models_by_name import (
    ESTIMATORS,
    OTHER_PACKAGES,
    is_estimator_name,
    name_of,
    named_estimator,
)
from fewest.measures._steps import Steps
from fewest.measures._weighted import GRID, calibrated_weights
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.testing import MonotoneTableMeasure, TableMeasure, random_values, toy_table

# What all measures owe: weights of rows, metadata that is read, a title, a task.
WEIGHED = [name for name in MEASURES if "sample_weight" in measure_class(name).reads]
#: Every measure that weighs rows, those of networks with every classifier.
MEASURED = (
    [resolve_measure(name) for name in WEIGHED]
    + [
        measure_class(name)(classifier=classifier)
        for name in ("mdl", "mdl-fs", "call", "log-likelihood", "conditional-log-likelihood")
        for classifier in ("tan", "complete")
        if (name, classifier) != ("conditional-log-likelihood", "complete")
    ]
    + [measure_class("koller-sahami")(neighbours=2)]
)


def mixed_rows(seed=0, n=60):
    rng = np.random.default_rng(seed)
    X = np.empty((n, 5), dtype=object)
    X[:, 0] = rng.choice(list("abc"), n)
    X[:, 1] = rng.choice(list("uv"), n)
    X[:, 2] = rng.normal(size=n).round(1)
    X[:, 3] = rng.choice(["p", "q", None], n)
    X[:, 4] = rng.integers(0, 5, n) + 0.5
    y = np.where((X[:, 0] == "a") | (X[:, 2].astype(float) > 0.5), "yes", "no")
    y[:6] = "maybe"
    return X, y, rng.integers(0, 4, n), rng.random((20, 5)) < 0.5


def test_every_measure_that_counts_weighs_rows():
    counts = (InformationMeasure, NetworkMeasure, Inconsistency)
    assert [name for name in MEASURES if issubclass(measure_class(name), counts)] == WEIGHED


@pytest.mark.filterwarnings("ignore:.*contradict")
@pytest.mark.parametrize("measure", MEASURED, ids=repr)
def test_whole_weights_are_repeated_rows(measure):
    X, y, weight, subsets = mixed_rows()
    rows = np.repeat(np.arange(len(y)), weight)
    weighed = measure.bind(as_table(X, y, metadata={"sample_weight": weight}))
    value = weighed.score(subsets).value
    expected = measure.bind(as_table(X[rows], y[rows])).score(subsets).value
    assert_allclose(value, expected, rtol=1e-12, atol=1e-12)
    assert np.abs(value - measure.bind(as_table(X, y)).score(subsets).value).max() > 1e-3


@pytest.mark.parametrize("name", [n for n in WEIGHED if n != "inconsistency"])
def test_weights_of_one_change_nothing(name):
    X, y, _, subsets = mixed_rows()
    measure = resolve_measure(name)
    value = measure.bind(as_table(X, y, metadata={"sample_weight": np.ones(60)}))
    expected = measure.bind(as_table(X, y)).score(subsets).value
    np.testing.assert_array_equal(value.score(subsets).value, expected)


@pytest.mark.parametrize("name", ["cfs", "relieff", "inconsistency", "mdl-fs"])
def test_metadata_that_nobody_reads_is_refused(name):
    measure = resolve_measure(name)
    with pytest.raises(InputError, match=f"`sampel_weight` is not used by the measure `{name}`"):
        measure.check_metadata(["sampel_weight"])
    with pytest.raises(InputError, match="`groups` is not used by"):
        measure.check_metadata({"groups": [1, 2]})


def test_a_filter_without_weights_says_so():
    with pytest.raises(InputError, match="by the measure `relieff`: leave `sample_weight` out"):
        resolve_measure("relieff").check_metadata(["sample_weight"])


@pytest.mark.parametrize(
    ("measure", "title"),
    [
        ("cfs", "cfs"),
        ("linear-regression", "linear-regression"),
        (LinearRegression(), "linear-regression"),
        (Ridge(), "Ridge"),
        (GaussianNB(), "gaussian-nb"),
        ("nearest-neighbor", "nearest-neighbor"),
        (KNeighborsClassifier(5), "KNeighborsClassifier"),
        (make_pipeline(StandardScaler(), Ridge()), "ridge"),
        (make_pipeline(MinMaxScaler(), Ridge()), "Pipeline(MinMaxScaler, Ridge)"),
        (Weighted("c4.5"), "weighted"),
    ],
)
def test_titles(measure, title):
    assert resolve_measure(measure).title == title


def test_estimators_and_tasks():
    assert resolve_measure("cfs").estimator is None
    assert resolve_measure("cfs").task == "classification"
    assert isinstance(CrossValidated(Ridge()).estimator, Ridge)
    assert CrossValidated(Ridge()).task == "regression"
    assert CrossValidated(GaussianNB()).task is None
    assert type(Weighted("c4.5").estimator).__name__ == "C45"


def test_scores_join_and_take():
    one = Scores(np.array([1.0, 2.0]), np.ones((2, 3)), {"nodes": np.array([4.0, 5.0])})
    both = Scores.join([one, one]).take(np.array([3, 0]))
    assert both.value.tolist() == [2.0, 1.0]
    assert both.folds.shape == (2, 3)
    assert both.goals["nodes"].tolist() == [5.0, 4.0]


# Names, estimators and measures become measures; wrong ones a sentence.
def test_names_of_estimators():
    measure = resolve_measure("naive-bayes", cv=4, scoring="f1")
    assert isinstance(measure, CrossValidated)
    assert isinstance(measure.estimator, NaiveBayes)
    assert (measure.cv, measure.scoring) == (4, "f1")
    nearest = resolve_measure("nearest-neighbor").estimator
    assert isinstance(nearest, NearestNeighbor)
    assert nearest.k == 1


@pytest.mark.parametrize("name", MEASURES)
def test_names_of_measures(name):
    measure = resolve_measure(name)
    assert isinstance(measure, Measure)
    assert measure.name == name


def test_estimators_and_measures():
    assert resolve_measure(GaussianNB(), cv=3).cv == 3
    measure = CrossValidated(GaussianNB())
    assert resolve_measure(measure) is measure


def test_unknown_names_and_things():
    with pytest.raises(InputError, match="but is 'naive-bays'. Did you mean naive-bayes?"):
        resolve_measure("naive-bays")
    with pytest.raises(InputError, match="`measure` must be a Measure, the name of one, or a"):
        resolve_measure(3)
    with pytest.raises(InputError, match="`measure` must be a Measure"):
        resolve_measure(GaussianNB)


def test_every_measure_has_a_row_in_the_table():
    rows = list_measures()
    named = [name for name in ESTIMATORS if name not in OTHER_PACKAGES]
    assert [row["name"] for row in rows if row["name"] not in OTHER_PACKAGES] == [*named, *MEASURES]
    assert all(row["summary"] and row["class"] for row in rows)
    assert {row["name"]: row["folds"] for row in rows}["gaussian-nb"]


# Questions have keys that tell them apart.
def test_keys_differ_in_every_field():
    first = np.array([True, False])
    asked = [
        Question(first),
        Question(~first),
        Question(first, 0),
        Question(first, kind="permutation"),
        Question(first, seed=1),
        Question(first, shadows=True),
    ]
    assert len({question.key for question in asked}) == len(asked)
    assert Question(first).key == Question(first.copy()).key


# A scorer of some columns answers as the one of all columns does.
KEPT = np.array([1, 3, 4])


def both(name):
    table, narrow = toy_table(n_features=6), toy_table(n_features=6)
    narrow = type(table)(
        tuple(table.names[j] for j in KEPT), table.values[:, KEPT],
        tuple(table.levels[j] for j in KEPT), table.target, table.classes,
    )  # fmt: skip
    inner = resolve_measure(name, cv=3).bind(narrow, np.random.default_rng(0))
    whole = resolve_measure(name, cv=3).bind(table, np.random.default_rng(0))
    return Narrowed(inner, KEPT, 6), whole


def test_batches_and_steps_have_the_scores_of_the_whole_table():
    for name in ("cfs", "naive-bayes"):
        narrowed, whole = both(name)
        base = np.zeros(6, dtype=bool)
        base[3] = True
        steps = Steps(base, np.array([1, 4, 3]), np.array([1, 1, 0]))
        expected = whole.score(np.asarray(steps)).value
        assert_allclose(narrowed.score(np.asarray(steps)).value, expected)
        assert_allclose(score_batch(narrowed, steps).value, expected)
        assert narrowed.batch == whole.batch
        assert narrowed.on_rows(np.ones(3, dtype=bool)) is None


def test_cuts_are_told_over_all_columns():
    table = toy_table(n_features=3)
    measure = MonotoneTableMeasure(lambda mask: float(mask.all()), threshold=1.0)
    narrowed = Narrowed(measure.bind(table), KEPT, 6)
    assert narrowed.threshold == 1.0
    cut = narrowed.cuts(np.array([0, 1, 0, 0, 0, 0], dtype=bool))
    assert_array_equal(np.flatnonzero(cut[0]), [3, 4])


# What a measure that proves its best subsets is asked.
def test_a_proof_owes_all_of_it():
    with pytest.raises(TypeError, match="abstract"):
        Proof()


def test_a_measure_without_proof_says_so():
    scorer = TableMeasure(random_values(3)).bind(toy_table(n_features=3))
    assert not scorer.proves_best
    with pytest.raises(NotImplementedError):
        scorer.best_subsets(None)


# Steps: what they stand for, and that every scorer gives them the scores of the subsets.
def steps(d=12, seed=0, inside=4):
    rng = np.random.default_rng(seed)
    base = np.zeros(d, dtype=bool)
    base[rng.choice(d, inside, replace=False)] = True
    return Steps(base, np.arange(d), (~base).astype(np.int64))


def test_the_matrix_has_one_change_per_row():
    some = steps()
    rows = np.asarray(some)
    assert rows.shape == some.shape == (12, 12)
    assert ((rows != some.base).sum(axis=1) == 1).all()
    assert some.sizes().tolist() == rows.sum(axis=1).tolist()
    assert some.frequency() == pytest.approx(rows.mean(axis=0))
    np.testing.assert_array_equal(some[5], rows[5])
    np.testing.assert_array_equal(np.asarray(some[[7, 2]]), rows[[7, 2]])
    np.testing.assert_array_equal(np.asarray(some[rows[:, 0]]), rows[rows[:, 0]])
    np.testing.assert_array_equal(np.concatenate([np.asarray(p) for p in some.parts()]), rows)


def test_levels_count_where_they_are_above_zero():
    some = Steps(
        np.array([0, 1, 2], dtype=np.uint8), np.array([0, 1, 1, 2]), np.array([1, 0, 2, 1])
    )
    assert some.gains.tolist() == [1, -1, 0, 0]
    assert some.sizes().tolist() == np.count_nonzero(np.asarray(some), axis=1).tolist()


WITH_STEPS = ["naive-bayes", "information-gain", "gain-ratio", "mrmr", "jmi", "cfs", "cmim"]
WITH_STEPS += ["inconsistency", "id3", "gaussian-nb", "mdl", "mdl-fs", "log-likelihood"]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("name", WITH_STEPS)
def test_steps_score_as_the_subsets_they_stand_for(name, wide, monkeypatch):
    if wide:
        monkeypatch.setattr("fewest.measures._filters.rankings.ALL_PAIRS_UP_TO", 0)
        monkeypatch.setattr("fewest.measures._description_length.ALL_PAIRS_UP_TO", 0)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 90)
    X = rng.normal(size=(90, 12)) + 0.8 * y[:, None] * (np.arange(12) < 5)
    scorer = resolve_measure(name).bind(as_table(X, y), np.random.default_rng(0))
    for some in (steps(), steps(inside=1), steps(inside=0), steps()[steps().gains > 0]):
        expected = scorer.score(np.asarray(some))
        found = score_batch(scorer, some)
        assert found.value.tolist() == expected.value.tolist()
        if expected.folds is not None:
            assert found.folds.tolist() == expected.folds.tolist()


# The weighted sum of goals, against the equations written out.
RNG = np.random.default_rng(0)
X = RNG.random((80, 4))
Y = (X[:, 0] > 0.5).astype(int) ^ (RNG.random(80) < 0.1)
SUBSETS = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 1], [1, 1, 1, 1]], dtype=bool)
ID3_4 = CrossValidated(ID3(), cv=4)


def test_the_equations():
    table = as_table(X, Y)
    plain = ID3_4.bind(table).score(SUBSETS)
    scores = Weighted(ID3_4, weights=(0.5, 0.2, 0.3)).bind(table).score(SUBSETS)
    small = 1 - plain.goals["nodes"] / 80
    thrift = 1 - SUBSETS.sum(axis=1) / 4
    assert scores.value == pytest.approx(0.5 * plain.value + 0.2 * small + 0.3 * thrift)
    assert scores.folds.mean(axis=1) == pytest.approx(scores.value)
    assert scores.goals["accuracy"].tolist() == plain.value.tolist()


def test_costs_and_sizes():
    table = as_table(X, Y)
    measure = Weighted(
        ID3_4, weights=(0.0, 0.5, 0.5), size="leaves", largest=20, costs=[1, 0, 2, 1]
    )
    scores = measure.bind(table).score(SUBSETS)
    leaves = ID3_4.bind(table).score(SUBSETS).goals["leaves"]
    cost = np.array([1, 1, 3, 4])
    assert scores.value == pytest.approx(0.5 * (1 - leaves / 20) + 0.5 * (1 - cost / 4))
    assert scores.goals["cost"].tolist() == cost.tolist()


def test_calibration_takes_weights_of_the_grid_and_repeats():
    table = as_table(X, Y)
    found = [
        Weighted(ID3_4, weights="calibrated").bind(table, np.random.default_rng(5)).weights
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0] in GRID


def test_wrong_input():
    table = as_table(X, Y)
    with pytest.raises(InputError, match="`weights` of Weighted must be three numbers"):
        Weighted("id3", weights=(0.5, 0.2, 0.2)).bind(table)
    with pytest.raises(InputError, match="`costs` of Weighted must hold 4 numbers"):
        Weighted("id3", costs=[1, 2]).bind(table)
    with pytest.raises(InputError, match=r"`size` of Weighted must be a goal .*\(none\)"):
        Weighted(CrossValidated(GaussianNB(), cv=4)).bind(table).score(SUBSETS)


# Weights of several goals are those that hold on other folds.
def scorer_of(accuracy, small, thrift):
    """A scorer whose goals are given functions of the subsets."""

    def parts(subsets):
        value = accuracy(subsets)
        return Scores(value.mean(axis=1), value), small(subsets), thrift(subsets)

    return SimpleNamespace(table=SimpleNamespace(n_features=8), parts=parts)


def sizes(subsets):
    return subsets.mean(axis=1)


def test_accuracy_alone_where_the_other_goals_mislead():
    def accuracy(subsets):
        return np.repeat(sizes(subsets)[:, None], 10, axis=1)

    # The best by accuracy is the full set; every other goal pulls towards the empty one.
    worse = lambda subsets: 50.0 * (1.0 - sizes(subsets))  # noqa: E731
    chosen = calibrated_weights(scorer_of(accuracy, worse, worse), np.random.default_rng(0))
    assert chosen == (1.0, 0.0, 0.0)


def test_the_first_of_equals_is_the_published_one():
    def accuracy(subsets):
        return np.full((len(subsets), 10), 0.5)

    chosen = calibrated_weights(scorer_of(accuracy, sizes, sizes), np.random.default_rng(0))
    assert chosen == GRID[0] == (0.75, 0.125, 0.125)


def test_weights_sum_to_one_and_subsets_are_never_empty():
    assert all(abs(sum(weights) - 1.0) < 1e-12 for weights in GRID)
    seen = []

    def accuracy(subsets):
        seen.append(subsets)
        return np.full((len(subsets), 4), 0.5)

    calibrated_weights(scorer_of(accuracy, sizes, sizes), np.random.default_rng(1))
    assert len(seen[0]) == _weighted.SUBSETS
    assert seen[0].any(axis=1).all()


#
@pytest.mark.parametrize("name", [n for n in ESTIMATORS if n not in OTHER_PACKAGES])
def test_every_name_is_a_model_that_knows_its_name(name):
    model = named_estimator(name)
    assert is_classifier(model) or is_regressor(model)
    assert name_of(model) == name


def test_parameters_are_literals():
    assert named_estimator("k-nn(n_neighbors=3, weights='distance')")[-1].n_neighbors == 3
    assert named_estimator("random-forest(random_state=7)").random_state == 7
    for wrong in ("svc(C=open('x'))", "svc(1)", "svc(C=)", "svc(**{})"):
        with pytest.raises(InputError, match="literals only"):
            named_estimator(wrong)


def test_mistakes_are_named():
    with pytest.raises(InputError, match="but is 'naive-byes'. Did you mean naive-bayes"):
        named_estimator("naive-byes")
    with pytest.raises(InputError, match="Did you mean logistic-regression"):
        named_estimator("logistic-regresion(C=1)")
    with pytest.raises(InputError, match="`svc` has no parameter `kernal`. Did you mean kernel"):
        named_estimator("svc(kernal='rbf')")
    assert not is_estimator_name("inconsistency")
    assert is_estimator_name("svc(C=1)")


@pytest.mark.parametrize("name", sorted(OTHER_PACKAGES))
def test_other_packages_are_asked_for_by_name(name):
    if importlib.util.find_spec(name) is None:
        with pytest.raises(InputError, match=f"`{name}` needs the package {name}"):
            named_estimator(name)
    else:
        assert is_classifier(named_estimator(name))


def test_a_booster_with_other_names_of_parameters_has_its_class_as_name():
    lightgbm = pytest.importorskip("lightgbm")
    assert name_of(lightgbm.LGBMClassifier(verbosity=-1)) == "LGBMClassifier"


@pytest.mark.parametrize("pipe", [False, True])
def test_lightgbm_is_silent_unless_asked(capfd, pipe):
    lightgbm = pytest.importorskip("lightgbm")
    X, y = load_iris(return_X_y=True)
    model = lightgbm.LGBMClassifier(n_estimators=3)
    model = make_pipeline(StandardScaler(), model) if pipe else model
    score_subsets(X, y, [[0, 1]], measure=model)
    assert capfd.readouterr().out == ""
    loud = lightgbm.LGBMClassifier(n_estimators=3, verbose=1)
    score_subsets(X, y, [[0, 1]], measure=loud)
    assert "LightGBM" in capfd.readouterr().out


def test_a_metric_of_classes_refuses_the_mean_of_numbers_in_a_sentence():
    X, y = load_iris(return_X_y=True)
    splits = [(np.arange(30, 90), np.arange(90, 150))]
    table = as_table(X, y, task="regression")
    scorer = WrappedScorer(LinearRegression(), table, splits, "accuracy")
    with pytest.raises(InputError, match="`scoring` must return a number .* raises ValueError"):
        scorer.empty(0)
