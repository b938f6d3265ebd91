"""The estimation-of-distribution searches: the suite for searches, and what each must find."""

import numpy as np
import pytest

from fewest.measures._measure import Scores
from fewest.search import COMIT, EBNA, Better, EcGA, Subsets, search_class
from fewest.search._distribution import population_for
from fewest.search._spaces.weight_spaces import Levels
from fewest.testing import TableMeasure, drive, parametrize_with_search_checks, toy_table
from fewest.testing._test_functions import FUNCTIONS, solve
from tests.search.distribution.cases import pairs_must_agree, target_at

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
