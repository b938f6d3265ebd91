"""Posteriors by name, and the evidence itself."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.networks._bif import load_network
from fewest.networks._inference.junction_tree import Posteriors, certain, impossible


def test_posteriors_are_found_by_name_and_level():
    cancer = load_network("cancer")
    values = tuple(np.array([0.25, 0.75]) for _ in cancer.names)
    found = Posteriors(cancer, values, 1.0)
    assert list(found["Smoker"].values()) == [0.25, 0.75]
    assert set(found["Smoker"]) == {"True", "False"}
    with pytest.raises(InputError, match="'smoker'"):
        found["smoker"]


def test_what_is_observed_is_certain():
    assert certain(3, 1).tolist() == [0.0, 1.0, 0.0]
    assert "has probability zero; leave out or change a value." in str(impossible())
