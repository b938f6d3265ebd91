"""Margins of normal densities whose variances depend on the features they stand with."""

from __future__ import annotations

import numpy as np
from numba import njit

from .margins import NIBBLE, has, judge, prior_margins
from .short_margins import FEW, MOST, fill_short, judge_short, table_room


@njit(cache=True, nogil=True, error_model="numpy")
def normal_margins(x, bounds, low, high, mean, half, logs, used, unit, shift, margins, tolerance):
    """Margins of a block of rows from normal densities, and what rounding may add to them.

    Parameters
    ----------
    x : float64 (features, rows)
    bounds, low, high : see :func:`evidence_margins`
    mean, half, logs : float64 (classes, features)
        Mean, half the inverse variance, logarithm of the density at the mean.
    used : bool (features,)
        Other features are left out.
    unit : float
        Relative error of a variance.
    shift : float64 (features,)
        Error of a mean.
    margins : float64 (features, (classes - 1) * (high - low))
        Where the margins go.
    tolerance : float64 ((classes - 1) * (high - low),)
        Where their errors are added.
    """
    n_classes = mean.shape[0]
    n = high - low
    for j in range(x.shape[0]):
        if not used[j]:
            continue
        for t in range(n_classes):
            first, last = max(bounds[t], low), min(bounds[t + 1], high)
            for o in range(n_classes - 1):
                if first >= last:
                    break
                c = o + (o >= t)
                mean_t, mean_c, half_t, half_c = mean[t, j], mean[c, j], half[t, j], half[c, j]
                ahead = logs[t, j] - logs[c, j]
                fixed = unit * (2.0 + abs(logs[t, j]) + abs(logs[c, j]))
                value = x[j, first:last]
                margin = margins[j, o * n + first - low : o * n + last - low]
                slack = tolerance[o * n + first - low : o * n + last - low]
                for r in range(last - first):
                    away_t, away_c = value[r] - mean_t, value[r] - mean_c
                    far_t, far_c = away_t * half_t, away_c * half_c
                    near_t, near_c = away_t * far_t, away_c * far_c
                    margin[r] = ahead - near_t + near_c
                    slack[r] += (
                        fixed
                        + 2.0 * unit * (near_t + near_c)
                        + 2.0 * shift[j] * (abs(far_t) + abs(far_c))
                    )


def judge_normal(
    x, bounds, log_prior, mean, variance, spread, falling, smoothing, unit, shift, block,
    packed, right, doubtful,
):  # fmt: skip
    """Judge candidates whose variances grow by a share of their features' largest spread.

    Candidates with the same feature of largest spread share their margins, which are made
    once for each such feature.

    Parameters
    ----------
    x, bounds, mean, unit, shift : see :func:`normal_margins`
    log_prior : float64 (classes,)
    variance : float64 (classes, features)
    spread : float64 (features,)
        Variance over all classes.
    falling : int64 (features,)
        The features from the largest spread to the smallest.
    smoothing : float
        ``smoothing * max(spread)`` is added to the variances.
    block : int
        Number of rows in a block.
    packed, right, doubtful : see :func:`judge`
        Every candidate has at least one feature.
    """
    priors = prior_margins(log_prior, bounds, 0, x.shape[1]).reshape(len(log_prior) - 1, -1)
    _judge_groups(
        x, bounds, priors, mean, variance, spread, falling, smoothing, unit, shift, block,
        packed, right.reshape(1, -1), doubtful.reshape(1, -1),
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _judge_groups(
    x, bounds, priors, mean, variance, spread, falling, smoothing, unit, shift, block,
    packed, right, doubtful,
):  # fmt: skip
    d, n = x.shape
    rivals = len(priors)
    order, ends = _by_leader(falling, packed)
    used = np.empty(d, dtype=np.bool_)
    half, logs = np.empty(variance.shape), np.empty(variance.shape)
    for rank in range(d):
        chosen = order[ends[rank] : ends[rank + 1]]
        if len(chosen) > 0:
            # What no candidate of the group has costs no time and raises no doubts.
            few = _features_of(packed, chosen, used) <= FEW * d or d > MOST
            _smooth(variance, smoothing * spread[falling[rank]], used, half, logs)
            for low in range(0, n, block):
                high = min(n, low + block)
                base = priors[:, low:high].copy().ravel()
                tolerance = np.empty(len(base))
                for r in range(len(base)):
                    tolerance[r] = unit * (1.0 + abs(base[r]))
                margins = np.zeros((d, rivals * (high - low)))
                whole = np.array([0, high - low])
                normal_margins(
                    x, bounds, low, high, mean, half, logs, used, unit, shift, margins, tolerance
                )
                if few:
                    judge(margins, base, tolerance, rivals, whole, packed, chosen, right, doubtful)
                else:
                    short = np.empty((d + 1, len(base)), dtype=np.int16)
                    fill_short(margins, base, tolerance, np.empty(len(base)), short)
                    width, room = table_room(high - low, packed.shape[1], rivals)
                    judge_short(
                        margins, base, tolerance, short, rivals, whole, packed, chosen,
                        np.empty((len(chosen), d + 1), dtype=np.int64),
                        np.empty(room, dtype=np.int16), np.empty((2, width), dtype=np.int16),
                        np.empty(width, dtype=np.int64), right, doubtful,
                    )  # fmt: skip


@njit(cache=True, nogil=True)
def _features_of(packed, chosen, used):
    """Mark the features that some of the candidates have, and count them with repetition."""
    total = 0
    for j in range(len(used)):
        users = 0
        for i in chosen:
            users += has(packed, i, j)
        used[j] = users > 0
        total += users
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _smooth(variance, more, used, half, logs):
    for c in range(variance.shape[0]):
        for j in range(variance.shape[1]):
            if used[j]:
                full = variance[c, j] + more
                half[c, j] = 0.5 / full
                logs[c, j] = -0.5 * np.log(2.0 * np.pi * full)


@njit(cache=True, nogil=True)
def _by_leader(falling, packed):
    """The candidates by the rank of their first feature in ``falling``, and where ranks end."""
    d, m = len(falling), packed.shape[0]
    leader = np.empty(m, dtype=np.int64)
    ends = np.zeros(d + 1, dtype=np.int64)
    for i in range(m):
        rank = 0
        while (
            rank < d - 1 and not packed[i, falling[rank] // NIBBLE] >> (falling[rank] % NIBBLE) & 1
        ):
            rank += 1
        leader[i] = rank
        ends[rank + 1] += 1
    for rank in range(d):
        ends[rank + 1] += ends[rank]
    place = ends.copy()
    order = np.empty(m, dtype=np.int64)
    for i in range(m):
        order[place[leader[i]]] = i
        place[leader[i]] += 1
    return order, ends
