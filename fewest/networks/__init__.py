"""Bayesian networks: learn them from tables, ask them, compare them."""
