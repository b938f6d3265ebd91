"""Structure, parameters and samples of discrete networks."""
