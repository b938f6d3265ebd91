"""Searches over the graphs of Bayesian networks."""
