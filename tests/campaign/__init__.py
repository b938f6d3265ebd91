"""Faults on purpose: ``python -m tests.campaign --seconds N`` kills, floods and damages runs."""
