"""Sources: the numbers of a table as the last step of an estimator sees them, fold by fold."""
