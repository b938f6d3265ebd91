"""From data and a measure to the problem: read once, tasks and measures picked."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import fewest
from fewest._errors import InputError
from fewest._fitting.plan import make_problem, problem_of, with_metric
from fewest._fitting.requests import selector_routing
from fewest.data import _schema as schema
from fewest.data import as_table
from fewest.measures import CrossValidated
from fewest.measures._default import Compared

X, Y = load_iris(return_X_y=True, as_frame=True)


def test_the_measure_is_picked_from_the_table():
    problem = make_problem(X, Y, "auto", cv=3)
    models = problem.told["models"]
    assert problem.measure.title == models["picked"]
    assert problem.measure.cv == 3
    assert problem.notes[0].startswith("The model selected for, with all features: ")
    numbers = make_problem(X, X.iloc[:, 0], "auto")
    assert sorted(numbers.told["models"]["scores"]) == [
        "hist-gradient-boosting-regressor", "ridge",
    ]  # fmt: skip
    assert numbers.table.classes is None


def test_the_optimism_of_a_choice_of_models_is_judged_by_the_folds_left_out():
    a, b = np.array([0.9, 0.5, 0.52, 0.5]), np.full(4, 0.6)
    picked = Compared("a", None, {"a": a, "b": b}, rows=40)
    # Without fold 0, b is clearly better; without another fold, a is.
    assert picked.optimism == pytest.approx(0.605 - np.mean([0.6, 0.5, 0.52, 0.5]))
    assert Compared("a", None, {"a": a[:1]}, rows=40).optimism == 0.0


def test_a_regressor_makes_whole_numbers_a_numeric_target():
    assert make_problem(X, Y, Ridge()).table.classes is None
    assert make_problem(X, Y, "cfs").table.n_classes == 3


def test_metadata_read_elsewhere_is_not_refused():
    groups = np.arange(150) % 7
    with pytest.raises(InputError, match="`groups` is not used"):
        make_problem(X, Y, "cfs", metadata={"groups": groups})
    problem = make_problem(X, Y, "cfs", metadata={"groups": groups}, read_elsewhere=["groups"])
    assert problem.table.metadata["groups"] is groups


def test_a_table_that_was_read_already():
    table = as_table(X, Y)
    problem = problem_of(table, "cfs", cv="auto", scoring=None)
    assert problem.table is table
    selector = fewest.SubsetSelector("cfs", search="sfs")
    fitted = selector.fit(X, Y).result_
    assert selector.fit_table(table).result_.to_dict()["archive"] == fitted.to_dict()["archive"]


def test_validate_reads_the_data_once(monkeypatch):
    read, original = [], schema.read_columns

    def counted(X):
        read.append(X)
        return original(X)

    monkeypatch.setattr(schema, "read_columns", counted)
    fewest.validate(fewest.SubsetSelector("naive-bayes", search="sfs"), X, Y, random_state=0)
    assert len(read) == 1


def test_a_task_says_what_whole_numbers_are():
    X, y = np.random.default_rng(0).normal(size=(120, 3)), np.arange(120) % 12
    for task, classes in (("classification", 12), ("regression", 0)):
        selector = fewest.SubsetSelector(search="sfs", random_state=0).fit(X, y, task=task)
        assert make_problem(X, y, "auto", task=task).table.n_classes == classes
        assert selector.measure_.task == (None if classes else "regression")
        found = fewest.validate(selector, X, y, task=task, scheme="1x3cv", random_state=0)
        assert found.metric == ("accuracy" if classes else "R²")
        assert fewest.corrected_score(selector, X, y, task=task).scores
        assert fewest.permutation_test(selector, X, y, task=task, permutations=2).scores
    assert fewest.score_subsets(X, y, [[0]], task="classification").value[0] < 0.5
    with pytest.raises(InputError, match="may be classes or amounts"):
        fewest.SubsetSelector(search="sfs").fit(X, y, task="auto")
    with pytest.raises(InputError, match='`task` must be "regression" for `linear-regression`'):
        make_problem(X, y, "linear-regression", task="classification")
    with pytest.raises(InputError, match="`task` must be .* or \"auto\", but is 'classes'"):
        make_problem(X, y, "auto", task="classes")


def scoring_of(X, y, measure="auto", scoring=None, **given):
    problem = make_problem(X, y, measure, scoring=scoring, **given)
    return with_metric(problem, measure, scoring).measure.scoring


def test_a_score_that_fits_classes_of_very_different_size():
    X = np.random.default_rng(0).normal(size=(500, 2))
    rare, even = np.arange(500) % 10 == 0, np.arange(500) % 5 == 0
    three = np.where(rare, 2, np.arange(500) % 2)
    assert scoring_of(X, rare) == scoring_of(X, rare, LogisticRegression()) == "roc_auc"
    assert scoring_of(X, three) == "balanced_accuracy"
    assert scoring_of(X, even) is None
    assert scoring_of(X, X[:, 0]) is None
    # What the user chose stays: a score, a measure by name or with parameters.
    assert scoring_of(X, rare, scoring="accuracy") == "accuracy"
    assert scoring_of(X, rare, "naive-bayes") is None
    assert scoring_of(X, rare, CrossValidated(GaussianNB())) is None
    # Folds by groups, or of few rows, may lack a class, for which there is no ROC curve.
    given = {"metadata": {"groups": np.arange(500) // 5}}
    assert scoring_of(X, rare, **given) == "balanced_accuracy"
    assert scoring_of(X, np.arange(500) < 19) == "balanced_accuracy"
    # Weights that balance the classes leave nothing to mend.
    weight = np.where(rare, 9.0, 1.0)
    assert scoring_of(X, rare, GaussianNB(), metadata={"sample_weight": weight}) is None


def test_all_parts_of_a_validation_have_the_same_score():
    data = fewest.data.generate("fraud", 1500)
    selector = fewest.SubsetSelector(GaussianNB(), search="sfs", random_state=0)
    selector.fit(data.X, data.y)
    assert any("scored by roc_auc because 98% of the rows" in n for n in selector.result_.notes)
    given = {"scheme": "1x3cv", "random_state": 0}
    found = fewest.validate(selector, data.X, data.y, **given)
    assert found.metric == "roc_auc"
    assert found.selection_metric is None
    assert found.guessing == 0.5
    assert found.selection_score == pytest.approx(selector.score_, abs=0.05)
    plain = fewest.validate(selector, data.X, data.y, **given, scoring="accuracy")
    assert plain.metric == "accuracy"
    assert plain.selection_metric == "roc_auc"


def test_a_plan_runs_to_the_answer_of_the_fit():
    selector = fewest.SubsetSelector("gaussian-nb", search="ga-uniform", random_state=3, choose=2)
    plan = selector.plan(make_problem(X, Y, "gaussian-nb"))
    chosen = plan.chosen(plan.run())
    assert np.array_equal(chosen, selector.fit(X, Y).support_)
    assert plan.seed == 3


WEIGHT = np.where(Y == 2, 5, 1)
SELECTOR = fewest.SubsetSelector("cfs", search="sfs")
VERBS = {
    "fit": lambda **given: SELECTOR.fit(X, Y, **given),
    "score_subsets": lambda **given: fewest.score_subsets(
        X, Y, np.eye(4, dtype=bool), measure="cfs", **given
    ),
    "validate": lambda **given: fewest.validate(SELECTOR, X, Y, random_state=0, **given),
    "compare": lambda **given: fewest.compare({"a": SELECTOR}, X, Y, random_state=0, **given),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_misspelt_name_is_refused_by_every_verb(verb):
    with pytest.raises(ValueError, match="`sampel_weight` is not used by the measure `cfs`"):
        VERBS[verb](sampel_weight=WEIGHT)


@pytest.mark.parametrize("verb", VERBS)
def test_weights_are_used_by_every_verb(verb):
    VERBS[verb](sample_weight=WEIGHT)


def test_the_score_is_that_of_the_weighed_rows():
    rows = np.repeat(np.arange(len(Y)), WEIGHT)
    weighed = VERBS["fit"](sample_weight=WEIGHT).score_
    repeated = fewest.SubsetSelector("cfs", search="sfs").fit(X.iloc[rows], Y.iloc[rows]).score_
    assert weighed == pytest.approx(repeated)


def test_a_filter_in_a_pipeline_gets_its_weights_by_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(fewest.SubsetSelector("cfs", search="sfs"))
        weighed = pipeline.fit(X, Y, sample_weight=WEIGHT)[0].score_
        with pytest.raises(TypeError, match="sampel_weight"):
            fewest.SubsetSelector("cfs").fit(X, Y, sampel_weight=WEIGHT)
    assert weighed == VERBS["fit"](sample_weight=WEIGHT).score_


def test_groups_are_requested_by_the_folds_of_auto():
    router = selector_routing(fewest.SubsetSelector("gaussian-nb"))
    assert router.consumes("fit", ["groups", "nothing"]) == {"groups"}
