"""Hsu (2004): trees with selection by genetic wrappers; orderings for K2; CHC by generation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.model_selection import ShuffleSplit, StratifiedKFold

from fewest._run.loop import Run
from fewest._run.stop_rules import Generations
from fewest._subset_selector import SubsetSelector
from fewest._validation.external import validate
from fewest._validation.significance import Split
from fewest._validation.validation import Validation
from fewest.classifiers._trees.tree import C45, ID3, TreeClassifier
from fewest.data._dataset import Dataset
from fewest.data._table import Table
from fewest.networks._bif import load_network
from fewest.networks._inference.sampling import AISBN
from fewest.networks._inferential_loss import InferentialLoss, InferentialScorer
from fewest.search._best_first import BestFirst
from fewest.search._genetic import CHC, GASimple
from fewest.search._orderings import GAOrder
from fewest.search._search import Search
from fewest.search._spaces.structures import Orderings

from .domains import domain_data, test_data
from .experiment import Cell, Experiment, Settings, mean_std
from .paper import Paper

#: Training and validation rows of the paper, its population, and its runs by generations.
TRAINING, VALIDATION, POPULATION, LENGTHS = 5000, 1000, 10, (10, 100)
TRIALS = {False: 10, True: 3}
#: What the answers are compared with, and the variables that are observed. Which ones the paper
#: observed it does not say; with these, exact inference in the true network comes near the printed
#: optimum of about 0.95 (chosen after seeing the figures). The other reading is shown beside it.
READINGS: dict[str, tuple[str, ...] | None] = {
    "observed values": ("asia", "smoke", "bronc", "xray", "dysp"),
    "gold posteriors": None,
}
COMPARED, GOLD = READINGS
#: The ID3 of MLC++ grows without a test and is not pruned: on the three features of the concept of
#: Monk1 it then errs on 12 of the 432 test rows, as printed.
TREES: dict[str, tuple[Callable[[], TreeClassifier], str]] = {
    "id3": (partial(ID3, significance=1.0), "ID3"),
    "c4.5": (partial(C45, raising=False), "C4.5"),
}
PARTS = (*TREES, "ordering", "curve")
METHODS = ("FSS", "SGA", "CHC")
#: Domains of a quick run.
QUICK = {
    "id3": ("Breast", "Monk1", "Monk3"),
    "c4.5": ("Breast", "Monk1", "Monk3"),
    "ordering": ("Asia",),
    "curve": ("Breast",),
}
#: Individuals and generations (table 2 of the paper), in full and quick.
EFFORT = {False: 100, True: 20}
REPETITIONS = {False: 5, True: 3}


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """Yield a tree with a search on a domain each; then orderings and the figures."""
    for part in TREES:
        for domain in paper.tables["2"]["rows"]:
            for method in METHODS:
                run = partial(_run, paper, settings, part, domain, method)
                yield Experiment(part, domain, method, run)
    yield from ordering_experiments(paper, settings)


def _search(method: str, settings: Settings) -> Search:
    effort = EFFORT[settings.quick]
    if method == "FSS":
        # The wrapper of MLC++ (section 5): k = 5 and an improvement of 0.1 %.
        return BestFirst(compound=True, least_gain=0.001, patience=5)
    if method == "SGA":
        return GASimple(population=effort, generations=effort)
    return CHC(population=effort, generations=effort, variant="hsu")


def _inner(method: str) -> Any:
    """Return how the search estimates accuracy on the training part.

    MLC++ takes five folds; the genetic wrappers a holdout (section 2.2).
    """
    return StratifiedKFold(5, shuffle=True) if method == "FSS" else ShuffleSplit(1, test_size=1 / 3)


def _run(paper: Paper, settings: Settings, part: str, domain: str, method: str) -> list[Cell]:
    maker, short = TREES[part]
    search = _search(method, settings)
    selector = SubsetSelector(
        maker(), search=search, stop=None, cv=_inner(method), scoring="accuracy"
    )
    v = _validated(paper, f"{method}-{short}", domain, selector, settings)
    note = f"{mean_std(v.sizes)[0]:.1f} of {v.supports.shape[1]} features"
    cells = [Cell("2", domain, f"{method}-{short}", *mean_std(1 - v.scores, 100), note)]
    if method == METHODS[0]:
        cells.insert(0, Cell("2", domain, short, *mean_std(1 - v.baseline_scores, 100)))
    return cells


def _validated(
    paper: Paper, method: str, domain: str, selector: SubsetSelector, settings: Settings
) -> Validation:
    """Select on two thirds of the rows, judge on a third.

    The Monk's problems have a test file, so there is one split; its selections differ by seed.
    The same holds for Credit, whose last 200 rows are the test file of MLC++: the standard
    deviations of the paper are those of proportions of that many rows.
    """
    repetitions = REPETITIONS[settings.quick]
    data = domain_data(paper, domain, settings.seed, f"{method} data")
    test = test_data(paper, domain)
    X, y = data.X, data.y
    splitter: Any = ShuffleSplit(repetitions, test_size=1 / 3, random_state=settings.seed)
    if test is not None:
        X, y = np.vstack([_labels(data), _labels(test)]), np.concatenate([data.y, test.y])
        splitter = TestFile(len(data.y), repetitions)
    elif "test rows" in paper.domains[domain]:
        splitter = TestFile(len(y) - paper.domains[domain]["test rows"], repetitions)
    return validate(selector, X, y, scheme=splitter, random_state=settings.seed)


@dataclass
class TestFile:
    """Splitter that repeats one split: the first rows are for training, the rest for testing."""

    __test__ = False

    train: int
    repetitions: int

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Yield the same split again and again."""
        rows = np.arange(len(X))
        for _ in range(self.repetitions):
            yield rows[: self.train], rows[self.train :]


def _labels(data: Dataset) -> NDArray[np.object_]:
    """Return the values of nominal features as an array of labels."""
    table = data.table()
    codes = table.values.astype(int)
    labels = [np.array([str(level) for level in levels or ()], object) for levels in table.levels]
    return np.stack([labels[j][codes[:, j]] for j in range(table.n_features)], axis=1)


def ordering_experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """Yield a reading of the reference each, and the curve of CHC."""
    for reference in READINGS:
        run = partial(orderings, settings, reference)
        yield Experiment("ordering", "Asia", reference, run)
    yield Experiment("curve", "Breast", "CHC-ID3", partial(chc_curve, paper, settings))


def orderings(settings: Settings, reference: str) -> list[Cell]:
    """Run the genetic search over orderings of Asia, several trials of each length.

    Notes
    -----
    Hsu (2004, section 5): 5,000 rows for K2, 1,000 for validation, AIS-BN with 1,000 samples
    and an update every 100; elitist, order crossover, swap mutation.
    """
    cells: list[Cell] = []
    trials = TRIALS[settings.quick]
    name = "" if reference == COMPARED else reference
    for length in LENGTHS:
        histories = [_trial(reference, length, settings.seed + t) for t in range(trials)]
        # The elite is in every generation, so the best of one is the best so far.
        mean, best = (
            100 * np.array([[e[k] for e in h] for h in histories]) for k in ("mean", "best_so_far")
        )
        note = f"{trials} trials"
        figures = {"average": mean.mean(axis=1), "best": best[:, -1]}
        cells += [
            Cell("3", "Asia", f"{length} generations, {what}", *mean_std(each), note, reading=name)
            for what, each in figures.items()
        ]
        if length == LENGTHS[-1]:
            lines = {"mean": mean.mean(axis=0), "best": best.mean(axis=0)}
            cells += [
                Cell("fig. 4", "Asia", f"{reference}, {what}", float(line[-1]), None, note,
                     line.round(3).tolist())
                for what, line in lines.items()
            ]  # fmt: skip
    best_known = [100 * _optimum(reference, settings.seed + t) for t in range(trials)]
    cells.append(
        Cell("3", "Asia", "optimum", *mean_std(best_known), "exact inference", reading=name)
    )
    return cells


def _bound(reference: str, seed: int, inference: Any) -> tuple[InferentialScorer, Generator]:
    """Return what scores the orderings of a trial, and the random numbers of its search."""
    asia = load_network("asia")
    for_rows, for_split, for_search = (
        np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(3)
    )
    rows = asia.sample(TRAINING + VALIDATION, for_rows)
    table = Table(asia.names, rows.astype(float), asia.levels, np.zeros(len(rows)), None)
    measure = InferentialLoss(
        evidence=READINGS[reference],
        gold=asia if reference == GOLD else None,
        validation=VALIDATION / (TRAINING + VALIDATION),
        inference=inference,
    )
    scorer = measure.bind(table, for_split)
    assert isinstance(scorer, InferentialScorer)
    return scorer, for_search


def _optimum(reference: str, seed: int) -> float:
    """Return the fitness of the true graph, by exact inference."""
    scorer, _ = _bound(reference, seed, "exact")
    return scorer.answers(load_network("asia").graph)


def _trial(reference: str, length: int, seed: int) -> list[dict[str, Any]]:
    """Return the history of one run."""
    inference = AISBN(samples=1000, learning=0.9, updates=9)
    scorer, for_search = _bound(reference, seed, inference)
    search = GAOrder(population=POPULATION)
    space = Orderings(len(scorer.about.names))
    run = Run(search, scorer, space, for_search, stop=(Generations(length),))
    entries = run.go().history.entries
    # A population that proposes nothing new ends a run early; it stays as it is.
    return entries + [entries[-1]] * (length - len(entries))


def chc_curve(paper: Paper, settings: Settings) -> list[Cell]:
    """Return the validation error of CHC around ID3 by generation, on the Breast data."""
    effort = EFFORT[settings.quick]
    data = domain_data(paper, "Breast", settings.seed)
    selector = SubsetSelector(
        ID3(significance=1.0), search=CHC(population=effort, generations=effort), stop=None,
        cv=ShuffleSplit(1, test_size=1 / 3), scoring="accuracy", random_state=settings.seed,
    )  # fmt: skip
    history: list[Any] = [*selector.fit(data.X, data.y).result_.history]
    lines = {
        what: [round(100 * (1 - entry[key]), 3) for entry in history]
        for what, key in (("mean", "mean"), ("best", "best_so_far"))
    }
    return [
        Cell("fig. 3", "Breast", f"CHC-ID3, {what}", line[-1], None,
             f"generation {len(line) - 1}", line)
        for what, line in lines.items()
    ]  # fmt: skip
