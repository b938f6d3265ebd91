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

from fewest.models.algorithm_b import learn_b
from fewest.models.trees import learn_chain, learn_tree
from fewest.search import Subsets, search_class
from fewest.search.eda import EDA, Generation

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


def naive_bayes_seconds() -> float | None:
    """Scoring 1,000 random subsets of ionosphere with naive Bayes, ten folds."""
    from fewest.classifiers.naive_bayes import NaiveBayes
    from fewest.data import load
    from fewest.measures import CrossValidated

    if "FEWEST_DATA" not in os.environ:
        return None
    table = load("ionosphere").table()
    scorer = CrossValidated(NaiveBayes(), cv=10).bind(table, np.random.default_rng(0))
    masks = np.random.default_rng(1).random((1000, table.n_features)) < 0.5
    return fastest(lambda: scorer.score(masks), 3)


def generation_rows() -> list[dict[str, Any]]:
    rows, cards, rng = selected_rows(34), np.full(34, 2), np.random.default_rng(0)
    space, theirs = Subsets(34), naive_bayes_seconds()
    people = (rng.random((1000, 34)) < 0.5).astype(np.uint8)
    out = []
    for name in ("umda", "pbil", "bsc", "mimic", "tree", "bmda", "comit", "ecga", "boa", "ebna"):
        search = search_class(name)()
        assert isinstance(search, EDA)

        def work(search: EDA = search) -> None:
            model = search.learn(Generation(rows, np.linspace(1, 0.5, 500), cards, None))
            search.draw(model, 999, people, space, rng)

        out.append(row(f"{name}: model and samples of a generation, 34 bits", fastest(work),
                       theirs, "1x", "theirs: scoring 1,000 subsets with naive Bayes"))  # fmt: skip
    return out


def rows() -> list[dict[str, Any]]:
    """All measurements of this file."""
    return [*network_rows(), *tree_rows(), *generation_rows()]


if __name__ == "__main__":
    for r in rows():
        theirs = "" if r["theirs_s"] is None else f"{r['theirs_s']:.4f} s  {r['ratio']:.1f}x"
        print(f"{r['what']:55} {r['ours_s']:.4f} s  {theirs}  (target {r['target']})")
