"""Linear and quadratic rules by sub-blocks of matrices of cross products."""
