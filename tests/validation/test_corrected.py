"""The corrected score: replays of the whole search, against a slow and obvious twin."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._errors import InputError
from fewest._run.stop_rules import Evaluations, Generations, Seconds
from fewest._validation.corrected import Corrected, NoReplayError, corrected_score, without_clock
from fewest._validation.schemes import external_splits
from fewest._validation.significance import Overlap, interval
from fewest.data._as_table import as_table
from fewest.measures import Weighted


def noise(seed, rows=60, features=60):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, features)), np.arange(rows) % 2


def fitted(X, y, measure="gaussian-nb", search="sfs", **options):
    return fewest.SubsetSelector(measure, search=search, random_state=0, **options).fit(X, y)


def greedy(value_of, most):
    """Forward selection by plain loops: the features that it ends with."""
    chosen, best = [], -1.0
    while True:
        options = [(value_of(sorted([*chosen, j])), j) for j in range(most) if j not in chosen]
        value, j = max(options, key=lambda o: (round(o[0], 12), -o[1]))
        if value <= best + 1e-12:
            return sorted(chosen)
        best, chosen = value, [*chosen, j]


@pytest.mark.parametrize("keep_models", [False, True])
def test_it_is_the_search_over_the_rows_kept_judged_on_the_others(keep_models):
    X, y = noise(3, rows=40, features=5)
    folds = list(StratifiedKFold(4, shuffle=True, random_state=1).split(X, y))
    selector = fitted(X, y, cv=folds)
    found = corrected_score(selector, X, y, replays=5, keep_models=keep_models)

    def hits(subset, allowed):
        right = np.empty(len(y))
        for train, test in folds:
            rows = np.intersect1d(train, allowed)
            model = GaussianNB().fit(X[rows][:, subset], y[rows])
            right[test] = model.predict(X[test][:, subset]) == y[test]
        return right

    expected, every = [], np.arange(40)
    for kept, left in external_splits("1x5cv", as_table(X, y), np.random.default_rng([0, 1])):
        inside = [np.intersect1d(test, kept) for _, test in folds]
        allowed = every if keep_models else kept

        def value(subset, inside=inside, allowed=allowed):
            return np.mean([hits(subset, allowed)[rows].mean() for rows in inside])

        expected.append(hits(greedy(value, 5), every)[left].mean())
    assert found.scores == pytest.approx(expected)
    assert found.replayed == ("hits" if keep_models else "search")
    of_a_share = np.sqrt(found.score * (1 - found.score) / len(y))
    assert found.interval == pytest.approx(interval(found.scores, Overlap(0.25), None, of_a_share))
    assert found.optimism == pytest.approx(selector.score_ - np.mean(expected))


def test_noise_is_corrected_to_guessing():
    found = []
    for seed in range(12):
        X, y = noise(seed, features=80)
        selector = fitted(X, y)
        found.append((selector.score_, corrected_score(selector, X, y).score))
    selection, corrected = np.mean(found, axis=0)
    assert selection > 0.75
    assert abs(corrected - 0.5) < 0.05


def test_the_result_keeps_it():
    X, y = noise(0)
    selector = fitted(X, y)
    assert selector.result_.corrected is None
    found = corrected_score(selector, X, y)
    assert selector.result_.corrected == found.to_dict()
    assert selector.result_.corrected_score == found.score
    assert Corrected.from_dict(found.to_dict()) == found
    assert corrected_score(selector, X, y).scores == found.scores


@pytest.mark.parametrize("measure", ["naive-bayes", "id3", "tan"])
def test_every_twin_can_be_replayed(measure):
    X, y = noise(1, rows=50, features=6)
    found = corrected_score(fitted(X, y, measure), X, y, replays=5)
    assert found.replayed == "search"
    assert len(found.scores) == 5


@pytest.mark.parametrize("search", ["ga-uniform", "ebna", "exhaustive", "best-first"])
def test_every_kind_of_search_can_be_replayed(search):
    X, y = noise(2, features=6)
    assert corrected_score(fitted(X, y, search=search), X, y, replays=3).replayed == "search"


@pytest.mark.parametrize("measure", [DecisionTreeClassifier(max_depth=2), "mdl"])
def test_what_cannot_be_replayed_is_refused(measure):
    X, y = noise(1, features=5)
    with pytest.raises(NoReplayError, match=r"cannot be replayed: .* Use fewest.validate"):
        corrected_score(fitted(X, y, measure, cv=5), X, y)


def test_intervals_end_where_the_metric_does():
    scores = [1.0, 0.9, 1.0, 1.0]
    given = {"score": 0.975, "scores": scores, "optimism": 0.0, "replayed": "search", "share": 1.0}
    assert Corrected(**given, metric="accuracy").interval[1] == 1.0
    assert Corrected(**given, metric="neg_log_loss").interval[1] == 0.0
    assert Corrected(**given).interval[1] > 1.0


def test_parts_of_few_rows_have_few_degrees_of_freedom():
    scores, share = [0.5, 0.7] * 5, 1 / 9
    given = {"score": 0.6, "scores": scores, "optimism": 0.0, "replayed": "search", "share": share}
    many, few = (Corrected(**given, rows=rows).interval[1] - 0.6 for rows in (40, 6))
    assert many == pytest.approx(interval(scores, Overlap(share))[1] - 0.6)
    # The table of t: 2.2622 with 9 and 2.4469 with 6 degrees of freedom.
    assert few / many == pytest.approx(2.4469 / 2.2622, rel=1e-4)


def test_other_data_are_refused():
    X, y = noise(0)
    with pytest.raises(InputError, match="must be the data that `selector` was fitted with"):
        corrected_score(fitted(X, y), X + 1.0, y)


def test_a_time_budget_becomes_a_number_of_subsets():
    assert without_clock((Generations(3),), 70) == (Generations(3),)
    assert without_clock((Generations(3), Seconds(5)), 70) == (Generations(3), Evaluations(70))


def test_weighted_sums_are_replayed_with_the_same_weights():
    X, y = noise(1, rows=50, features=5)
    measure = Weighted("id3", weights=(0.6, 0.2, 0.2))
    found = corrected_score(fitted(X, y, measure, "sbe"), X, y, replays=5)
    assert found.replayed == "search"
    assert found.score < 0.9


def test_ranking_scores_leave_out_whole_folds():
    X, y = noise(1, features=40)
    selector = fitted(X, y, cv=5, scoring="roc_auc")
    found = corrected_score(selector, X, y)
    assert found.replayed == "search"
    assert len(found.scores) == 5
    assert selector.score_ > 0.75
    assert found.score < 0.65
    # Each fold has 6 rows of either class, so the area comes in steps of 1 / 36.
    assert np.allclose(np.array(found.scores) * 36, np.round(np.array(found.scores) * 36))


def test_r2_of_a_few_rows_is_pooled_over_all_rows_left_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = X[:, 0] + rng.normal(size=40)
    selector = fewest.SubsetSelector("linear-regression", search="exhaustive", cv=10,
                                     include="x0", max_features=1, random_state=0)  # fmt: skip
    corrected = fewest.corrected_score(selector.fit(X, y), X, y)
    # The one allowed subset is judged by its own folds: R² of all predictions at once.
    predicted = cross_val_predict(LinearRegression(), X[:, :1], y, cv=10)
    assert corrected.replayed == "search"
    assert corrected.score == pytest.approx(r2_score(y, predicted))
    assert selector.score_ < corrected.score - 0.1


def test_the_interval_of_an_accuracy_is_at_least_that_of_a_share_of_rows():
    # Every part has the same score, as for a model that always says the same class.
    given = {"score": 0.5, "scores": [0.5] * 10, "optimism": 0.0, "replayed": "search"}
    found = Corrected(**given, share=1 / 9, metric="accuracy", rows=10)
    half = stats.t.ppf(0.975, 9) * np.sqrt(0.25 / 100)
    assert found.interval == pytest.approx((0.5 - half, 0.5 + half))
