"""Inconsistency rate, its packed tables and its cuts."""
