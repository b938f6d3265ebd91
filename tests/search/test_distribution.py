"""Searches that learn a distribution of the best subsets."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.discrete import Marginals
from fewest.measures._measure import Scores
from fewest.search import BMDA, BOA, COMIT, EBNA, Better, EcGA, Subsets, search_class
from fewest.search._distribution import Generation, as_shares, population_for
from fewest.search._spaces.weight_spaces import Levels
from fewest.testing import TableMeasure, drive, parametrize_with_search_checks, toy_table
from fewest.testing._test_functions import FUNCTIONS, solve


def target_at(best):
    return lambda mask: -float(np.abs(mask - best.astype(float)).sum())


def pairs_must_agree(mask):
    """Units 2k and 2k + 1 score only together; alone they cost."""
    pairs = np.asarray(mask, dtype=float).reshape(-1, 2)
    return float(pairs.prod(axis=1).sum() - 0.6 * np.abs(pairs[:, 0] - pairs[:, 1]).sum())


# The estimation-of-distribution searches: the suite for searches, and what each must find.
NAMES = ["umda", "pbil", "bsc", "cga", "mimic", "tree", "bmda", "comit", "ecga", "boa", "fda"]
NAMES += ["ebna"]


#: What the suite over all names does not run: other parameters than the defaults.
VARIANTS = [
    EBNA(population=60, learning="k2"),
    EBNA(population=60, learning="pc"),
    COMIT(population=60, optimiser="pbil"),
    EcGA(population=60, prior=1.0),
]


@parametrize_with_search_checks(VARIANTS)
def test_conforms(search, check):
    check(search)


@pytest.mark.parametrize("name", NAMES)
def test_finds_a_separable_optimum(name):
    best = np.arange(16) % 3 == 0
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=16))
    found = drive(search_class(name)(population=200), Subsets(16), scorer, 0, max_batches=40)
    assert (found.answer == best).all()


@pytest.mark.parametrize("name", NAMES)
def test_finds_weights(name):
    best = np.array([0, 0.5, 1, 0.5, 0, 0, 1, 1])
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=8))
    space = Levels(8)
    found = drive(search_class(name)(population=300), space, scorer, 1, max_batches=40)
    assert (space.expand(found.answer[None])[0] == best).all()


@pytest.mark.parametrize("name", NAMES)
def test_start_probability_is_obeyed(name):
    space = Subsets(200)
    search = search_class(name)(population=100, p0=0.05)
    first = next(search.propose(space, Better(space), np.random.default_rng(0)))
    assert 0.04 < first.mean() < 0.06


def test_population_is_the_best_kept_and_the_best_of_the_rest():
    """One generation by hand: sizes of the batches and the kept best."""
    space, search = Subsets(12), search_class("umda")(population=30)
    best = np.ones(12, dtype=bool)
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=12))
    done = drive(search, space, scorer, 3, max_batches=12)
    assert [len(b) for b in done.batches[:3]] == [30, 29, 29]
    assert done.ended
    assert done.verdict.reason == "all individuals of the population are the same"


@pytest.mark.parametrize("name", ["mimic", "tree", "bmda", "ecga", "boa", "ebna"])
def test_models_see_the_pairs_of_the_selected(name):
    """The first model learned from such a population ties every pair together."""
    space, search = Subsets(12), search_class(name)(population=600)
    proposals = search.propose(space, Better(space), np.random.default_rng(0))
    first = next(proposals)
    second = proposals.send(Scores(np.array([pairs_must_agree(m) for m in first])))
    agree = [(b.reshape(-1, 6, 2)[:, :, 0] == b.reshape(-1, 6, 2)[:, :, 1]).mean() for b in
             (first, second)]  # fmt: skip
    assert 0.45 < agree[0] < 0.55
    assert agree[1] > 0.6


def test_the_population_grows_with_the_cells_of_a_table_and_with_the_part_selected():
    sizes = [population_for(cells) for cells in (4, 8, 16, 32)]
    assert sizes == sorted(set(sizes))
    n = population_for(32) * 0.5
    assert 32 * np.log2(n) / (2 * n) <= 0.05 < 32 * np.log2(n - 50) / (2 * (n - 50))
    assert population_for(32, 0.25) == pytest.approx(2 * population_for(32, 0.5), abs=200)


@pytest.mark.parametrize(
    ("search", "function"),
    [("ecga", "trap-5"), ("boa", "trap-5"), (EBNA(learning="k2"), "trap-5"),
     ("comit", "deceptive-3"), ("tree", "deceptive-3")],
)  # fmt: skip
def test_defaults_solve_blocks_of_bits(search, function):
    assert len(solve(search, FUNCTIONS[function], runs=3).evaluations) == 3


# UMDA: frequencies, with and without Laplace's correction.
@pytest.mark.parametrize(("alpha", "share"), [(1.0, 5 / 6), (0.0, 1.0), (0.5, 0.9)])
def test_alpha_rows_of_each_level_are_added(alpha, share):
    rows = np.ones((4, 1), dtype=np.uint8)
    model = search_class("umda")(alpha=alpha).learn(
        Generation(rows, np.ones(4), np.array([2]), None)
    )
    assert model.probabilities[0, 1] == pytest.approx(share)


# PBIL: a vector that moves.
def test_pbil_moves_by_alpha():
    """From p0 = 0.5 towards frequencies that are all 1."""
    for alpha in (0.0, 0.5, 1.0):
        search = search_class("pbil")(alpha=alpha)
        ones = np.ones((10, 3), dtype=np.uint8)
        model = search.learn(Generation(ones, np.ones(10), np.full(3, 2), None))
        assert model.probabilities[:, 1] == pytest.approx([0.5 + alpha / 2] * 3)
        again = search.learn(Generation(ones, np.ones(10), np.full(3, 2), model))
        assert again.probabilities[:, 0] == pytest.approx([0.5 * (1 - alpha) ** 2] * 3)


def test_a_random_start_is_a_random_vector():
    space = Subsets(200)
    search = search_class("pbil")(population=400, vector="random")
    first = next(search.propose(space, Better(space), np.random.default_rng(0)))
    shares = first.mean(axis=0)
    # The shares of the units are spread over 0 to 1; from p0 they would all be near 0.5.
    assert shares.min() < 0.1
    assert shares.max() > 0.9
    assert 0.4 < shares.mean() < 0.6


# BSC: candidates counted by their value.
def test_bsc_counts_by_value():
    rows = np.array([[1], [0], [0]], dtype=np.uint8)
    model = search_class("bsc")().learn(
        Generation(rows, np.array([0.9, 0.2, 0.1]), np.array([2]), None)
    )
    # Shares 0.9 : 0.3 scaled to 3 rows, and one more row of each level: (2.25 + 1) / 5.
    assert model.probabilities[0] == pytest.approx([0.35, 0.65])


@pytest.mark.parametrize(
    ("value", "shares"),
    [([-1.0, -3.0], [2.0, 0.0]), ([0.0, 0.0], [1.0, 1.0]), ([np.nan, np.nan], [1.0, 1.0])],
)
def test_bsc_shares_of_unusual_values(value, shares):
    assert as_shares(np.array(value)).tolist() == shares


def test_without_the_correction_a_level_that_nobody_has_is_lost():
    rows = np.array([[1], [1]], dtype=np.uint8)
    model = search_class("bsc")(alpha=0.0).learn(
        Generation(rows, np.array([0.9, 0.2]), np.array([2]), None)
    )
    assert model.probabilities[0].tolist() == [0.0, 1.0]


# cGA: duels move a vector.
def test_cga_shifts_by_one_over_k():
    """One duel, (1, 1, 0) beats (0, 1, 1): the first unit up, the third down."""
    space = Subsets(3)
    search = search_class("cga")(population=2, size=10)
    rows = np.array([[1, 1, 0], [0, 1, 1]], dtype=np.uint8)
    start = Marginals.uniform(space.cardinalities, above=0.5)
    after = search._after_duels(start, rows, np.array([0, 1]))
    assert after.probabilities[:, 1] == pytest.approx([0.6, 0.5, 0.4])


def test_cga_ends_when_its_vector_has_converged():
    scorer = TableMeasure(target_at(np.ones(6))).bind(toy_table(n_features=6))
    search = search_class("cga")(population=20, size=10)
    done = drive(search, Subsets(6), scorer, 0, max_batches=500)
    assert done.ended
    assert done.verdict.reason == "every probability is 0 or 1"


def test_by_default_two_candidates_compete():
    space = Subsets(5)
    steps = search_class("cga")().propose(space, Better(space), np.random.default_rng(0))
    assert next(steps).shape == (2, 5)


# MIMIC and TREE: parameters with and without Laplace's correction.
@pytest.mark.parametrize("name", ["mimic", "tree"])
@pytest.mark.parametrize(("alpha", "share"), [(1.0, 5 / 6), (0.0, 1.0)])
def test_alpha_rows_of_each_level_of_the_parent_are_added(name, alpha, share):
    # The second unit is a copy of the first: given the first it is certain.
    rows = np.repeat([[0, 0], [1, 1]], 4, axis=0).astype(np.uint8)
    search = search_class(name)(alpha=alpha)
    model = search.learn(Generation(rows, np.ones(8), np.array([2, 2]), None))
    child = int(model.graph.order[1])
    assert model.tables[child].max(axis=1).tolist() == pytest.approx([share, share])


# BMDA, EcGA and BOA: units that go together are drawn together.
@pytest.mark.parametrize("search", [BMDA(), EcGA(), BOA()])
def test_a_copy_is_drawn_as_a_copy(search):
    # The second unit is a copy of the first, the third is independent of both.
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (400, 3)).astype(np.uint8)
    rows[:, 1] = rows[:, 0]
    model = search.learn(Generation(rows, np.ones(400), np.array([2, 2, 2]), None))
    drawn = model.sample(2000, rng)
    assert (drawn[:, 0] == drawn[:, 1]).mean() > 0.97
    assert 0.4 < (drawn[:, 0] == drawn[:, 2]).mean() < 0.6


# EBNA: structures by K2 and PC. COMIT: a tree, and a fast search from its best samples.
@pytest.mark.parametrize(
    "search",
    [EBNA(population=200, learning=learning) for learning in ("k2", "pc")]
    + [COMIT(population=200, optimiser=optimiser) for optimiser in ("hill-climbing", "pbil")],
)
def test_other_ways_to_learn_and_to_climb_find_a_separable_optimum(search):
    best = np.arange(12) % 2 == 0
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=12))
    assert (drive(search, Subsets(12), scorer, 0, max_batches=40).answer == best).all()


# FDA: a factorisation that the user knows.
def test_fda_with_the_right_cliques_sees_them_too():
    pairs = tuple((2 * k, 2 * k + 1) for k in range(6))
    space = Subsets(12)
    agreement = []
    for cliques in (pairs, ()):
        search = search_class("fda")(population=600, cliques=cliques)
        proposals = search.propose(space, Better(space), np.random.default_rng(0))
        first = next(proposals)
        second = proposals.send(Scores(np.array([pairs_must_agree(m) for m in first])))
        agreement.append((second.reshape(-1, 2)[:, 0] == second.reshape(-1, 2)[:, 1]).mean())
    assert agreement[0] > 0.6
    assert agreement[1] < 0.55


def test_fda_refuses_units_that_are_not_there_and_cliques_too_large():
    scorer = TableMeasure(target_at(np.ones(20))).bind(toy_table(n_features=20))
    with pytest.raises(InputError, match=r"`cliques` of FDA must name units from 0 to 19 .* 20\."):
        drive(search_class("fda")(population=10, cliques=((0, 20),)), Subsets(20), scorer)
    with pytest.raises(InputError, match="at most 65536 combinations each"):
        drive(search_class("fda")(population=10, cliques=(tuple(range(20)),)), Subsets(20), scorer)


@pytest.mark.parametrize(
    ("space", "best", "seed", "batch"),
    [(Levels(6), np.array([0, 0.5, 1, 0.5, 0, 1]), 0, 0), (Subsets(8), np.ones(8), 3, 1)],
    ids=["of the first batch", "of the last batch"],
)
def test_comit_climbs_to_neighbours_of_the_best(space, best, seed, batch):
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=len(best)))
    search = COMIT(population=50, climbers=1, improved=0.5)
    done = drive(search, space, scorer, seed, max_batches=batch + 2)
    order = Better(space).order(done.batches[batch], done.values[batch])
    changed = (done.batches[batch + 1][-24:] != done.batches[batch][order[0]]).sum(axis=1)
    assert (changed == 1).all()
