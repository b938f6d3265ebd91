"""Decision tables: the training rows themselves, by their values on a few features."""
