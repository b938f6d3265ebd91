"""Permutations: how two of them make a third."""
