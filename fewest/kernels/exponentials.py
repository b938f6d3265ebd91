"""Exponentials and logarithms of whole arrays, in loops that compile to vector code.

A call of the C library for each number takes most of the time of a loss. These take a few
operations each, many numbers at once, and are right up to the last two bits.
"""

from __future__ import annotations

import numpy as np
from numba import njit

#: Products may be added without rounding between; nothing else may be moved.
_VECTORS = {"cache": True, "nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

LOG2E = 1.4426950408889634
#: The logarithm of 2 in two parts: whole multiples of the first are exact.
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
#: Added to a number it leaves its nearest whole one in the lowest bits.
WHOLE = 6755399441055744.0
#: Exponentials below and above are those of these numbers.
LOWEST, HIGHEST = -708.0, 709.0
#: Mantissa bits; the bits of 1 and of the square root of one half.
MANTISSA, ONE, HALF_ROOT = 52, 0x3FF0000000000000, 0x3FE6A09E667F3BCD


@njit(**_VECTORS)
def exponentials(values, scratch):
    """Replace each of ``values`` by its exponential; ``scratch`` must be as long.

    Notes
    -----
    exp(x) = 2 ** k exp(r) with \\|r\\| at most log(2) / 2, and the Taylor series up to degree 13,
    whose rest there is below 1e-17.
    """
    n = len(values)
    for i in range(n):
        value = min(max(values[i], LOWEST), HIGHEST)
        whole = value * LOG2E + WHOLE
        scratch[i] = whole
        power = whole - WHOLE
        values[i] = (value - power * LN2_HIGH) - power * LN2_LOW
    bits = scratch.view(np.int64)
    for i in range(n):
        bits[i] = (bits[i] + 1023) << MANTISSA
    for i in range(n):
        r = values[i]
        high = 1.0 / 5040.0 + r * (1.0 / 40320.0 + r * (1.0 / 362880.0 + r * (
            1.0 / 3628800.0 + r * (1.0 / 39916800.0 + r * (
                1.0 / 479001600.0 + r * (1.0 / 6227020800.0))))))  # fmt: skip
        low = 0.5 + r * (1.0 / 6.0 + r * (
            1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0 + r * high))))  # fmt: skip
        values[i] = (1.0 + (r + r * r * low)) * scratch[i]


@njit(**_VECTORS)
def logarithms(values, scratch):
    """Replace each of ``values``, normal positive numbers, by its natural logarithm.

    Notes
    -----
    With x = 2 ** k (1 + f) and s = f / (2 + f), log(1 + f) = 2 artanh(s), whose series in s ** 2
    is taken up to degree 10 (\\|s\\| is below 0.172).
    """
    n = len(values)
    bits, powers = values.view(np.int64), scratch.view(np.int64)
    for i in range(n):
        powers[i] = (bits[i] - HALF_ROOT) >> MANTISSA
        bits[i] -= powers[i] << MANTISSA
    # The lowest bits of a large number hold the power, which then is a number.
    for i in range(n):
        powers[i] += 0x4338000000000000
    for i in range(n):
        f = values[i] - 1.0
        s = f / (2.0 + f)
        z = s * s
        high = 1.0 / 13.0 + z * (
            1.0 / 15.0 + z * (1.0 / 17.0 + z * (1.0 / 19.0 + z * (1.0 / 21.0))))  # fmt: skip
        series = z * (1.0 / 3.0 + z * (1.0 / 5.0 + z * (
            1.0 / 7.0 + z * (1.0 / 9.0 + z * (1.0 / 11.0 + z * high)))))  # fmt: skip
        power = scratch[i] - WHOLE
        values[i] = power * LN2_HIGH + (2.0 * s + (2.0 * s * series + power * LN2_LOW))
