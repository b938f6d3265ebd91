"""Dash and Liu (2003): how fast LVF and QBB come to small subsets; FocusM against ABB."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from fewest.data._as_table import as_table
from fewest.data._dataset import Dataset
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.measures._measure import Scorer
from fewest.search import ABB, LVF, QBB, FocusM, Search, Subsets
from fewest.testing import drive

from .experiment import Cell, Settings, mean_std

#: How often a random search is run, in full and quick.
RUNS = {False: 50, True: 5}
#: Draws (LVF) or evaluations (QBB) of figure 4.
BUDGETS = (1000, 2000, 3000, 4000, 5000)
#: Domains of figure 3, and draws between two of its points.
DOMAINS_OF_FIGURE_3, DRAWS_PER_STEP = ("Mushroom", "Promoters"), 25
SIZES, SHARP, BY_DOMAIN, AVERAGE = "1 LVF", "fig. 3", "fig. 4a", "fig. 4"
#: Bits of the domains in which FocusM and ABB race.
N_BITS = 12
MOST_BATCHES = 10**7


def consistency(data: Dataset) -> Scorer:
    """Return the inconsistency scorer of a data set whose numbers are labels."""
    return Inconsistency().bind(as_table(data.X, data.y, nominal=list(data.names)))


def intermediate(data: Dataset, domain: str, draws: int, settings: Settings) -> list[Cell]:
    """Return table 1 and figure 3: the size that LVF has reached after some draws."""
    scorer = consistency(data)
    runs = [_size(LVF(tries=draws), scorer, data, seed) for seed in _seeds(settings)]
    note = f"after {draws} draws, {len(runs)} runs, {min(runs):.0f} to {max(runs):.0f}"
    cells = [Cell(SIZES, domain, "M'", *mean_std(runs), note)]
    if domain in DOMAINS_OF_FIGURE_3:
        curve = _developed(data, scorer, draws, settings)
        cells.append(Cell(SHARP, domain, f"{domain}, LVF", curve[-1], None, "", curve))
    return cells


def _developed(data: Dataset, scorer: Scorer, draws: int, settings: Settings) -> list[float]:
    """Return the mean size after 0, 25, 50, ... draws, at least 500."""
    steps = range(DRAWS_PER_STEP, max(draws, 500) + 1, DRAWS_PER_STEP)
    curve = [float(len(data.names))]
    for tries in steps:
        runs = [_size(LVF(tries=tries), scorer, data, seed) for seed in _seeds(settings)]
        curve.append(float(np.mean(runs)))
    return curve


def by_budget(data: Dataset, domain: str, settings: Settings) -> list[Cell]:
    """Return one domain of figure 4: mean sizes of LVF and QBB for each budget."""
    scorer = consistency(data)
    cells = []
    for name, search in (("LVF", LVF), ("QBB", QBB)):
        curve = [
            float(np.mean([_size(search(tries=n), scorer, data, s) for s in _seeds(settings)]))
            for n in BUDGETS
        ]
        cells.append(Cell(BY_DOMAIN, domain, f"{domain}, {name}", curve[-1], None, "", curve))
    return cells


def averaged(cells: Iterable[Cell], domains: Sequence[str]) -> list[Cell]:
    """Return the mean over all domains for figure 4, once they have all been run.

    Examples
    --------
    >>> one = Cell("fig. 4a", "A", "A, LVF", 3.0, None, "", [5.0, 3.0])
    >>> two = Cell("fig. 4a", "B", "B, LVF", 1.0, None, "", [1.0, 1.0])
    >>> averaged([one, two], ["A", "B"])[0].curve
    [3.0, 2.0]
    """
    found = []
    own = [cell for cell in cells if cell.table == BY_DOMAIN]
    for name in ("LVF", "QBB"):
        curves = [c.curve for c in own if c.method.endswith(f", {name}") and c.curve is not None]
        if len(curves) == len(domains):
            mean = np.mean(curves, axis=0).tolist()
            method = f"all domains, {name}"
            found.append(Cell(AVERAGE, "all domains", method, mean[-1], None, "", mean))
    return found


def race(table: str, domain: str) -> list[Cell]:
    """Count what FocusM and ABB evaluate where the class is the parity of M of twelve bits."""
    rows = np.array(list(itertools.product("01", repeat=N_BITS)), dtype=object)
    cells = []
    for needed in range(1, N_BITS):
        parity = (rows[:, :needed] == "1").sum(axis=1) % 2
        scorer = Inconsistency().bind(as_table(rows, parity))
        for name, search in (("FocusM", FocusM()), ("ABB", ABB())):
            done = drive(search, Subsets(N_BITS), scorer, 0, MOST_BATCHES)
            assert done.answer is not None
            assert int(done.answer.sum()) == needed
            method = f"{name}, M = {needed}"
            cells.append(Cell(table, domain, method, float(done.evaluations)))
    return cells


def _size(search: Search, scorer: Scorer, data: Dataset, seed: int) -> float:
    answer = drive(search, Subsets(len(data.names)), scorer, seed, MOST_BATCHES).answer
    assert answer is not None
    return float(np.asarray(answer).sum())


def _seeds(settings: Settings) -> range:
    return range(settings.seed, settings.seed + RUNS[settings.quick])
