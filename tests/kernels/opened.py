"""Kernels that only kernels call, with a door to Python."""

from __future__ import annotations

from numba import njit


def opened(kernel):
    """The kernel as a function that Python can call."""

    @njit
    def call(*given):
        return kernel(*given)

    return call
