"""Importance tables: messages, shares and parts."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.networks._bif import load_network
from fewest.networks._inference.junction_tree import ExactInference
from fewest.networks._inference.sampling import (
    HeuristicImportance,
    SampleTally,
    SelfImportance,
    heuristic_tables,
    parts_of,
    row_shares,
)

pytest.importorskip("pyagrum")


def test_heuristic_tables_are_exact_in_a_tree():
    # A chain: Pollution and Smoker made irrelevant by looking at Cancer -> Xray alone.
    cancer = load_network("cancer")
    evidence = cancer.evidence({"Xray": "positive"})
    exact = ExactInference().posteriors(cancer, evidence)
    found = HeuristicImportance(samples=2000).posteriors(cancer, evidence, np.random.default_rng(0))
    assert found.evidence_probability == pytest.approx(exact.evidence_probability, rel=0.05)
    assert found.effective > 1500
    tables = heuristic_tables(SampleTally(cancer, evidence))
    assert tables == pytest.approx(tables.clip(0, 1))


def test_parts_and_shares():
    assert parts_of(10, 3) == [4, 3, 3]
    assert parts_of(2, 5) == [1, 1]
    cancer = load_network("cancer")
    tally = SampleTally(cancer, cancer.evidence({}))
    cells = np.zeros_like(tally.true)
    first = tally.layout[3][0]
    cells[first : first + 2] = 3.0, 1.0
    shares = row_shares(cells, tally, tally.true)
    assert shares[first : first + 2].tolist() == [0.75, 0.25]
    # Rows without weight stay as they were.
    np.testing.assert_array_equal(shares[first + 2 :], tally.true[first + 2 :])


def test_tables_that_follow_the_samples_make_more_of_them_count():
    cancer = load_network("cancer")
    evidence = cancer.evidence({"Xray": "positive", "Dyspnoea": "True"})
    rng = np.random.default_rng
    few = SelfImportance(samples=20_000, updates=1).posteriors(cancer, evidence, rng(0))
    many = SelfImportance(samples=20_000, updates=20).posteriors(cancer, evidence, rng(0))
    assert many.effective > few.effective
