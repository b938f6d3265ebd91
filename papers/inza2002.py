"""Inza (2002, thesis): joint behaviour (chapter 5), selection (chapter 6), weights (chapter 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import f, ttest_ind

from fewest._run.stop_rules import Generations, Target
from fewest._score_subsets import score_subsets
from fewest._subset_selector import SubsetSelector
from fewest._validation.significance import f_test_5x2cv
from fewest.data._generators import generate
from fewest.search._search import Search
from fewest.search._search_names import search_class

from .domains import domain_data
from .experiment import Cell, Experiment, Settings, mean_std
from .joint import FIGURES, LISTS, RANKS, independences, joint
from .joint import READINGS as INDEPENDENCES
from .paper import Paper
from .validated import (
    MLC,
    READINGS,
    Reading,
    accuracy,
    baseline,
    per_generation,
    per_subset,
    size,
    stopped,
    validated,
)
from .weighing import weighing

#: Below these p values a figure is marked: † and *.
DAGGER_P, STAR_P = 0.05, 0.1
PARTS = ("joint", "medium", "artificial", "large", "artificial-large", "weighting")
#: The tables with marks, and the method that a figure is compared with.
MARKED = {
    "6.2": "FSS-EBNA",
    "6.4": "FSS-EBNA",
    "6.7 and 6.8": "highest",
    "6.11": "lowest",
    "6.13": "lowest",
    "7.2": "highest",
}
#: The tables of accuracies, sizes and generations of the real domains.
TABLES = {"medium": ("6.2", "6.3", "6.4"), "large": ("6.7 and 6.8", "6.9 and 6.10", "6.11")}
#: The table of times of the large domains; its name for the scoring of a subset, and the search
#: in which that is timed.
TIMES, SCORING, SCORED = "6.12", "NB", "FSS-TREE"
FIRST = {"medium": "SFS", "large": "FSS-GA-o"}
#: The tables of the generated domains, and after how many generations to give up.
REACHED = {"artificial": ("6.5", 50), "artificial-large": ("6.13", 150)}
SEARCHES = {
    "SFS": "sfs",
    "SBE": "sbe",
    "FSS-GA-o": "ga-one-point",
    "FSS-GA-u": "ga-uniform",
    "FSS-EBNA": "ebna",
    "FSS-PBIL": "pbil",
    "FSS-BSC": "bsc",
    "FSS-MIMIC": "mimic",
    "FSS-TREE": "tree",
}
#: Sparse first populations where there are very many features (thesis, section 6.5.1).
P0 = {"Audiology": 0.05, "Arrhythmia": 0.05, "Internet advertisements": 0.05, "Cloud": 0.1}
#: From one half, most searches settle on about two copies of each repeated feature of Red30of3. The
#: best number of copies of one, given w of each of the others, is the sum of w^2 over the sum of
#: w; three at one half each, and the single features all in, make that (90 + 10) / (45 + 10) =
#: 1.8, nearer to 2 than to 1. (Red30of2: (45 + 20) / (30 + 20) = 1.3.)
P0["Red30of3"] = 0.2
#: Domains of a quick run.
QUICK = {
    "joint": ("Breast cancer", "Cleveland", "Lymphography"),
    "medium": ("Ionosphere", "Horse-colic"),
    "artificial": ("Redundant-order-3",),
    "large": ("Audiology",),
    "artificial-large": (),
    "weighting": ("Glass", "3-Weights"),
}
#: The part that gives each table.
PART_OF = {
    **dict.fromkeys((INDEPENDENCES, *LISTS.values(), RANKS, *FIGURES.values()), "joint"),
    **{table: part for part, tables in TABLES.items() for table in tables},
    **{table: part for part, (table, _) in REACHED.items()},
    TIMES: "large",
    **dict.fromkeys(("7.2", "7.2 marks", "7.3", "7.4"), "weighting"),
}
POPULATION = {False: 1000, True: 200}
SAME_SCORE_TOLERANCE = 1e-9
#: Half of the 2,000 rows of the thesis, what a search of its 5x2cv learns from.
TRAINING_ROWS = 1000
#: How often the data are drawn, in full and quick.
DRAWS = {False: 10, True: 3}


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """Yield the classifiers on a domain each, then a search on a domain each."""
    yield from joint(paper, settings, "joint")
    for part in (*TABLES, *REACHED):
        real = part in TABLES
        table = TABLES[part][0] if real else REACHED[part][0]
        for domain, row in paper.tables[table]["rows"].items():
            for method in row:
                if method == "Without FSS":
                    continue
                if not real:
                    run = partial(_generated, paper, settings, part, domain, method)
                    yield Experiment(part, domain, method, run)
                    continue
                for reading in READINGS:
                    run = partial(_real, paper, settings, part, domain, method, reading)
                    yield Experiment(part, domain, reading.of(method), run)

    yield from weighing(paper, settings, "weighting")


def derived(paper: Paper, cells: list[Cell]) -> list[Cell]:
    """Return the lists of chapter 5; marks against EBNA, best accuracy, fewest generations."""
    return [
        *independences(paper, cells),
        *(
            mark
            for table, reference in MARKED.items()
            for mark in significance(cells, table, reference, independent=table == "6.13")
        ),
    ]


def _search(method: str, domain: str, settings: Settings) -> Search:
    name = SEARCHES[method]
    # Both sequential searches stop when no step improves the value (section 6.4.3).
    options: dict[str, Any] = {"equal": False} if name == "sbe" else {}
    if name not in ("sfs", "sbe"):
        options = {"population": POPULATION[settings.quick], "p0": P0.get(domain, 0.5)}
    return search_class(name)(**options)


def _real(
    paper: Paper, settings: Settings, part: str, domain: str, method: str, reading: Reading
) -> list[Cell]:
    accuracies, sizes, generations = TABLES[part]
    data = domain_data(paper, domain, settings.seed)
    search = _search(method, domain, settings)
    scheme = reading.scheme(settings)
    v = validated(data, reading.model(), search, settings, scheme, reading.level)
    cells = [accuracy(accuracies, domain, method, v), size(sizes, domain, method, v)]
    if search.generational:
        cells.append(stopped(generations, domain, method, v))
    if part == "large" and method.removeprefix("FSS-") in paper.tables[TIMES]["rows"][domain]:
        cells.append(per_generation(TIMES, domain, method.removeprefix("FSS-"), v))
    if method == SCORED:
        cells.append(per_subset(TIMES, domain, SCORING, v))
    # The figures of all features come with the first search, which has them anyway.
    if method == FIRST[part]:
        full = float(len(data.names))
        cells.insert(0, baseline(accuracies, domain, "Without FSS", v))
        cells.insert(1, Cell(sizes, domain, "Without FSS", full))
    return [replace(cell, reading=reading.name) for cell in cells]


def _generated(paper: Paper, settings: Settings, part: str, domain: str, method: str) -> list[Cell]:
    table, most = REACHED[part]
    plain, _, scattered = method.partition(", ")
    search = _search(plain, domain, settings)
    name = paper.domains[domain]["generate"] + ("-scattered" if scattered else "")
    return [generations_needed(table, domain, method, name, search, settings, most)]


def generations_needed(
    table: str,
    domain: str,
    method: str,
    generator: str,
    search: Search,
    settings: Settings,
    most: int,
) -> Cell:
    """Return the mean number of generations until the value is reached, over data drawn anew.

    Notes
    -----
    Inza (2002, thesis, section 6.4.4): the generation in which a search discovers a subset that
    equals or surpasses the estimated accuracy of the subset which induces the domain. "The
    framework given in the previous section" is read as 5x2cv, so that a search sees 1,000 rows;
    with all 2,000 the independent models settle below that accuracy in Red30of2.
    """
    runs = DRAWS[settings.quick]
    found = [_generation(generator, search, settings, settings.seed + i, most) for i in range(runs)]
    failed = sum(g is None for g in found)
    note = f"{failed} of {len(found)} had not reached it after {most} generations" if failed else ""
    each = [float(most if g is None else g) for g in found]
    return Cell(table, domain, method, *mean_std(each), note, each=each)


def _generation(
    generator: str, search: Search, settings: Settings, seed: int, most: int
) -> int | None:
    data = generate(generator, n_rows=TRAINING_ROWS, random_state=seed)
    relevant = np.isin(data.names, data.relevant or ())
    # The same seed gives the same folds, so that the two values can be compared.
    judged: Any = {"measure": MLC.model(), "scoring": "accuracy", "random_state": seed}
    value = float(score_subsets(data.X, data.y, relevant[None], **judged).value[0])
    selector = SubsetSelector(**judged, search=search, stop=[Target(value), Generations(most + 1)])
    history = selector.fit(data.X, data.y).result_.history
    good = (
        e["generation"]
        for e in history
        if (e["best_so_far"] or 0.0) >= value - SAME_SCORE_TOLERANCE
    )
    return next(good, None)


def significance(
    cells: Sequence[Cell],
    table: str,
    reference: str,
    into: str | None = None,
    independent: bool = False,
) -> list[Cell]:
    """Return the marks of a table, from the values of its figures that each mean is made of.

    2 means † (p < 0.05), 1 means * (p < 0.1), 0 no mark.

    Parameters
    ----------
    cells : the figures found
    table : str
    reference : str
        A method, or ``"highest"`` or ``"lowest"`` mean of the domain.
    into : str, optional
        The table of the marks; by default ``"TABLE marks"``.
    independent : bool
        Whether the values are of independent runs, which Welch's t test compares; others are
        the ten of a 5×2cv, which the F test compares.

    Examples
    --------
    >>> scores = [0.9, 0.8] * 5
    >>> one = Cell("6.2", "D", "SFS", 85.0, each=scores)
    >>> two = Cell("6.2", "D", "FSS-EBNA", 85.0, each=scores)
    >>> [cell.here for cell in significance([one, two], "6.2", "FSS-EBNA")]
    [0.0]
    """
    found = []
    own = [cell for cell in cells if cell.table == table and cell.each and not cell.reading]
    for domain in dict.fromkeys(cell.domain for cell in own):
        here = [cell for cell in own if cell.domain == domain]
        best = _compared_with(here, reference)
        for cell in here:
            if best is not None and cell.method != reference:
                p = 1.0 if cell is best else _p_value(best.each, cell.each, independent)
                mark = _mark(p)
                name = into or f"{table} marks"
                found.append(Cell(name, domain, cell.method, mark, note=f"p = {p:.2f}"))
    return found


def _compared_with(cells: Sequence[Cell], reference: str) -> Cell | None:
    if reference == "highest":
        return max(cells, key=lambda cell: cell.here)
    if reference == "lowest":
        return min(cells, key=lambda cell: cell.here)
    return next((cell for cell in cells if cell.method == reference), None)


def _p_value(a: Sequence[float], b: Sequence[float], independent: bool) -> float:
    if list(a) == list(b):
        return 1.0
    if independent or len(a) != 10 or len(b) != 10:
        return float(ttest_ind(a, b, equal_var=False).pvalue)
    return f_test_5x2cv(a, b)


def _mark(p: float) -> float:
    return 2.0 if p < DAGGER_P else 1.0 if p < STAR_P else 0.0


def implied_marks(paper: Paper, table: str) -> tuple[int, int]:
    """Count the printed marks that follow from the printed means and deviations; and all of them.

    The F of a 5×2cv is near 1 + d² / (s² + s²) where the runs of two methods vary independently.

    >>> from papers.paper import read_paper
    >>> implied_marks(read_paper("inza2002"), "6.7 and 6.8")
    (39, 42)
    """
    same = every = 0
    for domain, marks in paper.tables[f"{table} marks"]["rows"].items():
        row = [
            Cell(table, domain, method, *figure)
            for method, figure in paper.tables[table]["rows"][domain].items()
            if method in marks or method == MARKED[table]
        ]
        best = _compared_with(row, MARKED[table])
        for cell in row:
            if best is not None and cell.method in marks:
                spread = (best.std or 0.0) ** 2 + (cell.std or 0.0) ** 2
                ratio = 1.0 + (best.here - cell.here) ** 2 / max(spread, 1e-12)
                p = 1.0 if cell is best else float(f.sf(ratio, 10, 5))
                same += _mark(p) == marks[cell.method][0]
                every += 1
    return same, every
