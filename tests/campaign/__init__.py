"""Faults on purpose: ``python -m tests.campaign --minutes N`` kills, floods and damages runs."""
