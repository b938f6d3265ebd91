"""The joint behaviour of classifiers."""

from __future__ import annotations

import json
from itertools import chain, combinations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import fewest
from fewest._errors import InputError
from fewest._joint.behaviour import accuracies, check_size, pick_independent, vote
from fewest._joint.predictions import (
    Predictions,
    agreement_matrices,
    find_families,
    held_out_splits,
    predict_held_out,
)
from fewest._joint.simplified_network import (
    Learner,
    arc_influences,
    confidence,
    hard_independent,
    independent_between,
    independent_inside,
    read_network,
    simplified,
)
from fewest._models.family_scores import FamilyScores, Score
from fewest._models.graph import Graph

#
MODELS = {"nb": GaussianNB(), "majority": DummyClassifier()}


@pytest.fixture
def iris(dataset):
    from sklearn.datasets import load_iris

    return load_iris(return_X_y=True)


def test_a_third_is_predicted_by_the_rest(iris):
    X, y = iris
    found = predict_held_out(MODELS, X, y)
    assert found.codes.shape == (50, 2)
    ((train, test),) = held_out_splits(y, "2:1", np.random.default_rng(0))
    expected = GaussianNB().fit(X[train], y[train]).predict(X[test])
    assert (found.codes[:, 0] == expected).all()
    assert (found.target == y[test]).all()
    assert found.accuracy[1] == pytest.approx(1 / 3, abs=0.02)


def test_folds_predict_every_row_once_as_scikit_learn_does(iris):
    X, y = iris
    splits = held_out_splits(y, 5, np.random.default_rng(3))
    found = predict_held_out(MODELS, X, y, scheme=5, rng=np.random.default_rng(3))
    expected = cross_val_predict(GaussianNB(), X, y, cv=splits)
    order = np.concatenate([test for _, test in splits])
    assert (found.codes[:, 0] == expected[order]).all()


def test_the_answer_does_not_depend_on_workers(iris):
    one, two = (predict_held_out(MODELS, *iris, n_jobs=n) for n in (1, 2))
    assert (one.codes == two.codes).all()


def test_a_model_that_cannot_be_trained_is_left_out_with_its_reason(iris):
    X, y = iris
    X = X.copy()
    X[0, 0] = np.nan
    models = {**MODELS, "logistic": LogisticRegression(), "other": DummyClassifier()}
    found = predict_held_out(models, X, y, scheme=3)
    assert found.names == ("majority", "other")
    assert "NaN" in found.left_out["logistic"]


def test_refusals_of_schemes(iris):
    with pytest.raises(InputError, match="at least 2 classifiers, but holds 1"):
        predict_held_out({"nb": GaussianNB()}, *iris)
    with pytest.raises(InputError, match='`scheme` must be "2:1", a number of folds'):
        predict_held_out(MODELS, *iris, scheme="3:1")
    for scheme in (10**60, bytearray(b"a")):
        with pytest.raises(InputError, match='`scheme` must be "2:1", a number of folds'):
            predict_held_out(MODELS, *iris, scheme=scheme)
    with pytest.raises(InputError, match="`X` must be a table with one row per value of y, but is"):
        predict_held_out(MODELS, "knee", iris[1])
    with pytest.raises(InputError, match="`y` must hold one value per row"):
        predict_held_out(MODELS, iris[0], 2.5)
    with pytest.raises(InputError, match="rows"):
        predict_held_out(MODELS, [[1.0]], iris[1])
    models = {"nb": GaussianNB(), "other": GaussianNB()}
    with pytest.raises(InputError, match="Fewer than 2 classifiers could be trained: nb: "):
        predict_held_out(models, np.full((6, 1), np.nan), np.array([0, 1] * 3))


#
def test_by_hand_and_by_scikit_learn():
    rng = np.random.default_rng(0)
    codes, target = rng.integers(0, 3, (80, 3)), rng.integers(0, 3, 80)
    found = agreement_matrices(Predictions(("a", "b", "c"), np.arange(3), codes, target, {}))
    assert found["kappa"][0, 1] == pytest.approx(cohen_kappa_score(codes[:, 0], codes[:, 1]))
    assert found["agreement"][1, 2] == (codes[:, 1] == codes[:, 2]).mean()
    assert all(np.allclose(m, m.T) for m in found.values())


def test_diversity_by_hand():
    # Rows right by both, by the first, by the second, by none: 3, 2, 1, 2.
    target = np.zeros(8, dtype=np.int64)
    codes = np.array([[0, 0]] * 3 + [[0, 1]] * 2 + [[1, 0]] + [[1, 1]] * 2)
    found = agreement_matrices(Predictions(("a", "b"), np.arange(2), codes, target, {}))
    assert found["q"][0, 1] == pytest.approx((3 * 2 - 2 * 1) / (3 * 2 + 2 * 1))
    assert found["disagreement"][0, 1] == 3 / 8
    assert found["double-fault"][0, 1] == 2 / 8
    assert found["double-fault"][0, 0] == 3 / 8


def test_blocks_that_agree_are_families():
    agreement = np.full((4, 4), 0.5)
    agreement[:2, :2] = agreement[2:, 2:] = 0.97
    np.fill_diagonal(agreement, 1.0)
    found = find_families(list("abcd"), agreement)
    assert sorted(found.values()) == [["a", "b"], ["c", "d"]]


def test_a_threshold_may_be_given():
    agreement = np.array([[1.0, 0.9], [0.9, 1.0]])
    assert len(find_families(["a", "b"], agreement, threshold=0.05)) == 2
    assert len(find_families(["a", "b"], agreement, threshold=0.2)) == 1


def test_mcnemar_is_the_exact_test_corrected_by_holm():
    # On 20 rows the second is right on 10 more than the first, the third on 1 more.
    right = np.zeros((20, 3), dtype=np.int64)
    right[:10, 1] = 1
    right[0, 2] = 1
    predictions = Predictions(("a", "b", "c"), np.arange(2), right, np.ones(20, dtype=int), {})
    found = agreement_matrices(predictions)["mcnemar"]
    # 2 / 2^10, 2 / 2^9 and 1, times 3, 2 and 1.
    assert found[1, 0] == pytest.approx(3 * 2 / 2**10)
    assert found[2, 1] == pytest.approx(2 * 2 / 2**9)
    assert found[2, 0] == 1.0
    assert (found == found.T).all()


# Networks over predictions: the proven one bounds what the other searches find.
def predictions(n=9, rows=150, seed=0):
    """Classifiers that copy one another with some noise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (rows, n))
    for j in range(1, n):
        copied = rng.random(rows) < 0.8
        codes[copied, j] = codes[copied, rng.integers(0, j)]
    names = tuple(f"m{j}" for j in range(n))
    return Predictions(names, np.array([0, 1]), codes, codes[:, 0], {})


@pytest.mark.parametrize("score", ["k2", "bic"])
def test_the_genetic_search_comes_near_the_proven_network(score):
    rows = predictions()
    values = {}
    for search in ("exact", "genetic", "climbing"):
        found = Learner(score, search, None).learn(rows, np.random.default_rng(0))
        assert found.optimal == (search == "exact")
        values[search] = Score(score).of(found.graph, rows.codes, np.full(9, 2))
    assert values["exact"] >= values["genetic"] - 1e-9 >= values["climbing"] - 2e-9
    assert values["exact"] - values["genetic"] < 1.0


def test_refusals_of_the_learner():
    with pytest.raises(InputError, match="`search` must be one of auto, exact, genetic"):
        Learner(search="ebna").checked(5)
    with pytest.raises(InputError, match='for 21 classifiers, but is "exact"'):
        Learner(search="exact").checked(21)
    with pytest.raises(InputError, match="`max_parents` must be at least 1, but is 0"):
        Learner(max_parents=0).checked(5)


def test_the_influence_is_the_difference_of_two_whole_scores():
    rows = np.random.default_rng(0).integers(0, 2, (60, 3))
    graph = Graph(((), (0,), (0, 1)))
    cards = np.full(3, 2)
    found = arc_influences(graph, FamilyScores(rows, cards, score="k2"))
    score = Score("k2")
    whole = score.of(graph, rows, cards)
    without = score.of(Graph(((), (0,), (1,))), rows, cards)
    assert found[0, 2] == pytest.approx(whole - without)


def test_half_is_kept_and_the_next_recovered_while_they_matter():
    graph = Graph(((), (0,), (0, 1), (0, 1, 2)))
    values = dict(zip(graph.arcs, [12.0, 10, 8, 5, 4, 1], strict=True))
    # Kept: 12, 10, 8. Then 5 >= (10 + 8) / 4, 4 >= (8 + 5) / 4, but 1 < (5 + 4) / 4.
    assert len(simplified(graph, values).arcs) == 5
    values = dict(zip(graph.arcs, [12.0, 10, 8, 4, 4, 4], strict=True))
    assert len(simplified(graph, values).arcs) == 3


def test_no_arcs_stay_none():
    assert simplified(Graph.empty(3), {}).arcs == []


def coins(rows, seed=0):
    """Fourteen classifiers that have nothing to do with each other."""
    codes = np.random.default_rng(seed).integers(0, 2, (rows, 14))
    names = tuple(f"m{j}" for j in range(14))
    return Predictions(names, np.array([0, 1]), codes, codes[:, 0], {})


def test_the_default_finds_few_arcs_in_noise_and_k2_without_a_bound_many():
    rng = np.random.default_rng(0)
    default, thesis = Learner().checked(14), Learner("k2", "exact", None)
    assert len(default.learn(coins(200), rng).graph.arcs) <= 5
    assert len(thesis.learn(coins(200), rng).graph.arcs) > 30
    bound = Learner("k2", "exact", 2).learn(coins(200), rng).graph
    assert max(len(parents) for parents in bound.parents) == 2


def test_tests_of_independence_find_the_copies():
    graph = Learner(search="tests").learn(predictions(4), np.random.default_rng(0)).graph
    assert 3 <= len(graph.arcs) <= 4
    assert len(Learner(search="tests").learn(coins(500), np.random.default_rng(0)).graph.arcs) < 10


def test_confidence_is_high_for_copies_and_noise_is_told():
    rows, learner = predictions(5), Learner().checked(5)
    readings = {"hard": {}, "inside": {"all": False}, "between": {}}
    readings["hard"] = dict.fromkeys(rows.names, True)
    found = confidence(rows, learner, {"all": rows.names}, readings, 10, np.random.default_rng(0))
    assert len(found.noise) == 10
    assert found.noise_arcs < 2
    graph = learner.learn(rows, np.random.default_rng(0)).simple
    strong = [found.arcs[tuple(sorted((rows.names[a], rows.names[b])))] for a, b in graph.arcs]
    assert min(strong) >= 0.5
    assert all(0 <= share <= 1 for share in found.readings["hard"].values())
    none = confidence(coins(100), learner, {"all": ("m0", "m1")}, {
        "hard": dict.fromkeys(coins(1).names, True), "inside": {"all": True}, "between": {}
    }, 5, np.random.default_rng(0))  # fmt: skip
    assert max(none.arcs.values()) <= 1.0
    assert none.to_dict()["noise"] == list(none.noise)


#
STAR = Graph(((), (0,), (0,), (0,)))


def test_leaves_of_a_star_are_original_and_its_centre_is_not():
    assert [hard_independent(STAR, x) for x in range(4)] == [None, 0, 0, 0]


def test_inside_a_family():
    assert independent_inside(STAR, [1, 2])
    assert not independent_inside(STAR, [0, 1])
    assert not independent_inside(Graph(((), (0,), (0, 1))), [1, 2])


def random_graph(rng, d=6):
    order = rng.permutation(d)
    parents = [() for _ in range(d)]
    for place, i in enumerate(order):
        parents[i] = tuple(int(p) for p in order[:place] if rng.random() < 0.4)
    return Graph(tuple(parents))


@pytest.mark.parametrize("seed", range(40))
def test_one_test_finds_any_separating_set(seed):
    graph = random_graph(np.random.default_rng(seed))
    one, two, rest = [0, 1], [2, 3], [4, 5]
    subsets = chain.from_iterable(combinations(rest, k) for k in range(3))
    some = any(graph.separated(set(one), set(two), given) for given in subsets)
    assert independent_between(graph, one, two) == some


def test_all_readings_by_name():
    found = read_network(STAR, ["a", "b", "c", "d"], {"F": ["b", "c"], "G": ["d"], "H": ["x"]})
    assert found["hard"] == {"a": False, "b": True, "c": True, "d": True}
    assert found["inside"] == {"F": True}
    assert found["between"] == {"F,G": True}


#
FOUR = {
    "nb": GaussianNB(),
    "same nb": GaussianNB(),
    "1-nn": KNeighborsClassifier(1),
    "tree": DecisionTreeClassifier(random_state=0),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.fixture(scope="module")
def found():
    X, y = load_breast_cancer(return_X_y=True)
    return fewest.joint_behaviour(FOUR, X, y, scheme=5, random_state=0)


def test_the_network_is_proven_and_twins_are_tied(found):
    assert found.optimal
    assert found.readings["hard"]["same nb"] or found.readings["hard"]["nb"]
    assert {"nb", "same nb"} in [set(arc) for arc in found.arcs]
    assert found.matrices["agreement"][0, 1] == 1.0
    assert any({"nb", "same nb"} <= set(members) for members in found.families.values())


def test_influences_are_those_of_the_network(found):
    rows, cards = found.predictions.codes, np.full(5, 2)
    whole = Score("bic").of(found.graph, rows, cards)
    assert whole > Score("bic").of(type(found.graph).empty(5), rows, cards)
    assert set(found.influences) == {(found.names[a], found.names[b]) for a, b in found.graph.arcs}


def test_a_suggestion_is_judged_on_other_rows(found):
    ensemble = found.suggest_ensemble(3)
    assert len(set(ensemble.members)) == 3
    assert not {"nb", "same nb"} <= set(ensemble.members)
    assert set(ensemble.accuracy) == {"suggested", "best single", "all vote", "most accurate"}
    assert all(0.8 < value < 1.0 for value in ensemble.accuracy.values())


def test_it_saves_plain_data(found, tmp_path):
    found.save(tmp_path / "joint.json")
    plain = json.loads((tmp_path / "joint.json").read_text())
    assert plain["names"] == list(FOUR)
    assert {arc["from"] for arc in plain["arcs"]} <= set(FOUR)


def test_the_seed_repeats():
    X, y = load_breast_cancer(return_X_y=True)
    one, two = (
        fewest.joint_behaviour(FOUR, X, y, random_state=3, n_jobs=n).to_dict() for n in (1, 2)
    )
    assert one == two


def test_the_genetic_search_and_the_whole_network():
    X, y = load_breast_cancer(return_X_y=True)
    plain = fewest.joint_behaviour(FOUR, X, y, random_state=3)
    bred = fewest.joint_behaviour(FOUR, X, y, search="genetic", simplify="none", random_state=3)
    searches = bred.learner.search, plain.learner.search
    assert (*searches, bred.optimal) == ("genetic", "exact", False)
    assert len(bred.simple.arcs) == len(bred.graph.arcs)
    assert bred.predictions.codes.tolist() == plain.predictions.codes.tolist()
    assert sum(bred.influences.values()) > 0


def test_refusals_of_joint_behaviour():
    X, y = load_breast_cancer(return_X_y=True)
    with pytest.raises(InputError, match="`score` must be one of bic, k2, bdeu, but is"):
        fewest.joint_behaviour(FOUR, X, y, score="aic")
    with pytest.raises(InputError, match="`repeats` must be a whole number of at least 0"):
        fewest.joint_behaviour(FOUR, X, y, repeats=-1)
    with pytest.raises(InputError, match="`simplify` must be one of recover, half, none, but is"):
        fewest.joint_behaviour(FOUR, X, y, simplify="all")
    with pytest.raises(InputError, match="'F' holds 'svm'"):
        fewest.joint_behaviour(FOUR, X, y, families={"F": ["svm"]})


#
def test_independent_ones_come_before_accurate_ones():
    # 0 and 1 are tied; 2 stands alone.
    graph = Graph(((), (0,), ()))
    assert pick_independent(graph, np.array([0.9, 0.8, 0.6]), 2) == [0, 2]
    assert pick_independent(graph, np.array([0.9, 0.8, 0.6]), 3) == [0, 2, 1]


def test_votes_and_their_ties():
    codes = np.array([[0, 1, 1], [0, 1, 2]])
    assert vote(codes, [0, 1, 2], 3).tolist() == [1, 0]
    assert vote(codes, [2, 1], 3).tolist() == [1, 2]


def test_ways_to_combine_by_hand():
    codes = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    target = np.array([0, 0, 0, 0])
    rows = Predictions(("a", "b", "c"), np.arange(2), codes, target, {})
    found = accuracies([0, 1], 2, rows, rows)
    assert found["best single"] == 0.75
    assert found["all vote"] == 0.75
    assert found["suggested"] == 0.5


def test_the_size_must_make_sense():
    for k in (1, 4):
        with pytest.raises(InputError, match="`k` must be between 2 and 3"):
            check_size(k, 3)
