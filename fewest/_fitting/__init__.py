"""What all estimators of fewest share when they are fitted: frames, metadata, callbacks."""
