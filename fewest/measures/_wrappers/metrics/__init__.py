"""scikit-learn's metrics over a batch of candidates: fold scores from responses."""
