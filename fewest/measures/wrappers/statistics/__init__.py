"""Statistics of folds from which rules are solved."""
