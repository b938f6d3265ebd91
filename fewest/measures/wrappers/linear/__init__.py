"""Twins of linear and quadratic models, by sub-blocks of cross products."""
