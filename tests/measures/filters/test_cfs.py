"""The merit of CFS: the naive one, and that of Weka."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fewest.data._table import Table
from fewest.measures._filters.correlation import CFS
from tests.measures.filters.cases import every_subset, random_table
from tests.measures.networks.xor_example import xor_example
from tests.naive import filters
from tests.oracles.weka import ask_weka, needs_weka, write_arff

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "oracles" / "weka_cfs.json").read_text(encoding="utf-8")
)


def weka_table():
    """A nominal table that needs no random numbers, so that figures for it can be kept."""
    i = np.arange(60)
    values = np.column_stack([i % 2, i % 3, (i * i) % 5 % 4, i // 30, (i * 7) % 11 % 3])
    target = ((i % 2) + (i // 20) + (i % 7 == 0)) % 3
    levels = tuple(tuple(range(int(v.max()) + 1)) for v in values.T)
    return Table(tuple("abcde"), values.astype(float), levels, target, np.array(["x", "y", "z"]))


def test_cfs_merit_equals_the_naive_one_on_every_subset():
    table = random_table(0)
    subsets = every_subset(6)
    merits = CFS().bind(table).score(subsets).value
    columns = list(table.values.T)
    for row, merit in zip(subsets, merits, strict=True):
        inside = [c for c, chosen in zip(columns, row, strict=True) if chosen]
        assert merit == pytest.approx(filters.cfs_merit(inside, table.target), abs=1e-10)


def test_cfs_merit_equals_the_kept_figures_of_weka():
    subsets = np.array([[int(c) for c in row] for row in REFERENCE["subsets"]], dtype=bool)
    # Two features of the table are exactly independent, which Weka counts as correlation 1.
    merits = CFS(independent=1.0).bind(weka_table()).score(subsets).value
    np.testing.assert_allclose(merits, REFERENCE["merits"], atol=1e-6)


@needs_weka
def test_cfs_merit_equals_weka_on_every_subset(tmp_path):
    for number, table in enumerate([weka_table(), random_table(1), xor_example()]):
        subsets = every_subset(table.n_features)[1:]
        words = ["".join(map(str, row.astype(int))) for row in subsets]
        path = write_arff(tmp_path / f"{number}.arff", table)
        merits = [float(line) for line in ask_weka("cfs", path, *words)]
        ours = CFS(independent=1.0).bind(table).score(subsets).value
        np.testing.assert_allclose(ours, merits, atol=1e-6)
        if number == 1:  # no two features are exactly independent: as it is by default
            ours = CFS().bind(table).score(subsets).value
            np.testing.assert_allclose(ours, merits, atol=1e-6)
