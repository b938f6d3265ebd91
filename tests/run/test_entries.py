"""The statistics of all generations, against those of one batch after the other."""

import numpy as np
import pytest

from fewest._run import history as module
from fewest._run.archive import Archive
from fewest._run.history import History
from fewest.measures._measure import Scores
from fewest.search import Subsets


def one_by_one(batch, value):
    known = value[~np.isnan(value)]
    some = len(known) > 0
    return {
        "candidates": len(batch),
        "best": known.max() if some else None,
        "mean": pytest.approx(known.mean()) if some else None,
        "std": pytest.approx(known.std()) if some else None,
        "mean_size": batch.sum(axis=1).mean(),
        "frequency": pytest.approx(batch.mean(axis=0), abs=5e-5),
    }


@pytest.mark.parametrize("cells", [1, 2**24])
def test_every_entry_is_that_of_its_batch(monkeypatch, cells):
    monkeypatch.setattr(module, "CELLS_PER_PART", cells)
    rng = np.random.default_rng(0)
    space = Subsets(40, max_features=25)
    archive, history = Archive(space), History(space)
    expected, best = [], (-np.inf, 0)
    for generation, size in enumerate([5, 1, 3, 1, 20]):
        batch, value = rng.random((size, 40)) < 0.5, np.round(rng.random(size), 1)
        value[rng.random(size) < 0.3] = np.nan
        first = len(archive)
        archive.add(batch, Scores(value), generation)
        rows = rng.permutation(np.append(np.arange(first, len(archive)), 0))
        history.note(rows, Scores(archive.value[rows]), archive, float(generation), 0.5)
        entry = one_by_one(np.asarray(archive.candidates[rows]), archive.value[rows])
        sizes = batch.sum(axis=1)
        own = [(v, -s) for v, s in zip(value, sizes, strict=True) if s <= 25 and v == v]
        best = max([best, *own])
        so_far = {"best_so_far": best[0], "best_size": -best[1]} if best[1] else {}
        expected.append({**entry, **so_far, "seconds": generation, "evaluations": len(archive)})
    for entry, wanted in zip(history.entries, expected, strict=True):
        assert {key: entry[key] for key in wanted} == wanted
