"""The hunt: random tables, models and scorings, against scikit-learn's cross_val_score."""
