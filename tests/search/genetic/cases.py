"""What genetic searches are tried on."""

from __future__ import annotations


def pairs_value(mask):
    """Pairs that only help together, every second feature useless."""
    return float(sum(mask[i] & mask[i + 1] for i in range(0, 12, 4)) - 0.1 * mask.sum())
