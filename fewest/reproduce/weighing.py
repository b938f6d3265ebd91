"""Inza (2002, thesis), chapter 7: weights for nearest neighbours, tables 7.2 to 7.4."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from ..classifiers.neighbours.ib4 import IB4
from ..data.dataset import Dataset
from ..data.rows import take_rows
from ..data.table import Table
from ..measures.wrappers.nearest_neighbor import WeightedNeighbors
from ..validation.overlap import Split
from ..validation.weighing import judge_weights
from ..weigh import FeatureWeighter
from .domains import domain_data
from .experiment import Cell, Experiment, Settings, summed
from .paper import Paper
from .validated import halves

ACCURACY, STOPPED, SECONDS = "7.2", "7.3", "7.4"
#: The methods that search, and the names of their combinations.
SEARCHED = {
    "DIET-10": "diet-10",
    "FW-GA-o": "fw-ga-one-point",
    "FW-EBNA": "fw-ebna",
    "FW-EGNA": "fw-egna",
}
#: The domain whose accuracy is estimated by repeated folds (thesis, section 7.5).
LARGE = "Contraceptive"
POPULATION = {False: 1000, True: 100}


def weighing(paper: Paper, settings: Settings, part: str) -> Iterator[Experiment]:
    """A method on a domain each."""
    for domain, row in paper.tables[ACCURACY]["rows"].items():
        for method in row:
            run = partial(_run, paper, settings, domain, method)
            yield Experiment(part, domain, method, run)


def _run(paper: Paper, settings: Settings, domain: str, method: str) -> list[Cell]:
    data = domain_data(paper, domain, settings.seed)
    if method == "no-FW":
        return [_accuracy(domain, method, _each(data, settings, _equal))]
    if method == "IB4":
        return [_accuracy(domain, method, _each(data, settings, _ib4))]
    weighter = FeatureWeighter.named(
        SEARCHED[method],
        measure=WeightedNeighbors(cv="repeated" if domain == LARGE else "leave-one-out"),
    )
    if method != "DIET-10":
        weighter.search.set_params(population=POPULATION[settings.quick])
    return _searched(data, settings, domain, method, weighter)


def _searched(
    data: Dataset, settings: Settings, domain: str, method: str, weighter: FeatureWeighter
) -> list[Cell]:
    table = data.table()
    scores, promised, generations, learning, scoring = [], [], [], [], []
    for number, split in enumerate(halves(data, settings)):
        weighter.set_params(random_state=1000 * settings.seed + number)
        weighter.fit_table(table.take(split[0]))
        result = weighter.result_
        scores.append(float(judge_weights(weighter.weights_, 1, table, split)[0]))
        promised.append(result.score)
        generations.append(result.generations - 1)
        learning.append(sum(h["search_seconds"] for h in result.history) / len(result.history))
        scoring.append(sum(h["scoring_seconds"] for h in result.history) / result.evaluations)
    note = f"selection score {100 * float(np.mean(promised)):.1f}"
    cells = [Cell(ACCURACY, domain, method, *summed(scores, 100), note, each=scores)]
    if method != "DIET-10":
        cells.append(Cell(STOPPED, domain, method, *summed(generations)))
    if method in ("FW-EBNA", "FW-EGNA"):
        cells.append(Cell(SECONDS, domain, method, *summed(learning)))
    if method == "FW-EBNA":
        cells.append(Cell(SECONDS, domain, "1-NN acc. estim.", *summed(scoring)))
    return cells


def _accuracy(domain: str, method: str, scores: list[float]) -> Cell:
    return Cell(ACCURACY, domain, method, *summed(scores, 100), each=scores)


def _each(data: Dataset, settings: Settings, judge: Callable[[Table, Split], float]) -> list[float]:
    table = data.table()
    return [judge(table, split) for split in halves(data, settings)]


def _equal(table: Table, split: Split) -> float:
    """Nearest neighbours without weights."""
    return float(judge_weights(np.ones(table.n_features), 1, table, split)[0])


def _ib4(table: Table, split: Split) -> float:
    train, test = split
    model = IB4().fit(take_rows(table.X, train), table.target[train])
    return float(np.mean(model.predict(take_rows(table.X, test)) == table.target[test]))
