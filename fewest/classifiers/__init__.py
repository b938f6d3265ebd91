"""The classifiers of the literature as scikit-learn estimators."""
