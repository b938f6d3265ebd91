"""Probability models that learn from rows and sample rows; they know nothing of features."""
