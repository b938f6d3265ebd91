"""Searches over real numbers that learn a density of the good candidates and sample it."""
