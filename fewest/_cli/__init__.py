"""Command line: short commands in `main`, one file for each of the others; no arithmetic."""
