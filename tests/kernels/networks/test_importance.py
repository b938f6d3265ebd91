"""Weighted samples against a slow twin on the same random numbers."""

import numpy as np
import pytest

from fewest._kernels.networks.draws import importance_samples, logic_samples
from fewest.networks._bif import load_network
from fewest.networks._inference.sampling import SampleTally
from tests.naive import weighted_samples as naive


def as_dictionaries(network, flat):
    tables, starts = {}, network.network.places[2]
    for i, parents in enumerate(network.graph.parents):
        shape = [int(network.cardinalities[p]) for p in parents]
        rows = flat[starts[i] : starts[i + 1]].reshape(-1, int(network.cardinalities[i]))
        tables[i] = {case: rows[k].tolist() for k, case in enumerate(np.ndindex(*shape))}
    return tables


@pytest.fixture
def case():
    network = load_network("asia")
    evidence = network.evidence({"xray": "yes", "bronc": "no"})
    uniform = np.random.default_rng(0).random((60, 8))
    known = {i: int(v) for i, v in enumerate(evidence) if v >= 0}
    return network, evidence, known, uniform


def compare(tally, slow, network):
    weights = np.array([w for _, w in slow])
    assert tally.totals == pytest.approx([weights.sum(), (weights**2).sum(), (weights > 0).sum()])
    for i, r in enumerate(network.cardinalities):
        expected = [sum(w for values, w in slow if values[i] == k) for k in range(r)]
        found = tally.marginals[:, tally.places[i] : tally.places[i + 1]]
        squares = [sum(w**2 for values, w in slow if values[i] == k) for k in range(r)]
        assert found == pytest.approx(np.array([expected, squares]))


def test_importance_samples(case):
    network, evidence, known, uniform = case
    tally = SampleTally(network, evidence)
    proposal = 0.5 * tally.true + 0.25
    cells = np.zeros_like(tally.true)
    importance_samples(
        uniform, tally.order, *tally.layout, tally.true, proposal, evidence, tally.places,
        tally.marginals, cells, tally.totals,
    )  # fmt: skip
    slow = naive.importance(
        uniform, network.graph.order, network.graph.parents,
        as_dictionaries(network, tally.true), as_dictionaries(network, proposal), known,
    )  # fmt: skip
    compare(tally, slow, network)
    counted = as_dictionaries(network, cells)
    child = network.position("dysp")
    for values, _ in slow[:5]:
        row = tuple(values[p] for p in network.graph.parents[child])
        met = sum(
            w
            for v, w in slow
            if tuple(v[p] for p in network.graph.parents[child]) == row
            and v[child] == values[child]
        )
        assert counted[child][row][values[child]] == pytest.approx(met)


def test_logic_samples(case):
    network, evidence, known, uniform = case
    tally = SampleTally(network, evidence)
    logic_samples(
        uniform, tally.order, *tally.layout, tally.true, evidence, tally.places, tally.marginals,
        tally.totals,
    )  # fmt: skip
    slow = naive.rejection(
        uniform, network.graph.order, network.graph.parents,
        as_dictionaries(network, tally.true), known,
    )  # fmt: skip
    compare(tally, slow, network)
