"""Criteria of least squares for numeric targets, and proofs of the best subsets by them."""
