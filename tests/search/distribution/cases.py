"""What estimation-of-distribution searches are tried on."""

from __future__ import annotations

import numpy as np


def target_at(best):
    return lambda mask: -float(np.abs(mask - best.astype(float)).sum())


def pairs_must_agree(mask):
    """Units 2k and 2k + 1 score only together; alone they cost."""
    pairs = np.asarray(mask, dtype=float).reshape(-1, 2)
    return float(pairs.prod(axis=1).sum() - 0.6 * np.abs(pairs[:, 0] - pairs[:, 1]).sum())
