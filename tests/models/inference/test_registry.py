"""Inferences by name."""

from __future__ import annotations

import pytest

from fewest.errors import InputError
from fewest.models.inference.ais_bn import AISBN
from fewest.models.inference.exact import ExactInference
from fewest.models.inference.registry import resolve_inference
from fewest.models.inference.sampling import Sampler


def test_names_are_resolved():
    assert isinstance(resolve_inference("exact"), ExactInference)
    assert isinstance(resolve_inference(AISBN()), Sampler)
    with pytest.raises(InputError, match=r"but is 'ais'. Did you mean ais-bn\?"):
        resolve_inference("ais")
