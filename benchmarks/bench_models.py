"""Learning and sampling the models of the distribution searches.

Trees against a matrix product and scipy's spanning tree, networks against pyAgrum's greedy hill
climbing with BIC on the same rows, and the model part of a generation of every search against
scoring the thousand subsets of it with naive Bayes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree
from threadpoolctl import threadpool_limits

from fewest._models.structure_search import learn_b, learn_chain, learn_tree
from fewest.measures._measure import Scores
from fewest.search import Better, Subsets, search_class
from fewest.search._distribution import EDA, Generation
from fewest.search._search_names import SEARCHES

Rows = NDArray[np.uint8]


def fastest(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest of some runs, after one to warm up."""
    work()
    best = np.inf
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return float(best)


def selected_rows(d: int, n: int = 500, seed: int = 0) -> Rows:
    """Bits as a search selects them: rare at first, half of them tied to another."""
    rng = np.random.default_rng(seed)
    rows = (rng.random((n, d)) < 0.3).astype(np.uint8)
    for i in range(1, d):
        copied = rng.random(n) < 0.5
        rows[copied, i] = rows[copied, rng.integers(0, i)]
    return rows


def scipy_tree(rows: Rows) -> Any:
    """The Chow-Liu tree as one would write it with numpy and scipy."""
    n = len(rows)
    bits = rows.astype(np.float64)
    ones = bits.sum(axis=0)
    both = bits.T @ bits
    cells = [both, ones[:, None] - both, ones - both, n - ones[:, None] - ones + both]
    sides = [ones, n - ones]
    information = np.zeros_like(both)
    for cell, (a, b) in zip(cells, [(0, 0), (0, 1), (1, 0), (1, 1)], strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            term = cell / n * np.log(cell * n / (sides[a][:, None] * sides[b]))
        information += np.where(cell > 0, term, 0.0)
    return minimum_spanning_tree(-information - 1.0)


def row(what: str, ours: float, theirs: float | None, target: str, note: str) -> dict[str, Any]:
    ratio = None if theirs is None else theirs / ours
    return {"what": what, "ours_s": ours, "theirs_s": theirs, "ratio": ratio,
            "target": target, "note": note}  # fmt: skip


def tree_rows() -> list[dict[str, Any]]:
    out = []
    for d, target in ((1558, "under 0.3 s"), (4026, "")):
        rows, cards = selected_rows(d), np.full(d, 2)
        theirs = fastest(lambda rows=rows: scipy_tree(rows), 1)  # type: ignore[misc]
        for name, learn in (("TREE", learn_tree), ("MIMIC", learn_chain)):
            ours = fastest(lambda f=learn, r=rows, c=cards: f(r, c), 2)  # type: ignore[misc]
            note = "theirs: matrix product and scipy's spanning tree" if name == "TREE" else ""
            out.append(row(f"{name} from 500 x {d} bits", ours,
                           theirs if name == "TREE" else None, target, note))  # fmt: skip
    return out


def pyagrum_seconds(rows: Rows) -> float | None:
    """pyAgrum's greedy hill climbing with BIC, learning alone."""
    try:
        import pandas
        import pyagrum
    except ImportError:
        return None
    names = [f"x{i}" for i in range(rows.shape[1])]
    learner = pyagrum.BNLearner(pandas.DataFrame(rows.astype(str), columns=names))
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.useGreedyHillClimbing()
    return fastest(learner.learnDAG, 3)


def network_rows() -> list[dict[str, Any]]:
    out = []
    for d, target in ((34, "1x"), (100, "3x")):
        rows, cards = selected_rows(d), np.full(d, 2)
        ours = fastest(lambda r=rows, c=cards: learn_b(r, c))  # type: ignore[misc]
        note = "theirs: pyAgrum, greedy hill climbing with BIC"
        out.append(row(f"EBNA's network from 500 x {d} bits", ours, pyagrum_seconds(rows),
                       target, note))  # fmt: skip
    return out


def scoring() -> Callable[[], object] | None:
    """Scoring 1,000 random subsets of ionosphere with naive Bayes, ten folds."""
    from fewest.classifiers._naive_bayes import NaiveBayes
    from fewest.data import load
    from fewest.measures import CrossValidated

    if "FEWEST_DATA" not in os.environ:
        return None
    table = load("ionosphere").table()
    scorer = CrossValidated(NaiveBayes(), cv=10).bind(table, np.random.default_rng(0))
    masks = np.random.default_rng(1).random((1000, table.n_features)) < 0.5
    return lambda: scorer.score(masks)


#: Variants of searches, beside each search of the registry as it comes.
VARIANTS: dict[str, dict[str, Any]] = {
    "comit": {"optimiser": "pbil"},
    "fda": {"cliques": tuple((i, i + 1, i + 2) for i in range(32))},
}


def distribution_searches() -> dict[str, EDA]:
    """Every search of the registry that learns a model, and variants of some."""
    out = {n: search_class(n)() for n in SEARCHES if issubclass(search_class(n), EDA)}
    for name, options in VARIANTS.items():
        out[f"{name} ({next(iter(options))})"] = search_class(name)(**options)
    for learning in ("k2", "pc"):
        out[f"ebna ({learning})"] = search_class("ebna")(learning=learning)
    return out  # type: ignore[return-value]


def generation(search: EDA) -> Callable[[], object]:
    """Learning from 500 of 1,000 individuals and drawing 999 new ones."""
    rows, cards, rng = selected_rows(34), np.full(34, 2), np.random.default_rng(0)
    people, space = (rng.random((1000, 34)) < 0.5).astype(np.uint8), Subsets(34)

    def work() -> None:
        model = search.learn(Generation(rows, np.linspace(1, 0.5, 500), cards, None))
        search.draw(model, 999, people, space, rng)

    return work


def duels() -> Callable[[], object]:
    """A whole step of cGA, which has no model apart from its vector."""
    space, rng = Subsets(34), np.random.default_rng(0)
    steps = search_class("cga")().propose(space, Better(space), rng)
    batch = [next(steps)]

    def work() -> None:
        value = batch[-1].astype(np.float64) @ np.arange(34.0)
        batch.append(steps.send(Scores(value)))

    return work


def in_turns(works: dict[str, Callable[[], object]], times: int = 15) -> dict[str, float]:
    """Processor seconds of the fastest run of each, one thread, each in turn.

    In turns, so that a busy moment of the machine hits all of them alike.
    """
    best = dict.fromkeys(works, np.inf)
    with threadpool_limits(1):
        for turn in range(times + 1):
            for name, work in works.items():
                start = time.process_time()
                work()
                if turn:  # the first warms up
                    best[name] = min(best[name], time.process_time() - start)
    return best


def generation_rows() -> list[dict[str, Any]]:
    works = {name: generation(search) for name, search in distribution_searches().items()}
    works["cga"] = duels()
    theirs = scoring()
    seconds = in_turns(works | ({} if theirs is None else {"scoring": theirs}))
    scored = seconds.pop("scoring", None)
    what = "model and samples of a generation, 34 bits"
    note = "theirs: scoring 1,000 subsets with naive Bayes; processor time, one thread"
    return [row(f"{name}: {what}", ours, scored, "1x", note) for name, ours in seconds.items()]


def rows() -> list[dict[str, Any]]:
    """All measurements of this file."""
    return [*network_rows(), *tree_rows(), *generation_rows()]


if __name__ == "__main__":
    for r in rows():
        theirs = "" if r["theirs_s"] is None else f"{r['theirs_s']:.4f} s  {r['ratio']:.1f}x"
        print(f"{r['what']:55} {r['ours_s']:.4f} s  {theirs}  (target {r['target']})")
