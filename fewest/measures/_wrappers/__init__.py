"""Cross-validated estimators: the scoring line, from the numbers of a fold to its scores."""
