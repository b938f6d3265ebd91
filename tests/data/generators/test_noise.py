"""Noise."""

from __future__ import annotations

import numpy as np

from fewest.data import generate, load


def test_noise_is_balanced_and_names_are_generated_on_load():
    assert np.unique(generate("noise").y, return_counts=True)[1].tolist() == [30, 30]
    assert load("corral").relevant == ("A0", "A1", "B0", "B1")
