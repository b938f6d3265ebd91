"""The line search ends where the function has fallen enough and is flat enough."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.kernels.linear import line_search as kernels
from tests.kernels.opened import opened

FUNCTIONS = {
    "parabola": (lambda t: (t - 1.0) ** 2, lambda t: 2.0 * (t - 1.0)),
    "steep": (lambda t: (t - 0.01) ** 2, lambda t: 2.0 * (t - 0.01)),
    "far": (lambda t: -t / (t**2 + 200.0), lambda t: (t**2 - 200.0) / (t**2 + 200.0) ** 2),
    "flat then steep": (lambda t: np.exp(t) - 3 * t, lambda t: np.exp(t) - 3),
    "wavy": (lambda t: -t - 0.1 * np.sin(5 * t) + 0.02 * t**4,
             lambda t: -1 - 0.5 * np.cos(5 * t) + 0.08 * t**3),
}  # fmt: skip


@pytest.mark.parametrize("first", [1e-3, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_strong_conditions(name, first):
    value, slope = FUNCTIONS[name]
    assert slope(0.0) < 0
    begin, judge = opened(kernels.begin), opened(kernels.judge)
    next_length = opened(kernels.next_length)
    state, length = np.empty(kernels.STATE), first
    begin(state, value(0.0), slope(0.0), length)
    for _ in range(50):
        if judge(state, length, value(length), slope(length)):
            break
        length = next_length(state, length, value(length), slope(length))
    assert value(length) <= value(0.0) + 1e-3 * length * slope(0.0)
    assert abs(slope(length)) <= 0.9 * abs(slope(0.0))


def test_a_value_that_is_none_ends_the_search():
    state = np.empty(kernels.STATE)
    opened(kernels.begin)(state, 1.0, -1.0, 1.0)
    assert opened(kernels.judge)(state, 1.0, np.nan, np.nan)
    assert state[kernels.BRACKETED] < 0
