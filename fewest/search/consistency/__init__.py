"""Searches for the smallest subset that reaches the threshold of a monotone measure."""
