"""Decision trees over many subsets, grown together."""
