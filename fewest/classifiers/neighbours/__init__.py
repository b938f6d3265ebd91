"""Classifiers that compare rows: nearest neighbours and exemplars."""
