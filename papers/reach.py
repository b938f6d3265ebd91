"""Generations that a search needs to be as good as the subset that made the data."""

from __future__ import annotations

import numpy as np

from fewest._run.stop_rules import Generations, Target
from fewest._score_subsets import score_subsets
from fewest._subset_selector import SubsetSelector
from fewest.data._generators.by_name import generate
from fewest.search._search import Search

from .experiment import Cell, Settings, mean_std

SAME_SCORE_TOLERANCE = 1e-9
#: Half of the 2,000 rows of the thesis, what a search of its 5x2cv learns from.
TRAINING_ROWS = 1000
#: How often the data are drawn, in full and quick.
DRAWS = {False: 10, True: 3}


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
    value = float(score_subsets(data.X, data.y, relevant[None], random_state=seed).value[0])
    selector = SubsetSelector(
        search=search,
        stop=[Target(value), Generations(most + 1)],
        random_state=seed,
    )
    history = selector.fit(data.X, data.y).result_.history
    good = (
        e["generation"]
        for e in history
        if (e["best_so_far"] or 0.0) >= value - SAME_SCORE_TOLERANCE
    )
    return next(good, None)
