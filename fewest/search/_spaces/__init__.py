"""What is searched: subsets and levels, with the constraints that every search obeys."""
