"""Command line: one file per command, no arithmetic."""
