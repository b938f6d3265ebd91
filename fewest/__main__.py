"""``python -m fewest`` and ``fewest`` are the command line."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; Ctrl-C while it loads is an interrupt like any other."""
    try:
        from .cli.main import main as run

        run()
    except KeyboardInterrupt:
        # At once: one more signal while Python ends would change the exit code.
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(130)


if __name__ == "__main__":
    main()
