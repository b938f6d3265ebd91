"""Distributions of real numbers: the multivariate normal and Gaussian networks."""
