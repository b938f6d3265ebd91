"""The standard functions of the literature on continuous EDAs, turned so that 0 is the largest."""

from __future__ import annotations

import numpy as np

from fewest.search import Box, resolve_search
from fewest.testing import TableMeasure, drive, toy_table

#: Number of variables.
D = 5


def sphere(x):
    return -float((x**2).sum())


def rosenbrock(x):
    return -float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def griewank(x):
    scaled = np.cos(x / np.sqrt(np.arange(1, len(x) + 1)))
    return -float((x**2).sum() / 4000 - scaled.prod() + 1)


def ackley(x):
    away, turns = np.sqrt((x**2).mean()), np.cos(2 * np.pi * x).mean()
    return -float(-20 * np.exp(-0.2 * away) - np.exp(turns) + 20 + np.e)


def sum_can(x):
    """1 / (1e-5 + sum of |partial sums|), at most 1e5."""
    return 1 / (1e-5 + float(np.abs(np.cumsum(x)).sum()))


#: Each with the range of its variables.
RANGES = {
    sphere: (-600.0, 600.0),
    rosenbrock: (-10.0, 10.0),
    griewank: (-600.0, 600.0),
    ackley: (-10.0, 20.0),
    sum_can: (-0.16, 0.16),
}


def in_box(function):
    """The function of weights between 0 and 1."""
    low, high = RANGES[function]
    return lambda weights: function(low + (high - low) * weights)


def best_of(name, function, batches=60, **parameters):
    """The best value that a search finds in so many batches."""
    search = resolve_search(name)
    search.set_params(**parameters)
    scorer = TableMeasure(in_box(function)).bind(toy_table(n_features=D))
    return drive(search, Box(D), scorer, 1, max_batches=batches).best_value
