"""Joint behaviour of classifiers: a Bayesian network over their predictions, and its reading."""
