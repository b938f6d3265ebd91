import numpy as np
import pytest

from fewest.data._as_table import as_table
from fewest.data._discretise import Discretiser
from fewest.data._engine import entropies as module
from fewest.data._engine.encode import Coding
from fewest.data._engine.entropies import Sketch, learn_cuts
from tests.data.engine.sample import arrow, mixed

TARGET = Coding("y", ("low", "mid", "top"), None, False)


def _exact(table, method):
    memory = as_table(table[["size", "noise"]], table["y"])
    return Discretiser(method=method, bins=5).fit(memory).cuts


@pytest.mark.parametrize("method", ["mdl", "width", "frequency"])
@pytest.mark.parametrize("batch", [50, 2000])
def test_cuts_of_few_values_are_those_of_a_table_in_memory(method, batch):
    table = mixed()
    found = learn_cuts(arrow(table, batch), ["size", "noise"], TARGET, None, method, 5)
    for coding, exact in zip(found, _exact(table, method), strict=True):
        assert coding.cuts.tolist() == exact.tolist()
    assert [coding.unknown for coding in found] == [False, True]


def test_a_sample_of_ends_is_the_same_for_every_order_and_cuts_lie_near_the_exact_ones(monkeypatch):
    monkeypatch.setattr(module, "HISTOGRAM_BINS", 256)
    monkeypatch.setattr(Sketch, "most", 256)
    table = mixed(6000)
    shuffled = table.sample(frac=1.0, random_state=1)
    one = learn_cuts(arrow(table, 999), ["size"], TARGET, None, "mdl", 10)[0].cuts
    two = learn_cuts(arrow(shuffled, 64), ["size"], TARGET, None, "mdl", 10)[0].cuts
    assert one.tolist() == two.tolist()
    (exact, _) = _exact(table, "mdl")
    ranks = np.searchsorted(np.sort(table["size"]), one) / len(table)
    wanted = np.searchsorted(np.sort(table["size"]), exact) / len(table)
    assert len(ranks) == len(wanted)
    # Two neighbouring ends of 256 have about 1/256 of the values between them.
    assert np.abs(ranks - wanted).max() < 6 / 256
