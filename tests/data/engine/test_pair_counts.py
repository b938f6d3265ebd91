import numpy as np
import pytest

from fewest.data._engine.entropies import PairCounts, join_groups
from fewest.data._engine.frame import stored_table
from tests.data.engine.sample import arrow, frame
from tests.naive.entropies import entropy


def _counts(table):
    source = arrow(table)
    stored = stored_table(source, "y", tuple(f"x{j}" for j in range(6)))
    return PairCounts(source, stored.coder())


def test_entropies_of_pairs_are_the_naive_ones_in_one_scan():
    table = frame()
    counts = _counts(table)
    pairs, triples = counts.pairs()
    assert counts.scans == 1
    columns = [table[f"x{j}"].fillna("?") for j in range(6)]
    for i, a in enumerate(columns):
        for j, b in enumerate(columns):
            assert pairs[i, j] == pytest.approx(entropy(a, b))
            assert triples[i, j] == pytest.approx(entropy(a, b, table["y"]))


@pytest.mark.parametrize("joined", [1, 8, 64])
def test_groups_columns_and_memory_do_not_change_a_bit(joined):
    counts = _counts(frame())
    pairs, triples = counts.pairs()
    counts.source.memory = 8 * 100 * counts.source.held
    counts.groups = join_groups(counts.sizes, joined)
    again = counts.pairs()
    assert counts.scans > 2
    assert (again[0] == pairs).all()
    assert (again[1] == triples).all()
    for j in range(6):
        assert (counts.column(j) == [pairs[j], triples[j]]).all()
    assert (counts.column(-1) == [np.diag(pairs), np.diag(triples)]).all()


def test_many_columns_of_one_value_are_counted():
    # A hundred axes of length 1 were more than an array can have.
    table = frame().assign(**{f"x{j}": "same" for j in range(6, 100)})
    stored = stored_table(arrow(table), "y", tuple(f"x{j}" for j in range(100)))
    pairs, triples = PairCounts(stored.source, stored.coder()).pairs()
    few, with_class = _counts(frame()).pairs()
    assert (pairs[:6, :6] == few).all()
    assert (triples[:6, :6] == with_class).all()
    assert pairs[7, 90] == 0.0
