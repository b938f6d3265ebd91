"""Inza et al. (2000), fig. 7: what a search believes and what is true, by training size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fewest._run.result import Result
from fewest._run.stop_rules import Generations
from fewest._subset_selector import SubsetSelector
from fewest._validation.significance import Split
from fewest._validation.validation import score_generations
from fewest.classifiers._naive_bayes import MLCNaiveBayes
from fewest.data._table import Table
from fewest.measures._wrappers.splits import REPETITIONS, STANDARD_ERROR
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.search._network_models import EBNA

from .domains import domain_data
from .experiment import Cell, Settings
from .paper import Paper

DOMAIN = "Waveform-40"
SIZES = (100, 200, 400, 800, 1600)
TEST_ROWS = 3200
#: Generations after the first: the figure is about going on.
GENERATIONS = 10
#: Training sets drawn of each size, in full and quick.
DRAWS = {False: 5, True: 2}


@dataclass
class Trial:
    """Accuracy by generation, in percent, inside and outside of one search."""

    internal: list[float]
    external: list[float]
    error: float


def by_size(paper: Paper, settings: Settings, rows: int, population: int) -> list[Cell]:
    """Return the cells of one training size; their curves are the lines of the figure.

    Notes
    -----
    Inza et al. (2000, section 4.4). Here the lines are means over several training sets; the
    paper does not say over how many. The generations after which a search would have stopped
    are shown as well.
    """
    table = domain_data(paper, DOMAIN, settings.seed).table()
    search = EBNA(population=population)
    trials = [_trial(table, search, split, settings) for split in _splits(table, rows, settings)]
    internal = np.mean([t.internal for t in trials], axis=0)
    external = np.mean([t.external for t in trials], axis=0)
    apart = [abs(t.internal[-1] - t.external[-1]) / t.error for t in trials]
    note = f"generation {GENERATIONS}, {len(trials)} training sets"
    name = f"{rows} rows"
    return [
        Cell("fig. 7", DOMAIN, f"{name}, internal", *_end(internal, trials, "internal"), note,
             internal.round(3).tolist()),
        Cell("fig. 7", DOMAIN, f"{name}, external", *_end(external, trials, "external"), "",
             external.round(3).tolist()),
        Cell("text", DOMAIN, name, float(np.mean(apart)), None,
             f"{internal[-1] - external[-1]:.1f} points"),
    ]  # fmt: skip


def _splits(table: Table, rows: int, settings: Settings) -> list[Split]:
    """Return training sets of a size, and the rows to test on, the same for every size and set."""
    rng = np.random.default_rng([settings.seed, 7])
    order = rng.permutation(table.n_rows)
    test, rest = order[:TEST_ROWS], order[TEST_ROWS:]
    return [(rng.permutation(rest)[:rows], test) for _ in range(DRAWS[settings.quick])]


def _trial(table: Table, search: EBNA, split: Split, settings: Settings) -> Trial:
    train = table.take(split[0])
    selector = SubsetSelector(
        MLCNaiveBayes(), search=search, stop=Generations(GENERATIONS + 1),
        random_state=settings.seed,
    )  # fmt: skip
    result = selector.fit(train.X, train.y).result_
    judge = WrappedScorer(MLCNaiveBayes(), table, (split,))
    scored = score_generations(result.history, table.n_features, lambda m: judge.score(m).value)
    # A population that has converged stays as it is.
    scored += [scored[-1]] * (GENERATIONS + 1 - len(scored))
    return Trial(
        [100 * e["best_so_far"] for e in scored],
        [100 * e["honest"] for e in scored],
        100 * _standard_error(result),
    )


def _standard_error(result: Result) -> float:
    """Return the standard error of the internal accuracy, after the repetitions that it needs."""
    folds = np.asarray(result.folds)
    error = float(folds.std(ddof=1)) / math.sqrt(len(folds))
    repetitions = min(REPETITIONS, max(1, math.ceil((error / STANDARD_ERROR) ** 2)))
    return error / math.sqrt(repetitions)


def _end(curve: np.ndarray, trials: list[Trial], what: str) -> tuple[float, float]:
    last = [getattr(trial, what)[-1] for trial in trials]
    return float(curve[-1]), float(np.std(last, ddof=1))
