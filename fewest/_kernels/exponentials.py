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
#: (exp(r) - 1 - r) / r ** 2 by a polynomial of degree 9 through the Chebyshev points of
#: \|r\| <= log(2) / 2: off by less than 1e-16.
C0, C1, C2, C3, C4, C5, C6, C7, C8, C9 = (
    0.5000000000000001, 0.16666666666666746, 0.041666666666632164, 0.008333333333229371,
    0.001388888891327158, 0.0001984127020863986, 2.4801527316828005e-05, 2.755683782320635e-06,
    2.761727185453229e-07, 2.527656699309508e-08,
)  # fmt: skip
#: Mantissa bits; the bits of 1 and of the square root of one half.
MANTISSA, ONE, HALF_ROOT = 52, 0x3FF0000000000000, 0x3FE6A09E667F3BCD


@njit(**_VECTORS)
def exponentials(values, scratch):
    r"""Replace each of ``values`` by its exponential; ``scratch`` must be as long.

    exp(x) = 2 ** k exp(r) with \|r\| at most log(2) / 2, and a polynomial for the second factor.
    """
    bits = scratch.view(np.int64)
    for i in range(len(values)):
        values[i] = _exponential(values[i], scratch, bits, i)


@njit(**_VECTORS)
def summed_exponentials(values, scratch, sums):
    """Return the same, and add them to ``sums``."""
    bits = scratch.view(np.int64)
    for i in range(len(values)):
        value = _exponential(values[i], scratch, bits, i)
        values[i] = value
        sums[i] += value


@njit(**_VECTORS)
def _exponential(value, scratch, bits, i):
    value = min(max(value, LOWEST), HIGHEST)
    whole = value * LOG2E + WHOLE
    scratch[i] = whole
    bits[i] = (bits[i] + 1023) << MANTISSA
    power = whole - WHOLE
    r = (value - power * LN2_HIGH) - power * LN2_LOW
    square = r * r
    # By pairs: shorter chains than one product after the other.
    series = (C0 + C1 * r) + square * (
        (C2 + C3 * r) + square * (
            (C4 + C5 * r) + square * ((C6 + C7 * r) + square * (C8 + C9 * r))))  # fmt: skip
    return (1.0 + (r + square * series)) * scratch[i]


@njit(**_VECTORS)
def logarithms(values, scratch):
    r"""Replace each of ``values``, normal positive numbers, by its natural logarithm.

    With x = 2 ** k (1 + f) and s = f / (2 + f), log(1 + f) = 2 artanh(s), whose series in s ** 2
    is taken up to degree 10 (\|s\| is below 0.172).
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
