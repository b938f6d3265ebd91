"""Bayesian networks: graphs, scores and structure learning."""
