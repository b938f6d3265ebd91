"""Cross-validated estimators, and fast twins that give the same fold scores in batches."""
