"""Searches that take one step at a time: greedy, floating, best-first, annealing."""
