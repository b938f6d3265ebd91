"""Which search is taken: by name, by guidelines, by what is known of the problem."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.naive_bayes import GaussianNB

from fewest import FeatureWeighter, SubsetSelector
from fewest._errors import InputError
from fewest._feature_weighter import COMBINATIONS, combination, diet, recommend_weighing
from fewest._run.loop import Run
from fewest._run.stop_rules import Evaluations, Generations, Seconds
from fewest.measures import CrossValidated
from fewest.search import (
    SEARCHES,
    BestFirst,
    Box,
    Levels,
    Orderings,
    Subsets,
    list_searches,
    resolve_search,
    search_class,
)
from fewest.search._auto import Guidelines, guidelines, recommend, recommend_search
from fewest.search._questions import Advice
from fewest.testing import (
    MonotoneTableMeasure,
    TableMeasure,
    drive,
    monotone_values,
    parametrize_with_search_checks,
    random_values,
    toy_table,
)


# Every search by name passes the shipped suite, and ends where everything is scored.
@parametrize_with_search_checks([resolve_search(name) for name in SEARCHES])
def test_search(search, check):
    check(search)


SUBSETS = [name for name in SEARCHES if "subsets" in search_class(name).spaces]
ORDERINGS = [name for name in SEARCHES if "orderings" in search_class(name).spaces]


@pytest.mark.parametrize("name", ORDERINGS)
def test_a_search_over_orderings_ends_by_a_rule(name):
    scorer = TableMeasure(lambda ordering: -float(ordering[0])).bind(toy_table(n_features=3))
    stop = (Evaluations(4), Generations(30))
    run = Run(resolve_search(name), scorer, Orderings(3), np.random.default_rng(0), stop=stop)
    outcome = run.go()
    assert len(outcome.archive) <= 6
    assert outcome.history.best_value == 0


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("name", SUBSETS)
def test_a_search_ends_where_everything_is_scored(name, d):
    search = resolve_search(name)
    values = monotone_values(d, 1) if search.needs_monotone else random_values(d, 1)
    measure = (
        MonotoneTableMeasure(values, threshold=float(values[-1]))
        if search.needs_monotone
        else TableMeasure(values)
    )
    space = Subsets(d, min_features=1)
    run = Run(
        search,
        measure.bind(toy_table(n_features=d)),
        space,
        np.random.default_rng(0),
        stop=(Evaluations(100),),
    )
    outcome = run.go()
    assert outcome.reason.text
    assert not outcome.reason.kind.partial
    assert len(outcome.archive) <= 2**d


def test_a_search_is_found_by_name():
    assert resolve_search("ebna").name == "ebna"
    assert {row["name"] for row in list_searches()} == set(SEARCHES)


def test_a_misspelt_name_is_told_with_the_near_ones():
    with pytest.raises(InputError, match="Did you mean ebna"):
        resolve_search("ebnaa")
    with pytest.raises(InputError, match="`search` must be a Search or its name, but is 3"):
        resolve_search(3)


# `auto`: what is picked, and the sentence.
@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"n_features": 10}, "exhaustive"),
        ({"n_features": 10, "fast": False}, "sffs"),
        ({"n_features": 8, "fast": False}, "exhaustive"),
        ({"n_features": 34}, "umda"),
        ({"n_features": 34, "estimated": False}, "best-first"),
        ({"n_features": 9000, "estimated": False}, "sfs"),
        ({"n_features": 100}, "umda"),
        ({"n_features": 101}, "umda"),
        ({"n_features": 60, "fast": False}, "sfs"),
        ({"n_features": 20, "n_rows": 10**6, "fast": False}, "sfs"),
        ({"n_features": 20_000}, "umda"),
        ({"n_features": 500, "n_subsets": 500}, "exhaustive"),
    ],
)
def test_the_guidelines(facts, name):
    assert recommend(**facts).name == name


@pytest.mark.parametrize("n_features", [5, 34, 300, 9000])
@pytest.mark.parametrize("fast", [True, False])
def test_what_is_picked_exists_and_is_explained(n_features, fast):
    advice = recommend(n_features, fast=fast)
    assert advice.name in SEARCHES
    assert advice.why
    assert not advice.why.endswith(".")


def test_many_features_start_with_few():
    assert recommend(1558).parameters == {}  # the search itself starts with few features


def test_the_search_is_ready_and_says_why():
    search, why = recommend_search(TableMeasure(random_values(5)), 100, Subsets(5))
    assert search.name == "exhaustive"
    assert why == "`exhaustive` was picked: all 32 subsets can be scored."
    search, _ = recommend_search(TableMeasure(random_values(5)), 100, Subsets(40))
    assert search.name == "best-first"


@pytest.mark.parametrize(
    ("operations", "seconds", "name"),
    [(1e5, None, "umda"), (1e9, None, "sffs"), (1e9, 10.0**6, "umda"), (1e6, 2.0, "sffs")],
)
def test_what_a_subset_costs_decides(operations, seconds, name):
    measure = CrossValidated(GaussianNB())
    search, why = recommend_search(measure, 100, Subsets(40), seconds, operations=operations)
    assert search.name == name
    assert ("costs too much" in why) == (name == "sffs")


@pytest.mark.parametrize(
    ("solver", "facts", "name"),
    [
        (True, {"n_features": 60}, "exact"),
        (False, {"n_features": 60}, "exact"),
        (False, {"n_features": 65}, "qbb"),
    ],
)
def test_monotone_measures_with_and_without_the_solver(solver, facts, name, monkeypatch):
    found = object() if solver else None
    monkeypatch.setattr("importlib.util.find_spec", lambda module: found)
    advice = recommend(monotone=True, **facts)
    assert advice.name == name
    assert advice.name in SEARCHES


def test_criteria_of_least_squares_are_proven():
    assert recommend(30, estimated=False, proves_best=True).name == "exact"
    assert recommend(8, estimated=False, proves_best=True).name == "exhaustive"
    assert recommend(90, estimated=False, proves_best=True).name == "best-first"


# The guidelines of the sources: which search, and with which reason.
@pytest.mark.parametrize(
    ("facts", "name"),
    [
        # The examples of Dash and Liu (2003), section 4.6: Parity3+3, Vote, Letter.
        ({"n_features": 12, "monotone": True, "needed": 3}, "focus-m"),
        ({"n_features": 16, "monotone": True, "needed": 8}, "abb"),
        ({"n_features": 16, "monotone": True, "needed": 11, "seconds": 60}, "qbb"),
        ({"n_features": 16, "monotone": True}, "exact"),
        ({"n_features": 57, "monotone": True, "seconds": 0.5}, "lvf"),
        ({"n_features": 57, "monotone": True, "seconds": 5, "correlated": False}, "set-cover"),
        # Inza (2002), section 6.2: small, medium and large scale.
        ({"n_features": 19}, "ebna"),
        ({"n_features": 49}, "ebna"),
        ({"n_features": 50}, "tree"),
        ({"n_features": 1558}, "tree"),
        ({"n_features": 1558, "seconds": 60}, "bsc"),
    ],
)
def test_what_the_sources_would_take(facts, name):
    advice = guidelines(**facts)
    assert advice.name == name
    assert advice.name in SEARCHES
    assert "section" in advice.why


def test_a_selector_follows_them_and_says_so():
    X = np.random.default_rng(0).integers(0, 2, (40, 6)).astype(str)
    y = (X[:, 0] == "1").astype(int)
    for stop, name in ((None, "exact"), (Seconds(20), "qbb")):
        selector = SubsetSelector(measure="inconsistency", search="guidelines", stop=stop)
        result = selector.fit(X, y).result_
        assert result.search == name
        assert result.features == ["x0"]
        assert any("follows the guidelines" in note for note in result.notes)


def test_what_is_known_of_the_problem_can_be_given():
    X = np.random.default_rng(0).integers(0, 2, (40, 6)).astype(str)
    y = (X[:, 0] == "1").astype(int)
    for search, stop, name in (
        (Guidelines(needed=1), None, "focus-m"),
        (Guidelines(needed=5), None, "abb"),
        (Guidelines(correlated=False), Seconds(20), "set-cover"),
    ):
        selector = SubsetSelector(measure="inconsistency", search=search, stop=stop).fit(X, y)
        assert selector.result_.search == name
        assert selector.result_.features == ["x0"]
    with pytest.raises(InputError, match="`needed` of Guidelines must be at least 1, but is 0"):
        SubsetSelector(measure="inconsistency", search=Guidelines(needed=0)).fit(X, y)


# The search for weights when none is named.
@pytest.mark.parametrize(
    ("space", "name"),
    [(Levels(10), "ebna"), (Box(10), "egna"), (Levels(200), "umda"), (Box(200), "umda-c")],
)
def test_recommends_a_search_for_the_space(space, name):
    search, why = recommend_weighing(space)
    assert search.name == name
    assert space.kind in search.spaces
    assert name in why


def test_diet_starts_in_the_middle_and_compares_with_the_parent():
    # The start is worth 0.5; raising x0 helps, and then nothing does.
    def value(weights):
        return 0.5 + 0.2 * (weights[0] == 1.0) - 0.1 * (weights[1] != 0.5)

    scorer = TableMeasure(value).bind(toy_table(n_features=2))
    done = drive(diet(patience=2), Levels(2), scorer)
    assert_array_equal(done.batches[0], [[1, 1]])
    assert done.best_value == pytest.approx(0.7)
    assert done.verdict.reason == "no improvement in 2 expansions"


def test_an_expansion_that_beats_its_parent_only_keeps_diet_going():
    # After the peak at the start, every step down is better than the one before.
    ladder = {(1, 1): 0.9, (2, 1): 0.5, (2, 2): 0.6, (1, 2): 0.1, (0, 1): 0.1, (1, 0): 0.1}

    def value(weights):
        return ladder.get(tuple((2 * weights).astype(int).tolist()), 0.0)

    scorer = TableMeasure(value).bind(toy_table(n_features=2))
    patient = drive(diet(patience=2), Levels(2), scorer)
    strict = drive(BestFirst(patience=2, direction="middle"), Levels(2), scorer)
    assert patient.evaluations > strict.evaluations


@pytest.mark.parametrize("name", COMBINATIONS)
def test_combinations_have_a_search_for_their_values(name):
    search, values = combination(name)
    assert ("box" if values == "continuous" else "levels") in search.spaces
    assert FeatureWeighter.named(name).values == values


def test_an_unknown_combination_is_refused():
    with pytest.raises(InputError, match="`name` must be one of fw-ebna"):
        combination("fw-none")


# Advice over units: groups add up, features that must be in are no units.
VALUE = np.array([1.0, 2.0, 4.0, 8.0, 16.0])


def advice(space):
    scorer = TableMeasure(lambda mask: float(VALUE @ mask)).bind(toy_table(n_features=5))
    return Advice(scorer, space, lambda asked: [scorer.importances(q) for q in asked])


def test_the_importances_of_a_group_add_up():
    told = advice(Subsets(5, include=(0,), groups=((1, 4),))).importances(
        [np.array([True, True, False])], seed=[3], kind="model"
    )
    assert told[0].values.tolist() == [18.0, 4.0, -np.inf]
    assert told[0].shadows is None
    assert told[0].score == 23.0


def test_subsets_of_a_path_that_are_the_same_over_units_count_once():
    path = advice(Subsets(5, exclude=(3,), groups=((2, 4),))).l1_path("auto", 5)
    assert path.astype(int).tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]
