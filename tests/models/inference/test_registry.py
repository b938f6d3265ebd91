"""Inferences by name."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.networks._bif import load_network
from fewest.networks._inference import sampling as registry
from fewest.networks._inference.junction_tree import ExactInference
from fewest.networks._inference.sampling import AISBN, Sampler, resolve_inference


def test_names_are_resolved():
    assert isinstance(resolve_inference("exact"), ExactInference)
    assert isinstance(resolve_inference(AISBN()), Sampler)
    with pytest.raises(InputError, match=r"but is 'ais'. Did you mean ais-bn\?"):
        resolve_inference("ais")


def test_auto_is_exact_where_the_junction_tree_is_small(monkeypatch):
    asia = load_network("asia")
    codes, rng = asia.evidence({"xray": "yes"}), np.random.default_rng(0)
    exact = resolve_inference("auto").posteriors(asia, codes, rng)
    assert exact.effective is None
    monkeypatch.setattr(registry, "MOST_CELLS", 10)
    sampled = resolve_inference("auto").posteriors(asia, codes, rng)
    assert sampled.effective > 1000
    assert sampled["lung"]["yes"] == pytest.approx(exact["lung"]["yes"], abs=0.05)
    assert exact["lung"].errors == {"yes": 0.0, "no": 0.0}
