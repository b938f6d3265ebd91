"""Searches that learn a probability model of the best candidates and sample from it."""
