"""Exact search: the smallest subset that reaches a threshold, with a proof."""
