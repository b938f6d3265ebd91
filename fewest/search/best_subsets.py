"""The best subsets of a measure that proves them, over the units of a space."""

from __future__ import annotations

import math

import numpy as np

from ..measures.base import Scorer
from ..measures.proofs import Allowed, Proof
from .base import Proposals, Verdict
from .monotone import Bounds, unit_costs, unit_features
from .spaces.base import Space


def allowed_in(space: Space, each_size: bool) -> Allowed:
    """The constraints of a space, as a measure reads them."""
    nothing = np.zeros((1, space.n_units), dtype=bool)
    fixed = np.asarray(space.expand(nothing), dtype=bool)[0]
    spent = float(space.cost(nothing)[0])
    limited = space.budget is not None
    budget = float(space.budget or 0.0) * (1 + 1e-12) - spent if limited else math.inf
    most = len(fixed) if space.max_features is None else space.max_features
    return Allowed(
        fixed, unit_features(space), unit_costs(space), budget, space.min_features, most, each_size
    )


def prove_best(
    space: Space, rng: np.random.Generator, scorer: Scorer, each_size: bool, bounds: Bounds
) -> Proposals:
    """Yield better and better subsets until none is left that could be better.

    ``bounds`` is filled with the highest value that is not excluded.
    """
    proof = scorer.best_subsets(allowed_in(space, each_size))
    first = np.asarray(space.repair(np.zeros((1, space.n_units), dtype=bool), rng), dtype=bool)
    proof.offer(first)
    yield first
    while not proof.done:
        found = proof.work()
        _tell(proof, bounds, each_size)
        yield found
    _tell(proof, bounds, each_size)
    what = "of its size " if each_size else ""
    return Verdict(f"proven: no subset {what}has a better score", optimal=True)


def _tell(proof: Proof, bounds: Bounds, each_size: bool) -> None:
    bounds.value = proof.bound()
    if each_size:
        bounds.sizes = proof.sizes()
