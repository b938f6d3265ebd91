"""Tests of the check of tables."""
