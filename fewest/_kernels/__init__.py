"""Compiled loops: arrays in, arrays out, named by their mathematics."""
