"""Genetic searches, and search over several goals."""
