"""Searches over graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError, MismatchError
from fewest._models import family_scores
from fewest._models.family_scores import FamilyScores
from fewest._models.optimum import learn_exact
from fewest._models.structure_search import Walk, climb_families, learn_by_climbing
from fewest._run.loop import Run
from fewest.measures._network_scores import GraphScorer
from fewest.networks._bif import load_network
from fewest.search import (
    AnnealGraph,
    ClimbGraph,
    ExactGraph,
    GAGraph,
    Graphs,
    IteratedTabuGraph,
    Subsets,
    TabuGraph,
)
from fewest.search._graphs import step_by_step
from fewest.testing import drive


# Rows of a small network, with what the proven best graph scores.
@pytest.fixture(scope="session")
def rows():
    network = load_network("asia")
    return network.sample(2000, np.random.default_rng(0)), network.cardinalities


@pytest.fixture
def scorer(rows):
    return GraphScorer(FamilyScores(*rows))


@pytest.fixture(scope="session")
def space():
    return Graphs(8, 3)


@pytest.fixture(scope="session")
def best(rows):
    return learn_exact(*rows, max_parents=3).score


# Steps of a walk as batches.
def test_batches_are_the_best_graphs_of_more_and_more_steps(scorer, space):
    batches = list(step_by_step(Walk(scorer.families, max_parents=3), space))
    assert batches[0].sum() == 0
    assert all(batch.shape == (1, 64) for batch in batches)
    changes = [int((a ^ b).sum()) for a, b in zip(batches, batches[1:], strict=False)]
    # Every step changes an arc, and a reversal two places of the matrix.
    assert 4 <= changes[0] <= 8
    whole = Walk(scorer.families, max_parents=3)
    whole.climb()
    assert (batches[-1] == space.rows([whole.best])).all()


def test_other_spaces_are_refused(scorer):
    with pytest.raises(MismatchError, match="`climb-graph` needs the score of a network"):
        drive(ClimbGraph(), Subsets(8), scorer)


# Hill climbing over graphs.
def test_it_ends_where_the_climb_of_the_models_ends(rows, scorer, space):
    done = drive(ClimbGraph(), space, scorer)
    expected = scorer.families.of(learn_by_climbing(*rows, max_parents=3))
    assert done.best_value == pytest.approx(expected)
    assert done.verdict.reason == "no single arc improves the network"


def test_no_step_of_a_climb_costs(scorer, space):
    plain = drive(ClimbGraph(sideways=0), space, scorer)
    values = plain.value
    assert (values[1:] > values[:-1]).all()
    wide = drive(ClimbGraph(sideways=10), space, scorer)
    assert (wide.value[1:] >= wide.value[:-1] - 1e-6).all()
    assert wide.best_value >= plain.best_value
    walks = [Walk(scorer.families, max_parents=3, patience=p, loss=0.0) for p in (0, 10)]
    plain_steps, wide_steps = (sum(1 for _ in iter(lambda w=w: w.climb(1), True)) for w in walks)
    assert wide_steps > plain_steps


# Tabu search over graphs.
def test_it_is_the_tabu_search_of_the_models(rows, scorer, space):
    done = drive(TabuGraph(tenure=4, patience=30), space, scorer)
    _, value = climb_families(FamilyScores(*rows), max_parents=3, tenure=4, patience=30)
    assert done.best_value == pytest.approx(value)
    assert done.verdict.reason == "no improvement in 30 steps"
    values = [value[0] for value in done.values]
    assert values == sorted(values)


def test_iterated_tabu_begins_with_a_climb_and_never_loses(rows, scorer, space, best):
    done = drive(IteratedTabuGraph(patience=5, tenure=2, rounds=40), space, scorer)
    _, first = climb_families(FamilyScores(*rows), max_parents=3, tenure=2, patience=5)
    values = [value[0] for value in done.values]
    assert any(value == pytest.approx(first) for value in values)
    assert (np.diff(values) > -1e-9).all()
    assert done.best_value == pytest.approx(best)
    assert done.verdict.reason == "no improvement in 40 climbs"


def test_iterated_tabu_ends_when_it_has_scored_many_families(rows, space):
    families = FamilyScores(*rows)
    walk = Walk(families, max_parents=3, tenure=10, patience=5)
    walk.climb()
    first = len(families)
    search = IteratedTabuGraph(rounds=10_000, families=1.5)
    done = drive(search, space, GraphScorer(again := FamilyScores(*rows)))
    climbs = int(done.verdict.reason.split()[0])
    assert done.verdict.reason == f"{climbs} climbs have scored 1.5 times the families of one"
    assert 1.5 * first <= len(again) < 3 * first


def test_iterated_tabu_is_the_same_for_the_same_seed_and_a_full_cache(rows, space, monkeypatch):
    search = IteratedTabuGraph(rounds=10)
    one = drive(search, space, GraphScorer(FamilyScores(*rows)), 3)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 2)
    other = drive(search, space, GraphScorer(FamilyScores(*rows)), 3)
    assert (one.candidates == other.candidates).all()


# Annealing over graphs.
def test_it_comes_near_the_proven_best(scorer, space, best):
    runs = [drive(AnnealGraph(), space, scorer, seed) for seed in range(4)]
    values = [done.best_value for done in runs]
    assert max(values) == pytest.approx(best)
    assert min(values) > best - 15
    assert len(runs[0].batches) > 300 * 8**2 / 500


def test_little_room_changes_nothing(rows, space, monkeypatch):
    search = AnnealGraph(steps=2000, batch=300)
    first = drive(search, space, GraphScorer(FamilyScores(*rows)), 1)
    monkeypatch.setattr(family_scores, "FIRST_ROOM", 8)
    again = drive(search, space, GraphScorer(FamilyScores(*rows)), 1)
    assert (again.candidates == first.candidates).all()


def test_temperatures_follow_what_arcs_bring(rows, scorer):
    hot, cold = AnnealGraph()._temperatures(scorer.families)
    twice = FamilyScores(np.concatenate([rows[0]] * 10), rows[1])
    assert AnnealGraph()._temperatures(twice)[0] > 4 * hot
    assert cold == hot / 40
    assert AnnealGraph(hot=8.0)._temperatures(scorer.families) == (8.0, 0.2)
    assert AnnealGraph(cold=1e9)._temperatures(scorer.families) == (1e9, 1e9)
    alone = FamilyScores(np.arange(8).reshape(8, 1) % 2, np.array([2]))
    assert AnnealGraph()._temperatures(alone) == (1.0, 1 / 40)


def test_rising_temperatures_are_refused():
    with pytest.raises(InputError, match="`hot` must be at least `cold`, but they are 0.1 and 1"):
        AnnealGraph(hot=0.1, cold=1.0).check_parameters()


# The genetic search over graphs.
def test_it_reaches_the_proven_best(scorer, space, best):
    done = drive(GAGraph(), space, scorer)
    assert done.best_value == pytest.approx(best)
    assert len(done.batches) == 20
    assert all(len(batch) == 20 for batch in done.batches)


def test_without_climbing_and_mutation_children_have_the_families_of_the_first(scorer, space):
    done = drive(GAGraph(steps=0, mutation=0.0, generations=4), space, scorer)
    first = done.batches[0].reshape(-1, 8, 8)
    for batch in done.batches[1:]:
        for graph in batch.reshape(-1, 8, 8):
            for child in range(8):
                # Repair leaves arcs out; none is new.
                held = (first[:, :, child] >= graph[:, child]).all(axis=1)
                assert held.any()


def test_the_best_survive(scorer, space):
    done = drive(GAGraph(population=6, generations=8), space, scorer, 2)
    so_far = np.maximum.accumulate([values.max() for values in done.values])
    assert so_far[-1] == done.best_value


# The proof as a search: a good graph first, then the best one.
def test_it_ends_with_the_proven_best(scorer, space, best):
    done = drive(ExactGraph(), space, scorer)
    assert done.best_value == pytest.approx(best)
    assert done.verdict.optimal
    assert done.values[0][0] <= done.values[1][0] + 1e-9


def test_the_run_knows_the_bound(scorer, space):
    outcome = Run(ExactGraph(), scorer, space, np.random.default_rng(0)).go()
    assert outcome.bounds.value == outcome.history.best_value
