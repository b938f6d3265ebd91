"""Rows that a subset leaves without a class, one row at a time."""

from __future__ import annotations


def naive_ruled_out(ruled, masks):
    """How many rows each subset leaves without a class; ``ruled[row][class][feature]``."""
    return [
        sum(all(any(r and m for r, m in zip(c, mask, strict=True)) for c in row) for row in ruled)
        for mask in masks
    ]
