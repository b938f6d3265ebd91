"""Inference in Bayesian networks: exact and by sampling, behind one interface."""
