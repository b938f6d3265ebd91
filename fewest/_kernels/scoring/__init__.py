"""Metrics of predictions, for a whole batch of models over the same rows."""
