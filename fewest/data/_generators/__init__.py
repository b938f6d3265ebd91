"""Data sets made by rule, whose relevant features are known."""

from .by_name import about, generate, names

__all__ = ["about", "generate", "names"]
