"""Deliberate changes to the package that the tests should notice: ``python -m tests.mutants``."""
