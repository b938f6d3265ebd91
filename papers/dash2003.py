"""Dash and Liu (2003): smallest consistent subsets, and what they do to two classifiers."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np
from scipy.stats import ttest_ind
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.neural_network import MLPClassifier

from fewest._run.result import Result
from fewest._run.stop_rules import Seconds
from fewest._subset_selector import SubsetSelector
from fewest.classifiers._trees.tree import C45
from fewest.data._as_table import as_table
from fewest.data._dataset import Dataset
from fewest.data._rows import take_columns, take_rows
from fewest.measures._consistency.inconsistency import Inconsistency
from fewest.measures._measure import Scorer
from fewest.search import ABB, LVF, QBB, FocusM, Search, Subsets
from fewest.testing import drive

from .domains import domain_data, labelled
from .experiment import Cell, Experiment, Settings, mean_std
from .paper import Paper

#: How often a random search is run, in full and quick.
RANDOM_RUNS = {False: 50, True: 5}
#: Draws (LVF) or evaluations (QBB) of figure 4.
BUDGETS = (1000, 2000, 3000, 4000, 5000)
#: Domains of figure 3, and draws between two of its points.
DOMAINS_OF_FIGURE_3, DRAWS_PER_STEP = ("Mushroom", "Promoters"), 25
SIZES, SHARP, BY_DOMAIN, AVERAGE = "1 LVF", "fig. 3", "fig. 4a", "fig. 4"
#: Bits of the domains in which FocusM and ABB race.
N_BITS = 12
MOST_BATCHES = 10**7
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
    for domain in paper.tables[SIZES]["rows"]:
        run = partial(_random, paper, settings, domain)
        yield Experiment("random", domain, "LVF and QBB", run)
    for domain in paper.tables["race"]["rows"]:
        run = partial(race, "race", domain)
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
    draws = paper.tables[SIZES]["draws"][domain]
    return [
        *intermediate(data, domain, draws, settings),
        *by_budget(data, domain, settings),
    ]


def derived(paper: Paper, cells: list[Cell]) -> list[Cell]:
    """Return the averages of figure 4."""
    return averaged(cells, list(paper.tables[SIZES]["rows"]))


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


def consistency(data: Dataset) -> Scorer:
    """Return the inconsistency scorer of a data set whose numbers are labels."""
    return Inconsistency().bind(as_table(data.X, data.y, nominal=list(data.names)))


def intermediate(data: Dataset, domain: str, draws: int, settings: Settings) -> list[Cell]:
    """Return table 1 and figure 3: the size that LVF has reached after some draws."""
    scorer = consistency(data)
    runs = [_found(LVF(tries=draws), scorer, data, seed) for seed in _seeds(settings)]
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
        runs = [_found(LVF(tries=tries), scorer, data, seed) for seed in _seeds(settings)]
        curve.append(float(np.mean(runs)))
    return curve


def by_budget(data: Dataset, domain: str, settings: Settings) -> list[Cell]:
    """Return one domain of figure 4: mean sizes of LVF and QBB for each budget."""
    scorer = consistency(data)
    cells = []
    for name, search in (("LVF", LVF), ("QBB", QBB)):
        curve = [
            float(np.mean([_found(search(tries=n), scorer, data, s) for s in _seeds(settings)]))
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


def _found(search: Search, scorer: Scorer, data: Dataset, seed: int) -> float:
    answer = drive(search, Subsets(len(data.names)), scorer, seed, MOST_BATCHES).answer
    assert answer is not None
    return float(np.asarray(answer).sum())


def _seeds(settings: Settings) -> range:
    return range(settings.seed, settings.seed + RANDOM_RUNS[settings.quick])
