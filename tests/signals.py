"""Signals for the processes that tests start."""

from __future__ import annotations

import signal


def hear_interrupts():
    """As ``preexec_fn``: what runs in the background of a shell inherits that it ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
