"""Searches over orderings."""
