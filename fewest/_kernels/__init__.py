"""Compiled loops: arrays in, arrays out, named by their mathematics."""

import warnings

from numba import NumbaPerformanceWarning
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

# What numba says of its speed while it compiles is for developers, not for users.
warnings.filterwarnings("ignore", category=NumbaPerformanceWarning, module=r".*fewest.*_kernels")


def keeps_compiled_code():
    """Return whether numba finds a folder to write to, beside this file or at home."""
    try:
        FunctionCache(keeps_compiled_code)
    except RuntimeError:
        return False
    return True


if not keeps_compiled_code():
    # numba would refuse to compile what it cannot keep. Here every process compiles for itself.
    Dispatcher.enable_caching = lambda dispatcher: None
