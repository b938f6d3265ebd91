"""Spaces to search: subsets and levels, with the constraints that every search obeys."""
