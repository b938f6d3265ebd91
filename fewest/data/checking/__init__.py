"""A look at a table before any search: what is wrong with it, and what to do."""
