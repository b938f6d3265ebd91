"""SubsetSelector as a scikit-learn citizen."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import fewest
from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._fitting.plan import make_problem
from fewest._run.stop_rules import Evaluations, Generations, Seconds
from fewest._subset_selector import _with_restarts
from fewest.search import EBNA, SFS, UMDA, RandomSearch
from fewest.search._auto import Restarts
from tests.measures.wrappers.weighted import weighted_scores


@parametrize_with_checks(
    [
        SubsetSelector("naive-bayes", search="sfs", cv=2, random_state=0),
        SubsetSelector(GaussianNB(), search=EBNA(population=8), cv=2, stop=Generations(2)),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


def test_names_in_names_out(iris):
    X, y = iris
    selector = SubsetSelector(GaussianNB(), search="exhaustive", cv=5, random_state=0).fit(X, y)
    names = selector.get_feature_names_out().tolist()
    assert names == selector.result_.features
    assert selector.transform(X).shape == (150, len(names))
    framed = selector.set_output(transform="pandas").transform(X)
    assert framed.columns.tolist() == names


def test_the_score_is_what_cross_val_score_gives(iris):
    X, y = iris
    selector = SubsetSelector(GaussianNB(), search="exhaustive", cv=5, random_state=0).fit(X, y)
    chosen = X.loc[:, selector.support_]
    assert np.array_equal(selector.fold_scores_, cross_val_score(GaussianNB(), chosen, y, cv=5))
    assert selector.score_ == pytest.approx(selector.fold_scores_.mean())


def test_exhaustive_finds_the_best_of_all(iris):
    X, y = iris
    knn = KNeighborsClassifier(3)
    selector = SubsetSelector(knn, search="exhaustive", cv=4, min_features=1).fit(X, y)
    masks = np.array([[bool(i >> j & 1) for j in range(4)] for i in range(1, 16)])
    scores = fewest.score_subsets(X, y, masks, measure=KNeighborsClassifier(3), cv=4)
    assert selector.score_ == scores.value.max()
    assert selector.result_.evaluations == 15
    assert selector.result_.optimal


def test_clone_pickle_and_repeat(iris):
    X, y = iris
    selector = SubsetSelector("naive-bayes", search=EBNA(population=12), random_state=3)
    first = clone(selector).fit(X, y)
    again = pickle.loads(pickle.dumps(clone(selector).fit(X, y)))
    assert np.array_equal(first.support_, again.support_)
    assert first.result_.archive == again.result_.archive


@pytest.mark.parametrize("measure", [GaussianNB(), KNeighborsClassifier(1)])
def test_the_workers_do_not_change_the_answer(iris, measure):
    X, y = iris
    search = EBNA(population=10)
    results = [
        SubsetSelector(measure, search=search, cv=3, n_jobs=jobs, random_state=0).fit(X, y).result_
        for jobs in (1, 2)
    ]
    assert results[0].archive == results[1].archive


def test_in_a_pipeline_and_a_grid(iris):
    X, y = iris
    pipeline = make_pipeline(
        StandardScaler().set_output(transform="pandas"),
        SubsetSelector(GaussianNB(), search="sfs", cv=3, random_state=0),
        LogisticRegression(max_iter=500),
    )
    grid = GridSearchCV(pipeline, {"subsetselector__max_features": [1, 2]}, cv=3).fit(X, y)
    assert grid.best_score_ > 0.9


def test_parameters_of_search_and_measure_can_be_set(iris):
    selector = SubsetSelector(fewest.measures.CrossValidated(GaussianNB()), search=SFS())
    selector.set_params(measure__estimator__var_smoothing=1e-3)
    assert selector.measure.estimator.var_smoothing == 1e-3


def mixed(n=80):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    colour = np.where(rng.random(n) < 0.85, np.array(["blue", "red"])[y], "green")
    return {"noise": rng.normal(size=n), "colour": colour, "size": y + rng.normal(size=n)}, y


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_with_strings_reach_the_estimator_whole(frame):
    columns, y = mixed()
    X = frame(columns)
    encode = (
        ColumnTransformer(
            [("text", OneHotEncoder(handle_unknown="ignore"), make_column_selector("colour"))],
            remainder="passthrough",
        )
        if frame is pd.DataFrame
        else None
    )
    measure = "naive-bayes" if encode is None else make_pipeline(encode, LogisticRegression())
    selector = SubsetSelector(measure, search="sfs", cv=3, random_state=0).fit(X, y)
    assert "colour" in selector.result_.features


def test_missing_values_are_the_estimators_business(iris):
    X, y = iris
    X = X.copy()
    X.iloc[::7, 2] = np.nan
    takes = SubsetSelector(HistGradientBoostingClassifier(max_iter=5), search="sfs", cv=2)
    assert takes.fit(X, y).support_.any()
    with pytest.raises(InputError, match=r"petal length"):
        SubsetSelector(LogisticRegression(), search="sbe", cv=2).fit(X, y)


def test_regression():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    selector = SubsetSelector(LinearRegression(), search="sfs", cv=5).fit(X, y)
    expected = cross_val_score(LinearRegression(), X.loc[:, selector.support_], y, cv=5).mean()
    assert selector.score_ == pytest.approx(expected)
    assert "bmi" in selector.result_.features


def test_any_scorer(iris):
    X, y = iris
    y = (y == 1).astype(int)
    selector = SubsetSelector(GaussianNB(), search="sfs", cv=4, scoring="roc_auc").fit(X, y)
    chosen = X.loc[:, selector.support_]
    expected = cross_val_score(GaussianNB(), chosen, y, cv=4, scoring="roc_auc").mean()
    assert selector.score_ == pytest.approx(expected)


def test_groups_reach_the_splitter(iris):
    X, y = iris
    groups = np.arange(150) % 6
    cv = GroupKFold(3)
    selector = SubsetSelector(KNeighborsClassifier(1), search="sfs", cv=cv)
    selector.fit(X, y, groups=groups)
    chosen = X.loc[:, selector.support_]
    expected = cross_val_score(KNeighborsClassifier(1), chosen, y, cv=cv, groups=groups)
    assert np.array_equal(selector.fold_scores_, expected)


def test_sample_weights_reach_the_estimator_and_the_score(iris):
    X, y = iris
    weight = np.where(y == 2, 30.0, 1.0)
    selector = SubsetSelector(
        GaussianNB(), search="exhaustive", cv=3, max_features=1, scoring="accuracy"
    )
    weighted = selector.fit(X, y, sample_weight=weight).result_.archive
    plain = selector.fit(X, y).result_.archive
    assert weighted != plain
    columns = X.iloc[:, weighted[0]["features"]]
    expected = weighted_scores(GaussianNB(), columns, y, weight, 3)
    assert weighted[0]["value"] == pytest.approx(expected.mean())


def test_routing_in_a_pipeline(iris):
    import sklearn

    X, y = iris
    with sklearn.config_context(enable_metadata_routing=True):
        measure = GaussianNB().set_fit_request(sample_weight=True)
        measure.set_score_request(sample_weight=False)
        selector = SubsetSelector(measure, search="sfs", cv=3, random_state=0)
        pipeline = make_pipeline(selector, GaussianNB().set_fit_request(sample_weight=True))
        pipeline.fit(X, y, sample_weight=np.where(y == 2, 30.0, 1.0))
        assert pipeline[0].support_.any()
        with pytest.raises(TypeError, match="unexpected|not requested|are not requested"):
            clone(selector).fit(X, y, nonsense=np.ones(150))


def test_constraints_hold(iris):
    X, y = make_classification(n_samples=120, n_features=8, random_state=0)
    for search in ("ebna", "sfs", "sbe", "random"):
        options = {"search": search} if search != "random" else {"search": search}
        selector = SubsetSelector(
            GaussianNB(),
            **options,
            include=[7],
            exclude=[0],
            groups=[[2, 3]],
            max_features=4,
            min_features=2,
            cv=3,
            stop=Generations(5),
            random_state=0,
        ).fit(X, y)
        support = selector.support_
        assert support[7]
        assert not support[0]
        assert support[2] == support[3]
        assert 2 <= support.sum() <= 4


def test_costs_and_budget(iris):
    X, y = iris
    costs = dict(zip(X.columns, (1.0, 1.0, 5.0, 5.0), strict=True))
    selector = SubsetSelector(GaussianNB(), search="exhaustive", costs=costs, budget=6.0, cv=5)
    selector.fit(X, y)
    assert selector.result_.cost <= 6
    assert selector.support_[2:].sum() <= 1


def test_callbacks_of_scikit_learn(iris):
    callback = pytest.importorskip("sklearn.callback")
    del callback
    X, y = iris

    class Counting:
        begun = ended = 0

        def setup(self, estimator, context):
            self.set_up = True

        def teardown(self, estimator, context):
            self.torn_down = True

        def on_fit_task_begin(self, estimator, context):
            Counting.begun += 1

        def on_fit_task_end(self, estimator, context):
            Counting.ended += 1
            return Counting.ended >= 2

    counting = Counting()
    selector = SubsetSelector(GaussianNB(), search=EBNA(population=8), cv=3, stop=None)
    selector.set_callbacks(counting)
    selector.fit(X, y)
    assert counting.torn_down
    assert selector.result_.stopped == "a callback asked to stop"
    assert selector.result_.generations == 2


def test_a_journal_goes_on(iris, tmp_path):
    X, y = iris
    path = tmp_path / "run.jsonl"
    options = {"search": EBNA(population=10), "stop": Generations(4), "journal": path}
    whole = SubsetSelector(GaussianNB(), random_state=5, **options).fit(X, y).result_
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2])
    # Without a seed, the journal brings its own.
    again = SubsetSelector(GaussianNB(), **options).fit(X, y).result_
    assert again.archive == whole.archive
    with pytest.raises(InputError, match="from another run"):
        SubsetSelector(GaussianNB(), random_state=6, **options).fit(X, y)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"search": "ebnaa"}, "Did you mean ebna"),
        ({"search": 3}, "`search` must be a Search or its name"),
        ({"measure": "naive-bias"}, "Did you mean naive-bayes"),
        ({"measure": 7}, "`measure` must be"),
        ({"stop": "never"}, "`stop` must be"),
        ({"choose": "worst"}, "`choose` must be"),
        ({"include": ["petal lenght (cm)"]}, "Did you mean petal length"),
        ({"exclude": [9]}, "positions run from 0 to 3"),
        ({"include": [1], "exclude": [1]}, "must not share features"),
        ({"groups": [[0, 1], [1, 2]]}, "a feature is in two of them"),
        ({"max_features": 1.5}, "`max_features` must be a whole number from 1 on"),
        ({"max_features": 0}, "`max_features` must be between 1 and 4"),
        ({"min_features": 2.5}, "`min_features` must be a whole number"),
        ({"min_features": 9}, "`min_features` must be between 0 and 4"),
        ({"costs": [1, 2]}, "`costs` must be 4 finite numbers"),
        ({"costs": {7: 1}}, "positions run from 0 to 3"),
        ({"budget": 3}, "`budget` goes with `costs`"),
        ({"costs": [1] * 4, "budget": -1}, "`budget` must be a number of at least 0"),
        (
            {"costs": [5] * 4, "budget": 3, "min_features": 1},
            "no subset found that keeps all of them",
        ),
        ({"exclude": [0, 1, 2, 3]}, "`exclude` leaves only 0 features"),
        ({"random_state": "x"}, "`random_state` must be"),
        ({"random_state": -1}, "`random_state` must be at least 0"),
        ({"search": EBNA(population=0)}, "`population` of EBNA must be"),
    ],
)
def test_wrong_parameters_get_a_sentence(iris, options, words):
    X, y = iris
    with pytest.raises(InputError, match=words):
        SubsetSelector(**{"search": "sfs", "cv": 3, **options}).fit(X, y)


def test_constant_columns_are_allowed_and_never_chosen_for_nothing(iris):
    X, y = iris
    X = X.assign(constant=1.0)
    for search in ("exhaustive", "sfs", "sbe"):
        selector = SubsetSelector("naive-bayes", search=search, cv=5, random_state=0).fit(X, y)
        assert "constant" not in selector.result_.features


def test_auto_says_what_it_picked_and_why(iris):
    X, y = iris
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        selector = SubsetSelector(random_state=0).fit(X, y)
    assert "with all features: naive Bayes 95.3 % (" in selector.result_.notes[0]
    assert selector.result_.extra["models"]["picked"] == selector.result_.measure == "naive-bayes"
    assert selector.result_.search == "path"
    assert selector.result_.notes[1].startswith("`path` was picked: ")
    assert selector.predict(X.iloc[:1]).tolist() == [0]


def test_mdl_fs_says_why_features_were_left_out():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 200)
    X = pd.DataFrame({"a": a, "copy": a, "noise": rng.integers(0, 2, 200)}).astype(str)
    y = np.where(rng.random(200) < 0.9, a, 1 - a)
    result = SubsetSelector("mdl-fs", search="sfs").fit(X, y).result_
    assert result.features == ["a"]
    assert result.left_out["copy"].startswith("given `a`, adds 0.000 bits, less than the ")
    assert set(result.left_out) == {"copy", "noise"}


@pytest.mark.parametrize(
    ("search", "stop", "restarts"),
    [
        (UMDA(), ["auto", Seconds(5)], True),
        (UMDA(), Seconds(5), False),
        (UMDA(), "auto", False),
        (UMDA(), ["auto", Evaluations(5)], False),
        (SFS(), ["auto", Seconds(5)], False),
        (RandomSearch(), ["auto", Seconds(5)], False),
    ],
)
def test_restarts_are_for_endless_searches_with_a_time_budget(search, stop, restarts):
    found, notes = _with_restarts(search, stop, [])
    assert isinstance(found, Restarts) == restarts
    assert bool(notes) == restarts


def test_of_many_rows_the_path_sees_a_sample_and_the_model_all(monkeypatch):
    monkeypatch.setattr("fewest._subset_selector.SEEN_ROWS", 200)
    monkeypatch.setattr("fewest._subset_selector.LARGE_ROWS", 500)
    rng = np.random.default_rng(0)
    y = (np.arange(1000) % 4 == 0).astype(int)
    X = rng.normal(size=(1000, 6))
    X[:, 2] += 3.0 * y
    selector = SubsetSelector("gaussian-nb", random_state=0).fit(X, y)
    assert selector.support_.tolist() == [False, False, True, False, False, False]
    assert "The path saw a sample of 200 of 1,000 rows." in selector.result_.notes
    assert selector.estimator_.class_count_.tolist() == [750, 250]
    seen = selector.seen(make_problem(X, y, "gaussian-nb")).table
    assert np.bincount(seen.target).tolist() == [150, 50]
    named = SubsetSelector("gaussian-nb", search="sfs")
    assert named.seen(make_problem(X, y, "gaussian-nb")).table.n_rows == 1000
