"""Decision trees: ID3 and C4.5."""
