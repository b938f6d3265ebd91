"""Dash and Liu (2003): smallest consistent subsets, and what they do to two classifiers."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy.stats import ttest_ind
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neural_network import MLPClassifier

from fewest._run.result import Result
from fewest._run.stop_rules import Seconds
from fewest._subset_selector import SubsetSelector
from fewest.classifiers._trees.tree import C45
from fewest.data._dataset import Dataset
from fewest.data._rows import take_columns, take_rows

from . import random_subsets
from .domains import domain_data, labelled
from .experiment import Cell, Experiment, Settings, mean_std
from .paper import Paper

PARTS = ("sizes", "random", "evaluations", "race", "trees", "networks")
_SMALL = ("Lung", "Lymphography", "Par3+3", "Promoters", "Soybean", "Vote", "Zoo")
#: Domains of a quick run.
QUICK = {
    "sizes": ("LED-24", *_SMALL, "Mushroom", "Letter"),
    "random": ("Lymphography", "Par3+3", "Vote"),
    "evaluations": ("Vote",),
    "race": (),
    "trees": _SMALL,
    "networks": _SMALL,
}
#: A proof that takes longer is given up, with what is known by then.
PROOF_SECONDS = {False: 300.0, True: 30.0}
#: Runs of QBB (section 5.2), in full and quick.
RUNS = {False: 10, True: 3}
#: Evaluating subsets of all sizes up to M from the smallest on takes too long elsewhere.
COUNTED = {"ABB": "abb", "FocusM": "focus-m"}
#: Folds of the trees, splits of the networks.
FOLDS, SPLITS = 10, 5
#: Most cycles of training, and cycles without a lower loss after which it ends.
MOST_CYCLES, STALE_CYCLES = 500, 50


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """Yield sizes first, then counts, then classifiers."""
    for domain in paper.tables["1"]["rows"]:
        yield Experiment("sizes", domain, "exact", partial(_size, paper, settings, domain))
    for domain, row in paper.tables["text"]["rows"].items():
        for method in row:
            run = partial(_count, paper, settings, domain, method)
            yield Experiment("evaluations", domain, method, run)
    for domain in paper.tables[random_subsets.SIZES]["rows"]:
        run = partial(_random, paper, settings, domain)
        yield Experiment("random", domain, "LVF and QBB", run)
    for domain in paper.tables["race"]["rows"]:
        run = partial(random_subsets.race, "race", domain)
        yield Experiment("race", domain, "FocusM and ABB", run)
    for part, run_part in (("trees", _trees), ("networks", _networks)):
        for domain in paper.tables["3"]["rows"]:
            yield Experiment(part, domain, "QBB", partial(run_part, paper, settings, domain))


def _consistent(data: Dataset, search: str, seed: int, seconds: float | None = None) -> Result:
    with warnings.catch_warnings():
        # Contradicting rows are in the nature of some domains; the threshold allows for them.
        warnings.simplefilter("ignore", UserWarning)
        stop = None if seconds is None else Seconds(seconds)
        selector = SubsetSelector("inconsistency", search=search, stop=stop, random_state=seed)
        result: Result = selector.fit(data.X, data.y).result_
    return result


def _data(paper: Paper, settings: Settings, domain: str) -> Dataset:
    """Load the data with numbers and "?" as labels: the data of the paper are discrete."""
    return labelled(domain_data(paper, domain, settings.seed))


def _size(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    data = _data(paper, settings, domain)
    result = _consistent(data, "exact", settings.seed, PROOF_SECONDS[settings.quick])
    if result.optimal:
        note = f"proven smallest in {result.seconds:.1f} s"
    else:
        bound = "" if result.bound is None else f", at least {result.bound:g}"
        note = f"smallest found in {result.seconds:.0f} s{bound}; not proven"
    return [Cell("1", domain, "M", float(result.n_features), None, note)]


def _random(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    data = _data(paper, settings, domain)
    draws = paper.tables[random_subsets.SIZES]["draws"][domain]
    return [
        *random_subsets.intermediate(data, domain, draws, settings),
        *random_subsets.by_budget(data, domain, settings),
    ]


def derived(paper: Paper, cells: list[Cell]) -> list[Cell]:
    """Return the averages of figure 4."""
    return random_subsets.averaged(cells, list(paper.tables[random_subsets.SIZES]["rows"]))


def _count(paper: Paper, settings: Settings, domain: str, method: str) -> list[Cell]:
    data = _data(paper, settings, domain)
    result = _consistent(data, COUNTED[method], settings.seed)
    count = result.evaluations
    if method == "FocusM":
        # A batch is evaluated as a whole; the listing of the paper ends at the answer.
        count = subsets_tried([data.names.index(name) for name in result.features], len(data.names))
    note = f"a subset of {result.n_features}, {result.seconds:.1f} s"
    return [Cell("text", domain, method, float(count), None, note)]


def subsets_tried(answer: list[int], n: int) -> int:
    """Count the subsets of ``n`` features up to this one, from the smallest on.

    Those of one size are in lexicographic order; the empty one is not counted.

    Examples
    --------
    >>> subsets_tried([0, 2], 3)  # {0}, {1}, {2}, {0, 1}, {0, 2}
    5
    """
    chosen, size = sorted(answer), len(answer)
    smaller = sum(math.comb(n, k) for k in range(1, size))
    after = sum(math.comb(n - 1 - unit, size - place) for place, unit in enumerate(chosen))
    return smaller + math.comb(n, size) - after


def _supports(paper: Paper, settings: Settings, domain: str) -> list[list[str]]:
    """Return the subsets that runs of QBB give."""
    data = _data(paper, settings, domain)
    runs = range(settings.seed, settings.seed + RUNS[settings.quick])
    return [_consistent(data, "qbb", seed).features for seed in runs]


def _trees(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    data = _data(paper, settings, domain)
    subsets = _supports(paper, settings, domain)
    note = f"{mean_std([len(s) for s in subsets])[0]:.1f} features"
    cells = []
    figures = (("before", [list(data.names)], ""), ("after QBB", subsets, note))
    found: dict[str, list[list[float]]] = {"2 error": [], "2 size": []}
    for method, chosen, text in figures:
        errors, nodes = tree_figures(data, chosen, settings.seed)
        found["2 error"].append(errors)
        found["2 size"].append(nodes)
        cells.append(Cell("2 error", domain, method, *mean_std(errors, 100), text))
        cells.append(Cell("2 size", domain, method, *mean_std(nodes)))
    for table, (before, after) in found.items():
        cells.append(Cell(table, domain, "p-value", welch(before, after), None, "Welch's t test"))
    return cells


def _networks(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    data = _data(paper, settings, domain)
    hidden = paper.domains[domain]["hidden"]
    subset = _supports(paper, settings, domain)[0]
    cells = []
    for method, names in (("before", list(data.names)), ("after QBB", subset)):
        errors = network_errors(data, names, hidden, settings.seed)
        cells.append(Cell("3", domain, method, *mean_std(errors, 100), f"{len(names)} features"))
    return cells


def tree_figures(
    data: Dataset, subsets: list[list[str]], seed: int
) -> tuple[list[float], list[float]]:
    """Return errors and numbers of nodes of C4.5 for each subset and fold, on the same folds."""
    labels = np.asarray(data.y)
    folds = KFold(FOLDS, shuffle=True, random_state=seed)
    errors, nodes = [], []
    for names in subsets:
        X = take_columns(data.X, np.array([data.names.index(name) for name in names]))
        for train, test in folds.split(labels):
            tree = C45(raising=False).fit(take_rows(X, train), labels[train])
            errors.append(float((tree.predict(take_rows(X, test)) != labels[test]).mean()))
            # C4.5 counts branches that no training row takes as leaves.
            empty = int((tree.tree_.children == -1).sum())
            nodes.append(float(tree.n_nodes_ + empty))
    return errors, nodes


def welch(a: list[float], b: list[float]) -> float:
    """Return the p value of Welch's t test that two means are equal; 1 where no value differs.

    >>> welch([0.0, 0.0], [0.0, 0.0])
    1.0
    """
    if len({*a, *b}) == 1:
        return 1.0
    return float(ttest_ind(a, b, equal_var=False).pvalue)


def network_errors(data: Dataset, names: list[str], hidden: int, seed: int) -> list[float]:
    """Return errors of back-propagation with one hidden layer, five times on a third of the rows.

    Each feature is one input: the paper has half as many hidden units as features. Its values
    are at equal distances between 0 and 1.
    """
    table = data.table()
    columns = [data.names.index(name) for name in names]
    codes = table.doubles[:, columns]
    codes = codes / np.maximum(codes.max(axis=0), 1.0)
    errors = []
    splitter = ShuffleSplit(SPLITS, test_size=1 / 3, random_state=seed)
    for i, (train, test) in enumerate(splitter.split(codes)):
        network = MLPClassifier(
            (hidden,), activation="logistic", solver="sgd", learning_rate_init=0.1, momentum=0.5,
            batch_size=8, max_iter=MOST_CYCLES, n_iter_no_change=STALE_CYCLES,
            random_state=seed + i,
        )  # fmt: skip
        network.fit(codes[train], table.target[train])
        errors.append(float((network.predict(codes[test]) != table.target[test]).mean()))
    return errors
