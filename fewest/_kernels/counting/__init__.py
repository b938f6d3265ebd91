"""Counts of value combinations, entropies and cut points."""
