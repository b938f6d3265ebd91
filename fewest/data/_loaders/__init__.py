"""Readers of files: each turns one format into typed columns."""
