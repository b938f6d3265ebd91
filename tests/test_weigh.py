"""FeatureWeighter: scikit-learn's manners, weights that mean something, transform, resume."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import FeatureWeighter, compare, validate
from fewest._errors import InputError
from fewest._feature_weighter import levels_of, neighbors_measure
from fewest._kernels.neighbours.nearest import exact_distance
from fewest._report.text import describe_result
from fewest._run.stop_rules import Generations
from fewest.classifiers import NearestNeighbor
from fewest.classifiers._nearest_neighbor import range_scale
from fewest.data._as_table import as_table
from fewest.measures import WeightedNeighbors
from fewest.search import EBNA, EGNA

SMALL = {"search": EBNA(population=40), "stop": Generations(3)}


@parametrize_with_checks(
    [
        FeatureWeighter(**SMALL, random_state=0),
        FeatureWeighter(
            values="continuous", search=EGNA(population=40), stop=Generations(3), random_state=0
        ),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def three_weights(n=300, seed=0):
    """The class is on which side of a plane the row lies; the first features count most."""
    X = np.random.default_rng(seed).random((n, 6)) - 0.5
    return X, (X @ np.array([4.0, 2.0, 1.0, 0.0, 0.0, 0.0]) > 0).astype(int)


def test_weights_rank_the_relevant_features():
    search, stop = EGNA(population=300), Generations(15)
    found, gains = [], []
    # The optimum of one table is flat and its accuracies are noisy, so three are averaged.
    for seed in range(3):
        X, y = three_weights(300, seed)
        weighter = FeatureWeighter(values="continuous", search=search, stop=stop, random_state=0)
        found.append(weighter.fit(X, y).weights_)
        equal = WeightedNeighbors().bind(as_table(X, y)).score(np.ones((1, 6))).value[0]
        gains.append(weighter.score_ - equal)
    weights = np.mean(found, axis=0)
    assert weights[0] > weights[1] > weights[2] > weights[3:].max()
    assert min(gains) > 0.05


@pytest.mark.parametrize("prototypes", ["all", "edited"])
def test_neighbours_and_prototypes_are_searched_with_the_weights(prototypes):
    X, y = three_weights(120)
    measure = WeightedNeighbors((1, 3, 9), prototypes=prototypes)
    weighter = FeatureWeighter(measure, **SMALL, random_state=0).fit(X, y)
    own = replace(measure, k=weighter.k_).bind(as_table(X, y))
    assert own.score(weighter.weights_[None]).value[0] == weighter.score_
    model = weighter.nearest_neighbor()
    assert (model.k, model.prototypes) == (weighter.k_, prototypes)
    assert weighter.result_.extra["k"] == weighter.k_ in measure.k
    honest = validate(weighter, X, y, scheme="1x2cv", random_state=0)
    assert honest.score > 0.6


def test_noise_stays_at_chance_and_the_result_says_so():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 8)), np.arange(80) % 2
    weighter = FeatureWeighter(search=EBNA(population=100), random_state=0)
    honest = validate(weighter, X, y, scheme="5x2cv", random_state=0)
    assert abs(honest.score - 0.5) < 0.08
    assert honest.selection_score > 0.65
    from fewest._report.text import describe_result

    result = weighter.fit(X, y).result_
    result = replace(result, honest=honest.to_dict())
    assert "illusion" in describe_result(result)


@pytest.mark.parametrize("unknown", [False, True])
def test_plain_distance_after_transform_is_the_weighted_distance(unknown):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"a": rng.normal(size=60), "b": rng.choice(list("xyz"), 60), "c": rng.random(60)}
    )
    if unknown:
        X.loc[::7, "b"] = None
    y = (X["a"] > 0).to_numpy()
    weighter = FeatureWeighter(values="continuous", **{**SMALL, "search": EGNA(population=40)})
    Z = weighter.set_params(random_state=1).fit(X, y).transform(X)
    table = as_table(X, y)
    scale = range_scale(table.values, table.nominal)[0]
    for i, j in ((0, 1), (2, 9), (5, 40), (7, 8)):
        weighted = exact_distance(
            table.values[i],
            table.values[j],
            np.arange(table.n_features),
            weighter.weights_,
            scale,
            table.nominal,
            2.0,
        )
        assert_allclose(((Z[i] - Z[j]) ** 2).sum(), weighted, rtol=1e-9)


def test_a_pipeline_with_kneighbors_is_the_classifier_with_weights():
    X, y = load_iris(return_X_y=True, as_frame=True)
    # Weights of one feature alone would make ties, which the two settle in different ways.
    weighter = FeatureWeighter(**SMALL, start=None, random_state=0).set_output(transform="pandas")
    model = make_pipeline(weighter, KNeighborsClassifier(1)).fit(X.iloc[::2], y[::2])
    fitted = model[0]
    own = fitted.nearest_neighbor().fit(X.iloc[::2], y[::2])
    assert np.mean(model.predict(X) == own.predict(X)) > 0.99
    assert list(fitted.transform(X).columns) == list(fitted.get_feature_names_out())
    assert_array_equal(fitted.get_support(), fitted.weights_ > 0)
    assert_array_equal(fitted.get_support(indices=True), np.flatnonzero(fitted.weights_))


@pytest.mark.parametrize("values", ["levels", "continuous"])
def test_constraints_hold(values):
    X, y = load_iris(return_X_y=True, as_frame=True)
    search = EBNA(population=40) if values == "levels" else EGNA(population=40)
    names = list(X.columns)
    found = FeatureWeighter(
        values=values, search=search, stop=Generations(2), include=[names[0]],
        exclude=[names[1]], groups=[names[2:]], random_state=0,
    ).fit(X, y)  # fmt: skip
    assert found.weights_[0] > 0
    assert found.weights_[1] == 0
    assert found.weights_[2] == found.weights_[3]


@pytest.mark.parametrize("values", ["levels", "continuous"])
def test_a_cut_journal_and_more_workers_give_the_same_weights(values, tmp_path):
    X, y = three_weights(80)
    search = EBNA(population=60) if values == "levels" else EGNA(population=60)
    path = tmp_path / "run.jsonl"
    given = {"values": values, "search": search, "stop": Generations(4), "random_state": 3}
    whole = FeatureWeighter(**given, journal=path).fit(X, y)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + lines[3][: len(lines[3]) // 2])
    again = FeatureWeighter(**given, journal=path).fit(X, y)
    assert_array_equal(again.weights_, whole.weights_)
    assert path.read_bytes().count(b"\n") == len(lines)
    assert_array_equal(FeatureWeighter(**given, n_jobs=2).fit(X, y).weights_, whole.weights_)


def test_compare_knows_weights():
    X, y = load_iris(return_X_y=True, as_frame=True)
    both = {
        "levels": FeatureWeighter(**SMALL),
        "numbers": FeatureWeighter(
            values="continuous", search=EGNA(population=40), stop=Generations(2)
        ),
    }
    table = compare(both, X, y, random_state=0).table
    assert [row["method"] for row in table] == ["levels", "numbers", "all features"]
    assert min(row["accuracy"] for row in table) > 0.85


def test_the_result_tells_the_weights():
    X, y = load_iris(return_X_y=True, as_frame=True)
    found = FeatureWeighter(**SMALL, random_state=0).fit(X, y)
    assert found.result_.extra["weights"] == found.weights_.tolist()
    assert "petal width (cm) 1" in describe_result(found.result_)


def test_auto_stops_by_the_paired_test_whatever_the_number_of_rows():
    X, y = three_weights(1200)
    found = FeatureWeighter(search=EBNA(population=30), cv=10, random_state=0).fit(X, y)
    assert "beats the best" in found.result_.stopped
    rules = found._rules(EBNA())
    assert rules[0].rows > 10**9


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"measure": "naive-bayes"}, "`measure` of FeatureWeighter must be"),
        ({"values": "some"}, '`values` must be "auto", "levels", "continuous" or a list'),
        ({"start": [0.5]}, '`start` must be "filters", None or weights between 0 and 1, 4 in'),
        ({"start": [[2, 0, 0, 0]]}, "`start` must be"),
        ({"values": [1, 0]}, "`values` must be two or more weights that rise from 0"),
        ({"values": "continuous", "search": "sfs"}, "handles subsets"),
        ({"measure": WeightedNeighbors(k=0)}, "`k` of WeightedNeighbors must be"),
    ],
)
def test_refuses(wrong, words):
    with pytest.raises((InputError, ValueError), match=words):
        FeatureWeighter(**wrong).fit(*load_iris(return_X_y=True))


def test_names_of_measures_and_levels():
    assert neighbors_measure(NearestNeighbor(k=3), 5) == WeightedNeighbors(k=3, cv=5)
    assert levels_of("levels") == (0.0, 0.5, 1.0)
    assert levels_of([0, "0.2", 1]) == (0.0, 0.2, 1.0)


@pytest.mark.parametrize("name", ["mutual-information", "relief", "class-conditional", "gradient"])
def test_filters_are_measures_of_their_own(name):
    X, y = three_weights(200)
    found = FeatureWeighter(name, cv=5).fit(X, y)
    assert found.weights_.max() == 1.0
    assert found.weights_[0] > found.weights_[3:].max()
    assert found.result_.evaluations == 1
    assert found.result_.search == ("relieff" if name == "relief" else name)
    plain = WeightedNeighbors(cv=5).bind(as_table(X, y)).score(found.weights_[None]).value[0]
    assert found.score_ == pytest.approx(plain, abs=0.06)
    rounded = FeatureWeighter(name, values="levels").fit(X, y)
    assert set(rounded.weights_) <= {0.0, 0.5, 1.0}


@pytest.mark.parametrize("values", ["levels", "continuous"])
def test_searches_start_from_filters_and_equal_weights(values):
    X, y = three_weights(100)
    search = EBNA(population=20) if values == "levels" else EGNA(population=20)
    with_starts = FeatureWeighter(
        values=values, search=search, stop=Generations(1), random_state=0
    ).fit(X, y)
    table = as_table(X, y)
    starts = with_starts._starts(table)
    assert starts.shape == (5, 6)
    assert (starts[-1] == 1.0).all()
    assert with_starts.score_ >= WeightedNeighbors().bind(table).score(np.ones((1, 6))).value[0]
    given = FeatureWeighter(values=values, search=search, stop=Generations(1), start=starts[-1:])
    first = given._space(table)[0]
    assert_array_equal(first.expand(first.nearest(first.starts)), np.ones((1, 6)))


def test_the_combinations_of_the_literature_start_at_random():
    assert FeatureWeighter.named("fw-ebna").start is None
    assert FeatureWeighter.named("fw-egna").search.scaling == "none"
