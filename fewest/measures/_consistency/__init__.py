"""The inconsistency rate, its packed tables and its cuts."""
