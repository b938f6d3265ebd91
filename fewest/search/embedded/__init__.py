"""Searches that follow the importances or coefficients of a model."""
