"""Measures computed from the table alone, without training a model."""
