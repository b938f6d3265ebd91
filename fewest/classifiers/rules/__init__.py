"""Classifiers that are lists of rules: OneR, CN2, RIPPER."""
