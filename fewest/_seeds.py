"""One seed for everything random in a run."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ._errors import InputError, brief


def seed_of(random_state: Any) -> int:
    """Return a whole number that repeats the run, from whatever scikit-learn allows."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise InputError(f"`random_state` must be at least 0, but is {random_state}.")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    raise InputError(
        f"`random_state` must be a whole number, a numpy Generator, a RandomState or None, "
        f"but is {brief(random_state)}."
    )


def streams(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Return the two streams of a run: one for the measure (its folds), one for the search."""
    folds, search = np.random.SeedSequence(seed).spawn(2)
    return np.random.default_rng(folds), np.random.default_rng(search)
