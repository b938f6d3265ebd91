"""Tables and helpers that several tests of network measures use."""

from __future__ import annotations

import numpy as np

from fewest.search import Subsets
from fewest.testing import drive
from tests.measures.networks.xor_example import names

CLASSIFIERS = ["naive-bayes", "tan", "complete"]


def columns_of(table):
    columns = {n: list(v) for n, v in zip(table.names, table.values.T, strict=True)}
    return {**columns, "C": list(table.target)}


def every_subset(d):
    return np.array([[(s >> i) & 1 for i in range(d)] for s in range(2**d)], dtype=bool)


def members(table, mask):
    return [n for n, inside in zip(table.names, mask, strict=True) if inside]


def kept(measure, example, search):
    return names(drive(search, Subsets(8), measure.bind(example)).answer)
