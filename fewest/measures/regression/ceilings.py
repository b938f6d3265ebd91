"""How much it costs at least to drop many columns: a bound from all of them together.

Dropping a set D raises the residual sum of squares by b' C⁻¹ b, with the coefficients b of D and
the block C of the inverse cross products. Where a diagonal matrix Δ is above C (Δ - C has no
negative eigenvalue), that is at least the sum of b² / Δ over D, so that the cheapest columns give
a bound for each size. Relaxations split a diagonal off a matrix in the same way (Dong, Chen and
Linderoth, 2015). A part of the subsets has smaller matrices, to which Δ still applies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Steps towards the best diagonal, and from that of a larger part; the length of a step, and how
#: sharp the largest eigenvalue is looked at, first and last.
STEPS, STEPS_ON, LENGTH, SHARP = 20, 5, 0.2, (5.0, 30.0)


def dropping_costs(
    inverse: Floats, beta: Floats, ceiling: Floats | None = None
) -> tuple[Floats, Floats]:
    """What each column costs at least, so that the sum over any set is no more than its cost.

    Parameters
    ----------
    inverse : float64 array of shape (c, c)
        Inverse of the cross products.
    beta : float64 array of shape (c,)
        Coefficients.
    ceiling : float64 array of shape (c,) or None
        A diagonal to start from.

    Returns
    -------
    costs, ceiling : float64 arrays of shape (c,)
        With the diagonal that gives them.

    Notes
    -----
    The sum over all columns is raised by steps that give more to columns with a larger share of
    the costs than of the largest eigenvectors, and are then scaled until the diagonal is above.

    Examples
    --------
    >>> costs, _ = dropping_costs(np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([3.0, 3.0]))
    >>> np.round(costs, 6).tolist()
    [6.0, 6.0]
    """
    if not len(beta):
        return np.zeros(0), np.zeros(0)
    own, root = np.diagonal(inverse), np.sqrt(np.diagonal(inverse))
    alone, related = beta**2 / own, inverse / np.outer(root, root)
    share = np.ones(len(beta)) if ceiling is None else own / ceiling
    steps = STEPS if ceiling is None else STEPS_ON
    best, most = share, -1.0
    for step in range(steps + 1):
        scale = np.sqrt(share)
        values, vectors = np.linalg.eigh(scale[:, None] * related * scale)
        # A little less than fits: eigenvalues are rounded.
        share = share / values[-1] * (1.0 - 1e-9)
        costs = alone * share
        if costs.sum() > most:
            best, most = share, float(costs.sum())
        if not most > 0.0:
            break
        part = step / STEPS if ceiling is None else 1.0
        sharp = SHARP[0] * (SHARP[1] / SHARP[0]) ** part
        heavy = vectors**2 @ np.exp(sharp * (values / values[-1] - 1.0))
        wanted = np.maximum(costs / costs.sum(), 1e-12) / np.maximum(heavy / heavy.sum(), 1e-12)
        share = share * np.clip(wanted, 0.05, 20.0) ** LENGTH
    return alone * best, own / best


def floors_by_size(
    rest: float, alone: Floats, costs: Floats, sizes: NDArray[np.int64], kept: int, most: int
) -> Floats:
    """The least unexplained share of each size from 0 to ``most``.

    Parameters
    ----------
    rest : float
        With all units.
    alone, costs : float64 arrays of shape (units,)
        What it costs to drop each unit alone, and what it costs at least beside others.
    sizes : int64 array of shape (units,)
        Features of each unit.
    kept : int
        Features that are kept for good.
    """
    floors = np.full(most + 1, np.inf)
    whole = kept + int(sizes.sum())
    order = np.argsort(costs / sizes, kind="stable")
    reach = np.concatenate([[0], np.cumsum(sizes[order])])
    total = np.concatenate([[0.0], np.cumsum(costs[order])])
    cheapest, largest = np.sort(alone), int(sizes.max(initial=1))
    for size in range(kept, min(whole, most) + 1):
        dropped = whole - size
        # Units may be dropped in part here, which costs no more.
        together = float(np.interp(dropped, reach, total))
        units = -(-dropped // largest)
        single = float(cheapest[units - 1]) if units else 0.0
        floors[size] = rest + max(together, single)
    return floors
