"""How the stop rule of Inza et al. can be read: generations of each reading beside the printed.

``python -m benchmarks.stop_readings [DOMAIN ...]`` prints a table; about five minutes.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import stats
from sklearn.model_selection import KFold

from fewest.data._table import Table
from fewest.measures._measure import Scores
from fewest.measures._wrappers.cross_validated import CrossValidated
from fewest.search import Subsets
from fewest.search._better import Better
from fewest.search._search_names import search_class
from papers.domains import domain_data
from papers.inza2002 import P0, SEARCHES
from papers.paper import read_paper
from papers.validated import MLC

HALVES, MOST, LEVEL, POPULATION = 6, 14, 0.1, 1000
#: Domains with at most 1,000 training rows: paper, table, domain, searches.
CASES = [
    *(
        ("inza2002", "6.4", domain, ("FSS-EBNA", "FSS-GA-o", "FSS-GA-u"))
        for domain in ("Ionosphere", "Horse-colic", "Soybean-large", "Anneal")
    ),
    *(
        ("inza2002", "6.11", domain, ("FSS-GA-o", "FSS-PBIL", "FSS-TREE"))
        for domain in ("Audiology", "Arrhythmia")
    ),
]
READINGS = ("one-sided", "two-sided", "corrected", "all repetitions", "no test")
ANEW, SPARSE = "folds anew", "no test, p = 0.25"
#: Rules on the mean of the population: it must gain so much, one limit for all domains.
MEANS = {"mean gains 0.4 points": 0.004, "mean gains 1 point": 0.01}


def p_values(new: Any, old: Any, reading: str) -> Any:
    """Paired t tests that rows of ``new`` are larger than ``old``."""
    gap = new - old
    k = gap.shape[1]
    share = 1 / k + (1 / 9 if reading == "corrected" else 0.0)
    mean, deviation = gap.mean(axis=1), gap.std(axis=1, ddof=1)
    with np.errstate(all="ignore"):
        t = mean / (deviation * np.sqrt(share))
    t = np.where(deviation > 0, t, np.where(mean > 0, np.inf, -np.inf))
    return stats.t.sf(t, k - 1) * (2 if reading == "two-sided" else 1)


def goes_on(reading: str, old: Any, new: Any, scorer: Any) -> bool:
    """Whether some of the better subsets counts; sides are (masks, fold values)."""
    if reading == "no test":
        return True
    (one, fold), (masks, folds) = old, new
    if reading == "all repetitions":
        fold, folds = (_every_fold(scorer, m) for m in (one[None], masks))
        fold = fold[0]
    return bool((p_values(folds, fold, reading) < LEVEL).any())


def _every_fold(scorer: Any, masks: Any) -> Any:
    again = range(len(scorer.parts))
    return np.concatenate([scorer.folds_of(masks, i) for i in again], axis=1)


def stops(make: Callable[[], Any], half: Table, seed: int, how: str = "") -> dict[str, int]:
    """The generation in which each reading stops one and the same search."""
    readings = {ANEW: ("one-sided",), SPARSE: ("no test",)}.get(how, READINGS)
    wanted = len(readings) + (0 if how else len(MEANS))
    found: dict[str, int] = {}
    space = Subsets(half.n_features)

    def bind(number: int) -> Any:
        return CrossValidated(MLC.model(), cv="auto").bind(half, np.random.default_rng(number))

    scorer = bind(seed)
    proposals = make().start(space, Better(space), np.random.default_rng(seed), scorer)
    batch, values = np.array(next(proposals)), np.zeros(0)
    best: Any = None
    for generation in range(MOST + 1):
        scorer = bind(1000 * seed + generation) if how == ANEW else scorer
        scores: Scores = scorer.score(batch)
        before, values = values, np.sort(np.append(values, scores.value))[-POPULATION:]
        if best is not None:
            gain = values.mean() - before.mean()
            better = np.flatnonzero(scores.value > best[0] + 1e-9)
            sides = best[1:], (batch[better], scores.folds[better])
            on = {r: len(better) and goes_on(r, *sides, scorer) for r in readings}
            on |= {} if how else {name: gain >= limit for name, limit in MEANS.items()}
            for reading in on:
                if not on[reading]:
                    found.setdefault(reading, generation)
            if len(found) == wanted:
                break
        top = Better(space).best(batch, scores.value)
        if best is None or scores.value[top] > best[0]:
            best = scores.value[top], batch[top], scores.folds[top]
        batch = np.array(proposals.send(scores))
    return {how or name: found.get(name, MOST) for name in (*readings, *(() if how else MEANS))}


def case(paper_name: str, table: str, domain: str, method: str) -> dict[str, float]:
    """Mean stop generation of each reading, and the printed one."""
    paper = read_paper(paper_name)
    data = domain_data(paper, domain, 0).table()
    means: dict[str, list[int]] = {}

    def make(p0: float = P0.get(domain, 0.5)) -> Any:
        chosen: Any = search_class(SEARCHES[method])
        return chosen(population=POPULATION, p0=p0)

    for i in range(HALVES):
        splits = list(KFold(2, shuffle=True, random_state=i).split(np.zeros(data.n_rows)))
        half = data.take(splits[i % 2][0])
        for how in ("", ANEW, SPARSE):
            searches = partial(make, 0.25) if how == SPARSE else make
            for reading, generation in stops(searches, half, i, how).items():
                means.setdefault(reading, []).append(generation)
    figure = paper.figure(table, domain, method)
    assert figure is not None
    found = {name: float(np.mean(values)) for name, values in means.items()}
    return {"printed": figure[0], **found, "from 1": found["one-sided"] + 1}


def main(domains: list[str]) -> None:
    """Print the table, a line per search and domain, then the mean distances."""
    warnings.simplefilter("ignore")
    away: dict[str, list[float]] = {}
    for paper, table, domain, methods in CASES:
        for method in methods if not domains or domain in domains else ():
            found = case(paper, table, domain, method)
            print(domain, method, {k: round(v, 1) for k, v in found.items()}, flush=True)
            for name, value in found.items():
                away.setdefault(name, []).append(abs(value - found["printed"]))
    print({name: round(float(np.mean(v)), 2) for name, v in away.items() if name != "printed"})


if __name__ == "__main__":
    main(sys.argv[1:])
