"""Hsu (2004), table 3 and figures 3 and 4: orderings for K2 on Asia, and CHC by generation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit

from ..classifiers.trees.id3 import ID3
from ..data.table import Table
from ..measures.orderings.inferential_loss import InferentialLoss
from ..models.inference.ais_bn import AISBN
from ..models.networks.library import load_network
from ..run.loop import Run
from ..run.stop import Generations
from ..search.genetic.chc import CHC
from ..search.orderings.ga_order import GAOrder
from ..search.spaces.orderings import Orderings
from ..select import SubsetSelector
from .domains import domain_data
from .experiment import Cell, Experiment, Settings, summed
from .paper import Paper

#: Training and validation rows of the paper, its population, and its runs by generations.
TRAINING, VALIDATION, POPULATION, LENGTHS = 5000, 1000, 10, (10, 100)
TRIALS = {False: 10, True: 3}
EFFORT = {False: 100, True: 20}
REFERENCES = ("gold posteriors", "observed values")


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """A reading of the reference each, and the curve of CHC."""
    for reference in REFERENCES:
        run = partial(orderings, settings, reference)
        yield Experiment("ordering", "Asia", reference, run)
    yield Experiment("curve", "Breast", "CHC-ID3", partial(chc_curve, paper, settings))


def orderings(settings: Settings, reference: str) -> list[Cell]:
    """The genetic search over orderings of Asia, several trials of each length.

    Notes
    -----
    Hsu (2004, section 5): 5,000 rows for K2, 1,000 for validation, AIS-BN with 1,000 samples
    and an update every 100; elitist, order crossover, swap mutation. The evidence is not given;
    here it is every second variable.
    """
    cells: list[Cell] = []
    trials = TRIALS[settings.quick]
    for length in LENGTHS:
        told = [_trial(reference, length, settings.seed + t) for t in range(trials)]
        # The elite is in every generation, so the best of one is the best so far.
        mean, best = (
            100 * np.array([[e[k] for e in h] for h in told]) for k in ("mean", "best_so_far")
        )
        name = f"{length} generations, {reference}"
        note = f"{trials} trials"
        cells.append(Cell("3", "Asia", f"{name}, average", *summed(mean.mean(axis=1)), note))
        cells.append(Cell("3", "Asia", f"{name}, best", *summed(best[:, -1]), note))
        if length == LENGTHS[-1]:
            lines = {"mean": mean.mean(axis=0), "best": best.mean(axis=0)}
            cells += [
                Cell("fig. 4", "Asia", f"{reference}, {what}", float(line[-1]), None, note,
                     line.round(3).tolist())
                for what, line in lines.items()
            ]  # fmt: skip
    return cells


def _trial(reference: str, length: int, seed: int) -> list[dict[str, Any]]:
    """The history of one run."""
    asia = load_network("asia")
    for_rows, for_split, for_search = (
        np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(3)
    )
    rows = asia.sample(TRAINING + VALIDATION, for_rows)
    table = Table(asia.names, rows.astype(float), asia.levels, np.zeros(len(rows)), None)
    measure = InferentialLoss(
        gold=asia if reference == REFERENCES[0] else None,
        validation=VALIDATION / (TRAINING + VALIDATION),
        inference=AISBN(samples=1000, learning=0.9, updates=9),
    )
    search = GAOrder(population=POPULATION, patience=None)
    run = Run(
        search, measure.bind(table, for_split), Orderings(len(asia.names)), for_search,
        stop=(Generations(length),),
    )  # fmt: skip
    entries = run.go().history.entries
    # A population that proposes nothing new ends a run early; it stays as it is.
    return entries + [entries[-1]] * (length - len(entries))


def chc_curve(paper: Paper, settings: Settings) -> list[Cell]:
    """The validation error of CHC around ID3 by generation, on the Breast data."""
    effort = EFFORT[settings.quick]
    data = domain_data(paper, "Breast", settings.seed)
    selector = SubsetSelector(
        ID3(), search=CHC(population=effort, generations=effort), stop=None,
        cv=ShuffleSplit(1, test_size=1 / 3), random_state=settings.seed,
    )  # fmt: skip
    history = selector.fit(data.X, data.y).result_.history
    lines = {
        what: [round(100 * (1 - entry[key]), 3) for entry in history]
        for what, key in (("mean", "mean"), ("best", "best_so_far"))
    }
    return [
        Cell("fig. 3", "Breast", f"CHC-ID3, {what}", line[-1], None,
             f"generation {len(line) - 1}", line)
        for what, line in lines.items()
    ]  # fmt: skip
