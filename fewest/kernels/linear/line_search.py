"""The line search of Moré and Thuente (1994), one trial after the other."""

from __future__ import annotations

import numpy as np

from ..inner import hot

#: Sufficient decrease, flatness, and the relative width at which an interval is exhausted.
DECREASE, FLAT, NARROW = 1e-3, 0.9, 0.1
#: No step is longer.
LONGEST = 1e10
#: Entries of the state: best step with value and slope, other end of the interval, what the search
#: began with, smallest and largest next step, widths of the last two intervals, the flag of an
#: interval (-1 where the search gave up), and the stage.
(
    BEST, BEST_VALUE, BEST_SLOPE, END, END_VALUE, END_SLOPE, VALUE, SLOPE, LEAST, MOST, WIDTH,
    WIDTH_BEFORE, BRACKETED, STAGE,
) = range(14)  # fmt: skip
STATE = 14


@hot
def begin(state, value, slope, length):
    """A new search with this value and slope at 0, and this first step."""
    state[BEST], state[BEST_VALUE], state[BEST_SLOPE] = 0.0, value, slope
    state[END], state[END_VALUE], state[END_SLOPE] = 0.0, value, slope
    state[VALUE], state[SLOPE] = value, slope
    state[LEAST], state[MOST] = 0.0, 5.0 * length
    state[WIDTH], state[WIDTH_BEFORE] = LONGEST, 2.0 * LONGEST
    state[BRACKETED], state[STAGE] = 0.0, 1.0


@hot
def judge(state, length, value, slope):
    """Whether a trial ends the search."""
    line = state[VALUE] + length * DECREASE * state[SLOPE]
    if state[STAGE] == 1.0 and value <= line and slope >= 0.0:
        state[STAGE] = 2.0
    if not value == value:
        state[BRACKETED] = -1.0
        return True
    if state[BRACKETED] > 0.0:
        if length <= state[LEAST] or length >= state[MOST]:
            return True
        if state[MOST] - state[LEAST] <= NARROW * state[MOST]:
            return True
    if length == LONGEST and value <= line and slope <= DECREASE * state[SLOPE]:
        return True
    return value <= line and abs(slope) <= -FLAT * state[SLOPE]


@hot
def next_length(state, length, value, slope):
    """The next trial, from values and slopes at the last one and at the ends of the interval."""
    tilt = DECREASE * state[SLOPE]
    line = state[VALUE] + length * tilt
    # While the decrease is not sufficient, the function less the line is searched.
    less = state[STAGE] == 1.0 and state[BEST_VALUE] >= value > line
    if less:
        state[BEST_VALUE] -= state[BEST] * tilt
        state[END_VALUE] -= state[END] * tilt
        state[BEST_SLOPE] -= tilt
        state[END_SLOPE] -= tilt
        value, slope = value - length * tilt, slope - tilt
    proposed = _proposal(state, length, value, slope)
    _shrink(state, length, value, slope)
    if less:
        state[BEST_VALUE] += state[BEST] * tilt
        state[END_VALUE] += state[END] * tilt
        state[BEST_SLOPE] += tilt
        state[END_SLOPE] += tilt
    best, end = state[BEST], state[END]
    if state[BRACKETED] > 0.0:
        if abs(end - best) >= 0.66 * state[WIDTH_BEFORE]:
            proposed = best + 0.5 * (end - best)
        state[WIDTH_BEFORE] = state[WIDTH]
        state[WIDTH] = abs(end - best)
        state[LEAST], state[MOST] = min(best, end), max(best, end)
    else:
        state[LEAST] = proposed + 1.1 * (proposed - best)
        state[MOST] = proposed + 4.0 * (proposed - best)
    proposed = min(max(proposed, 0.0), LONGEST)
    if state[BRACKETED] > 0.0:
        outside = proposed <= state[LEAST] or proposed >= state[MOST]
        if outside or state[MOST] - state[LEAST] <= NARROW * state[MOST]:
            proposed = best
    return proposed


@hot
def _cubic(at, value, slope, other, other_value, other_slope, floor):
    """Parts of the minimum of the cubic through two points: root term and sum of slopes."""
    theta = 3.0 * (other_value - value) / (at - other) + other_slope + slope
    size = max(abs(theta), max(abs(other_slope), abs(slope)))
    inside = (theta / size) ** 2 - (other_slope / size) * (slope / size)
    return theta, size * np.sqrt(max(inside, 0.0) if floor else inside)


@hot
def _proposal(state, length, value, slope):
    """The four cases of the paper, section 4."""
    best, best_value, best_slope = state[BEST], state[BEST_VALUE], state[BEST_SLOPE]
    if value > best_value:
        # Higher: the minimum lies between; nearer to the best step than the quadratic says.
        theta, gamma = _cubic(length, value, slope, best, best_value, best_slope, False)
        gamma = -gamma if length < best else gamma
        ratio = (gamma - best_slope + theta) / (gamma - best_slope + gamma + slope)
        cubic = best + ratio * (length - best)
        chord = (best_value - value) / (length - best) + best_slope
        quadratic = best + best_slope / chord / 2.0 * (length - best)
        if abs(cubic - best) <= abs(quadratic - best):
            return cubic
        return cubic + (quadratic - cubic) / 2.0
    if slope * best_slope < 0.0:
        # Lower, and the slope has turned.
        theta, gamma = _cubic(length, value, slope, best, best_value, best_slope, False)
        gamma = -gamma if length > best else gamma
        ratio = (gamma - slope + theta) / (gamma - slope + gamma + best_slope)
        cubic = length + ratio * (best - length)
        secant = length + slope / (slope - best_slope) * (best - length)
        return cubic if abs(cubic - length) > abs(secant - length) else secant
    if abs(slope) < abs(best_slope):
        return _flatter(state, length, value, slope)
    # Lower, and not flatter.
    if state[BRACKETED] > 0.0:
        end, end_value, end_slope = state[END], state[END_VALUE], state[END_SLOPE]
        theta = 3.0 * (value - end_value) / (end - length) + end_slope + slope
        size = max(abs(theta), max(abs(end_slope), abs(slope)))
        gamma = size * np.sqrt((theta / size) ** 2 - (end_slope / size) * (slope / size))
        gamma = -gamma if length > end else gamma
        ratio = (gamma - slope + theta) / (gamma - slope + gamma + end_slope)
        return length + ratio * (end - length)
    return state[MOST] if length > best else state[LEAST]


@hot
def _flatter(state, length, value, slope):
    """Lower, the slope has the same sign and is smaller."""
    best, best_slope = state[BEST], state[BEST_SLOPE]
    theta, gamma = _cubic(length, value, slope, best, state[BEST_VALUE], best_slope, True)
    gamma = -gamma if length > best else gamma
    ratio = (gamma - slope + theta) / (gamma + (best_slope - slope) + gamma)
    if ratio < 0.0 and gamma != 0.0:
        cubic = length + ratio * (best - length)
    else:
        cubic = state[MOST] if length > best else state[LEAST]
    secant = length + slope / (slope - best_slope) * (best - length)
    if state[BRACKETED] > 0.0:
        proposed = cubic if abs(cubic - length) < abs(secant - length) else secant
        limit = length + 0.66 * (state[END] - length)
        return min(limit, proposed) if length > best else max(limit, proposed)
    proposed = cubic if abs(cubic - length) > abs(secant - length) else secant
    return min(max(proposed, state[LEAST]), state[MOST])


@hot
def _shrink(state, length, value, slope):
    """The interval that still holds a minimum."""
    turned = slope * state[BEST_SLOPE] < 0.0
    if value > state[BEST_VALUE]:
        state[END], state[END_VALUE], state[END_SLOPE] = length, value, slope
        state[BRACKETED] = 1.0
        return
    if turned:
        state[END], state[END_VALUE] = state[BEST], state[BEST_VALUE]
        state[END_SLOPE] = state[BEST_SLOPE]
        state[BRACKETED] = 1.0
    state[BEST], state[BEST_VALUE], state[BEST_SLOPE] = length, value, slope
