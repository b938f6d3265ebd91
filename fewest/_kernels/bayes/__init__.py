"""Statistics, margins and likelihoods of naive Bayes and TAN."""
