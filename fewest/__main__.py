"""``python -m fewest`` and ``fewest`` are the command line."""

from __future__ import annotations

import gc
import os
import sys

#: Objects made between two looks for reference cycles. A command makes millions of objects while
#: it loads and hardly any cycles; with Python's own 700 the looks cost a tenth of its time.
BETWEEN_LOOKS = 200_000


def main() -> None:
    """Run the command line; Ctrl-C while it loads is an interrupt like any other."""
    gc.set_threshold(BETWEEN_LOOKS)
    try:
        from ._cli.main import main as run

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
