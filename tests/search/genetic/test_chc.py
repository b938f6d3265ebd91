"""CHC: who mates, when the threshold falls, and the variant of Hsu (2004)."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.measures._measure import Scores
from fewest.search import Better, Subsets
from fewest.search._genetic import CHC, _keep, mate
from fewest.search._population import Population
from fewest.testing import TableMeasure, check_search, drive, toy_table
from tests.search.genetic.cases import pairs_value

RNG = np.random.default_rng


def test_relatives_do_not_mate():
    people = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 1, 0]], dtype=bool)
    for seed in range(10):
        assert len(mate(people, 2.0, RNG(seed))) == 0
    assert any(len(mate(people, 1.4, RNG(seed))) == 2 for seed in range(10))


def test_chc_restarts_from_its_best():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(CHC(population=20, generations=60), Subsets(12), scorer, 0)
    assert len(done.batches) == 60
    shares = [_share_changed(done, i) for i in range(1, 60)]
    # A restart changes 35 % of the units of copies of the best; children stay nearer to it.
    assert any(share is not None and 0.25 < share < 0.45 for share in shares)


def _share_changed(done, i):
    """How much a batch of 20 differs from its first row, where that is the best so far."""
    batch, top = done.batches[i], np.concatenate(done.values[:i]).max()
    if len(batch) != 20 or done.values[i][0] != top:
        return None
    return (batch[1:] != batch[0]).mean()


def test_children_of_equal_value_do_not_keep_the_threshold_from_falling():
    space = Subsets(4)
    rows = np.eye(4, dtype=bool)
    old = Population(rows[:2], Scores(np.array([0.5, 0.7])))
    for value, accepted in (([0.5, 0.4], False), ([0.5, 0.6], True), ([np.nan, 0.5], False)):
        new = Population(rows[2:], Scores(np.array(value)))
        assert _keep(old, new, Better(space))[1] is accepted


@pytest.mark.parametrize("variant", ["eshelman", "hsu"])
def test_both_variants_pass_the_suite_and_find_the_best(variant):
    search = CHC(population=40, generations=60, variant=variant)
    check_search(search)
    scorer = TableMeasure(lambda mask: float(mask[::2].sum())).bind(toy_table(n_features=12))
    assert drive(search, Subsets(12), scorer).best_value == 6.0


def test_the_variant_of_hsu_replaces_every_generation():
    scorer = TableMeasure(pairs_value).bind(toy_table(n_features=12))
    done = drive(CHC(population=20, generations=30, variant="hsu"), Subsets(12), scorer, 0)
    assert [len(batch) for batch in done.batches] == [20] * 30
    # Without elitism the best of a generation may be worse than that of the one before.
    best = [value.max() for value in done.values]
    assert any(after < before for before, after in zip(best, best[1:], strict=False))
