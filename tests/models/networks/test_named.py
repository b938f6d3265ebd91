"""Variables and levels by name."""

import numpy as np
import pytest

from fewest._errors import InputError
from fewest.networks._bif import load_network


def test_names_and_levels_of_a_network():
    asia = load_network("asia")
    assert asia.ordering[0] == "asia"
    codes = asia.evidence({"smoke": "no", "xray": "yes"})
    assert np.flatnonzero(codes >= 0).tolist() == [asia.position("smoke"), asia.position("xray")]
    with pytest.raises(InputError, match=r"`evidence` must name a variable .* 'smok' is none"):
        asia.evidence({"smok": "no"})
    with pytest.raises(InputError, match="`evidence` gives smoke the value 'maybe', but it takes"):
        asia.evidence({"smoke": "maybe"})
