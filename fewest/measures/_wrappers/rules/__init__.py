"""Rules: the models of many subsets on the folds of a cross-validation, without training each."""
