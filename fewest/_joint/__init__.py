"""How classifiers behave together: a Bayesian network over their predictions, and what it says."""
