"""Description lengths and likelihoods of Bayesian network classifiers."""
