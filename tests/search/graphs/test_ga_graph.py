"""The genetic search over graphs."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.search import GAGraph
from fewest.testing import drive


def test_it_reaches_the_proven_best(scorer, space, best):
    done = drive(GAGraph(), space, scorer)
    assert done.best_value == pytest.approx(best)
    assert len(done.batches) == 20
    assert all(len(batch) == 20 for batch in done.batches)


def test_without_climbing_and_mutation_children_have_the_families_of_the_first(scorer, space):
    done = drive(GAGraph(steps=0, mutation=0.0, generations=4), space, scorer)
    first = done.batches[0].reshape(-1, 8, 8)
    for batch in done.batches[1:]:
        for graph in batch.reshape(-1, 8, 8):
            for child in range(8):
                # Repair leaves arcs out; none is new.
                held = (first[:, :, child] >= graph[:, child]).all(axis=1)
                assert held.any()


def test_the_best_survive(scorer, space):
    done = drive(GAGraph(population=6, generations=8), space, scorer, 2)
    so_far = np.maximum.accumulate([values.max() for values in done.values])
    assert so_far[-1] == done.best_value
