"""Honest numbers: external loops, tests, stability."""
