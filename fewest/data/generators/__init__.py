"""Data sets made by rule, whose relevant features are known."""

from .registry import about, generate, names

__all__ = ["about", "generate", "names"]
