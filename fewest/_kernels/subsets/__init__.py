"""Sets of columns as bits: hitting sets, lattices, inconsistency counts."""
