"""The estimation-of-distribution searches: the suite for searches, and what each must find."""

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.measures.base import Scores
from fewest.models.marginals import Marginals
from fewest.search import COMIT, EBNA, Better, EcGA, Subsets, search_class
from fewest.search.distribution.base import Generation
from fewest.search.distribution.bsc import as_shares
from fewest.search.spaces.levels import Levels
from fewest.testing import TableMeasure, drive, parametrize_with_search_checks, toy_table

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


def target_at(best):
    return lambda mask: -float(np.abs(mask - best.astype(float)).sum())


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


def pairs_must_agree(mask):
    """Units 2k and 2k + 1 score only together; alone they cost."""
    pairs = np.asarray(mask, dtype=float).reshape(-1, 2)
    return float(pairs.prod(axis=1).sum() - 0.6 * np.abs(pairs[:, 0] - pairs[:, 1]).sum())


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


@pytest.mark.parametrize("learning", ["k2", "pc"])
def test_ebna_learns_by_other_ways(learning):
    best = np.arange(12) % 2 == 0
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=12))
    search = search_class("ebna")(population=200, learning=learning)
    assert (drive(search, Subsets(12), scorer, 0, max_batches=40).answer == best).all()


@pytest.mark.parametrize("optimiser", ["hill-climbing", "pbil"])
def test_comit_improves_by_either_optimiser(optimiser):
    best = np.arange(12) % 2 == 0
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=12))
    search = search_class("comit")(population=200, optimiser=optimiser)
    assert (drive(search, Subsets(12), scorer, 0, max_batches=40).answer == best).all()


def test_comit_hill_climbing_proposes_neighbours_of_the_best():
    space = Levels(6)
    best = np.array([0, 0.5, 1, 0.5, 0, 1])
    scorer = TableMeasure(target_at(best)).bind(toy_table(n_features=6))
    search = search_class("comit")(population=50, climbers=1, improved=0.5)
    done = drive(search, space, scorer, 0, max_batches=2)
    order = Better(space).order(done.batches[0], done.values[0])
    changed = (done.batches[1][-24:] != done.batches[0][order[0]]).sum(axis=1)
    assert (changed == 1).all()


def test_pbil_moves_by_alpha():
    """From p0 = 0.5 towards frequencies that are all 1."""
    for alpha in (0.0, 0.5, 1.0):
        search = search_class("pbil")(alpha=alpha)
        ones = np.ones((10, 3), dtype=np.uint8)
        model = search.learn(Generation(ones, np.ones(10), np.full(3, 2), None))
        assert model.probabilities[:, 1] == pytest.approx([0.5 + alpha / 2] * 3)
        again = search.learn(Generation(ones, np.ones(10), np.full(3, 2), model))
        assert again.probabilities[:, 0] == pytest.approx([0.5 * (1 - alpha) ** 2] * 3)


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
