"""Inza et al. (2000): FSS-EBNA around naive Bayes and ID3, tables 1 to 7 and fig. 7."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fewest._run.result import Result
from fewest._run.stop_rules import Generations
from fewest._subset_selector import SubsetSelector
from fewest._validation.significance import Split
from fewest._validation.validation import Validation, score_generations
from fewest.classifiers._naive_bayes import MLCNaiveBayes
from fewest.classifiers._trees.tree import ID3, TreeClassifier
from fewest.data._dataset import Dataset
from fewest.data._rows import take_columns
from fewest.data._table import Table
from fewest.measures._wrappers.splits import REPETITIONS, STANDARD_ERROR
from fewest.measures._wrappers.wrapped import WrappedScorer
from fewest.search._network_models import EBNA

from .domains import domain_data
from .experiment import Cell, Experiment, Settings, mean_std
from .paper import Paper
from .validated import (
    MLC,
    READINGS,
    Reading,
    accuracy,
    baseline,
    halves,
    seconds,
    size,
    stopped,
    validated,
)

DOMAIN = "Waveform-40"
SIZES = (100, 200, 400, 800, 1600)
TEST_ROWS = 3200
#: Generations after the first: the figure is about going on.
GENERATIONS = 10
#: Training sets drawn of each size, in full and quick.
DRAWS = {False: 5, True: 2}
PARTS = ("domains", "naive-bayes", "training-size", "id3")
#: The name of a classifier in the paper, its tables of accuracies and of sizes.
CLASSIFIERS = {"naive-bayes": ("NB", "3", "5"), "id3": ("ID3", "2", "4")}
#: Domains of a quick run.
QUICK = {
    "domains": ("Ionosphere", "Horse-colic", "Anneal", "LED24"),
    "naive-bayes": ("Ionosphere", "Horse-colic", "Anneal", "LED24", "Image", "Chess"),
    "training-size": (DOMAIN,),
    "id3": ("Horse-colic",),
}
#: Individuals of a population, in full and quick.
POPULATION = {False: 1000, True: 200}


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """Yield the domains; naive Bayes in two readings; a training size each; ID3."""
    for domain in paper.tables["1"]["rows"]:
        yield Experiment("domains", domain, "data", partial(_details, paper, settings, domain))
    for domain in paper.tables["3"]["rows"]:
        for reading in READINGS:
            run = partial(_naive_bayes, paper, settings, reading, domain)
            yield Experiment("naive-bayes", domain, reading.of("FSS-EBNA"), run)
    for rows in SIZES:
        run = partial(by_size, paper, settings, rows, POPULATION[settings.quick])
        yield Experiment("training-size", DOMAIN, f"{rows} rows", run)
    for domain in paper.tables["2"]["rows"]:
        yield Experiment("id3", domain, "FSS-EBNA", partial(_id3, paper, settings, domain))


def _details(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    """Return table 1: rows, classes and features."""
    table = domain_data(paper, domain, settings.seed).table()
    nominal = int(table.nominal.sum())
    figures = {
        "instances": table.n_rows,
        "classes": table.n_classes,
        "continuous features": table.n_features - nominal,
        "nominal features": nominal,
    }
    return [Cell("1", domain, name, float(figure)) for name, figure in figures.items()]


def _naive_bayes(paper: Paper, settings: Settings, reading: Reading, domain: str) -> list[Cell]:
    data = domain_data(paper, domain, settings.seed)
    scheme = reading.scheme(settings)
    v = validated(data, reading.model(), _ebna(settings), settings, scheme, reading.level)
    cells = _figures("naive-bayes", domain, v)
    cells.append(Cell("5", domain, "NB without FSS", float(len(data.names))))
    cells.append(size("5", domain, "NB & FSS-EBNA", v))
    return [replace(cell, reading=reading.name) for cell in cells]


def _id3(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    data = domain_data(paper, domain, settings.seed)
    v = validated(data, ID3(), _ebna(settings), settings, level=MLC.level)
    return [*_figures("id3", domain, v), *_tested("4", domain, data, v, settings)]


def _ebna(settings: Settings) -> EBNA:
    return EBNA(population=POPULATION[settings.quick])


def _figures(part: str, domain: str, v: Validation) -> list[Cell]:
    """Return what both classifiers have: accuracies, their test, generations and times."""
    short, accuracies, _ = CLASSIFIERS[part]
    selected = f"{short} & FSS-EBNA"
    return [
        baseline(accuracies, domain, f"{short} without FSS", v),
        accuracy(accuracies, domain, selected, v),
        Cell(accuracies, domain, "p-value", v.p_value, None, v.test),
        stopped("6", domain, selected, v),
        seconds("7", domain, selected, v),
    ]


def _tested(
    table: str, domain: str, data: Dataset, v: Validation, settings: Settings
) -> list[Cell]:
    """Count the features that the trees test, of all and of the selected ones."""
    whole = data.table()
    before, after = [], []
    for (train, _), support in zip(halves(data, settings), v.supports, strict=True):
        part = whole.take(train)
        before.append(_features(ID3().fit(part.X, part.y)))
        after.append(_features(ID3().fit(take_columns(part.X, support), part.y)))
    note = f"of {mean_std(v.sizes)[0]:.1f} selected"
    return [
        Cell(table, domain, "ID3 without FSS", *mean_std(before), f"of {len(data.names)}"),
        Cell(table, domain, "ID3 & FSS-EBNA", *mean_std(after), note),
    ]


def _features(tree: TreeClassifier) -> int:
    return len({int(f) for f in tree.tree_.feature if f >= 0})


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
