"""Naive Bayes, TAN and general Bayesian network classifiers."""
