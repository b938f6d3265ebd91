"""How often values occur together, by a dictionary."""

from __future__ import annotations

from collections import Counter


def joint_counts(*columns):
    """The number of rows of each combination of values."""
    return Counter(zip(*columns, strict=True))
