"""Honest numbers: external loops, corrected scores, tests, stability."""
