"""Backward sampling: the plan by hand, posteriors against exact ones."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.networks.draws import BACKWARD, FORWARD, WEIGHT
from fewest._models.graph import Graph
from fewest.networks._bif import load_network
from fewest.networks._inference.junction_tree import ExactInference
from fewest.networks._inference.sampling import BackwardSampling, plan_steps

pytest.importorskip("pyagrum")


def test_the_plan_goes_up_from_the_evidence_first():
    # 0 -> 1 -> 2, 0 -> 3; the value of 2 is known.
    graph = Graph(((), (0,), (1,), (0,)))
    steps = plan_steps(graph, np.array([False, False, True, False])).tolist()
    assert steps == [[BACKWARD, 2], [BACKWARD, 1], [WEIGHT, 0], [FORWARD, 3]]
    nothing = plan_steps(graph, np.zeros(4, dtype=bool))
    assert {what for what, _ in nothing.tolist()} == {FORWARD}


def test_posteriors_given_what_is_below():
    asia = load_network("asia")
    evidence = asia.evidence({"xray": "yes", "dysp": "yes"})
    exact = ExactInference().posteriors(asia, evidence)
    found = BackwardSampling(samples=50_000).posteriors(asia, evidence, np.random.default_rng(0))
    assert found.evidence_probability == pytest.approx(exact.evidence_probability, rel=0.05)
    for one, other in zip(found.values, exact.values, strict=True):
        assert one == pytest.approx(other, abs=0.03)
