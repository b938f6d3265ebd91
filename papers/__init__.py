"""Experiments of the literature, run again: paper against here."""
