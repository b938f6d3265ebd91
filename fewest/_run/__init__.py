"""One loop: cache, execute, journal, stop, choose, result."""
