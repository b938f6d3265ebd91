"""Tables 2 to 4 of Drugan and Wiering (2010): percent selected, accuracy and CALL / N.

Random 2:1 splits, complete rows, Fayyad and Irani's cuts learned on the training part, forward
selection with MDL-FS and MDL, Koller and Sahami's filter, CFS, and the accuracy wrapper, for
naive Bayes and TAN; the method ``full`` gives table 2, and all together end with table 4. Run it
with names of data sets and a number of splits::

    FEWEST_DATA=... python -m benchmarks.drugan2010 --splits 10 chess mushroom votes
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fewest.data import load
from fewest.data.table import Table
from fewest.reproduce.network_selection import (
    LETTERS,
    accuracy,
    call_per_row,
    complete_rows,
    redundant_percent,
    select,
    splits,
)

from .drugan2010_summary import KEYS, summary

#: Name in the paper: name of the data set.
SETS = {
    "chess": "chess-kr-vs-kp",
    "mush": "mushroom",
    "splice": "splice",
    "spam": "spambase",
    "adult": "adult",
    "car": "car",
    "nursery": "nursery",
    "german": "german-credit",
    "conn": "connect-4-2class",
    "votes": "votes",
    "spect": "spect",
    "pima": "pima-diabetes",
    "credit": "credit-crx",
}
CLASSIFIERS = {"nb": "naive-bayes", "tan": "tan"}


def complete_table(name: str) -> Table:
    """The complete rows of a data set."""
    return complete_rows(load(name).table(), LETTERS.get(name))


def rows(
    paper_name: str,
    n_splits: int,
    methods: list[str],
    seed: int = 0,
    cuts: str = "train",
    strength: float = 1.0,
) -> list[dict[str, Any]]:
    """One row a classifier and method: means over the splits."""
    table = complete_table(SETS[paper_name])
    found: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    for train, test in splits(table, n_splits, seed, cuts):
        for short, classifier in CLASSIFIERS.items():
            for method in methods:
                mask = select(train, method, classifier)
                figures = (
                    100.0 * mask.mean(),
                    accuracy(train, test, mask, classifier, strength),
                    call_per_row(train, mask, classifier),
                )
                found.setdefault((short, method), []).append(figures)
    return [
        {
            "data": paper_name,
            "classifier": short,
            "method": method,
            "each": figures,
            **dict(zip(KEYS, np.mean(figures, axis=0).tolist(), strict=True)),
        }
        for (short, method), figures in found.items()
    ]


def published(path: str | None) -> dict[tuple[str, str, str], tuple[float, float]]:
    """Percent selected and accuracy as published, from a file with the tables of the paper."""
    if path is None:
        return {}
    tables = json.loads(Path(path).read_text(encoding="utf-8"))
    return {
        (row["data"], short, method): tuple(
            figures[key]["mean"] for key in ("selected_percent", "accuracy")
        )
        for short in CLASSIFIERS
        for row in tables[f"table3_{short}"]
        for method, figures in row.items()
        if method != "data"
    }


def line(row: dict[str, Any], paper: dict[tuple[str, str, str], tuple[float, float]]) -> str:
    """A row in print, with the published figures and what is further off than 4 and 2 points."""
    text = (
        f"{row['data']:8} {row['classifier']:4} {row['method']:14} "
        f"{row['selected']:6.1f} % {row['accuracy']:6.1f} % {row['call']:6.2f}"
    )
    known = paper.get((row["data"], row["classifier"], row["method"]))
    if known is None:
        return text
    off = [
        word
        for word, mine, theirs, limit in [
            ("selected", row["selected"], known[0], 4.0),
            ("accuracy", row["accuracy"], known[1], 2.0),
        ]
        if abs(mine - theirs) > limit
    ]
    return f"{text}   paper {known[0]:5.1f} % {known[1]:5.1f} %  {' '.join(off)}".rstrip()


def _splits_of(name: str, given: argparse.Namespace) -> Iterator[tuple[Table, Table]]:
    return splits(complete_table(SETS[name]), given.splits, 0, given.cuts)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", default=list(SETS))
    parser.add_argument("--splits", type=int, default=50)
    parser.add_argument("--methods", default="mdl-fs,mdl,koller-sahami,cfs")
    parser.add_argument("--cuts", choices=["train", "all"], default="train")
    parser.add_argument("--strength", type=float, default=1.0, help="smoothing of the tables")
    parser.add_argument("--paper", help="a JSON file with the published tables")
    given = parser.parse_args()
    paper = published(given.paper)
    every: list[dict[str, Any]] = []
    for name in given.data or list(SETS):
        start = time.perf_counter()
        methods = given.methods.split(",")
        found = rows(name, given.splits, methods, 0, given.cuts, given.strength)
        for row in found:
            print(line(row, paper), flush=True)
        every += found
        if "full" in methods:
            levels = [redundant_percent(t) for t, _ in _splits_of(name, given)]
            alone, pairs = np.mean(levels, axis=0)
            print(f"{name:8} redundant at level 0 {alone:.1f} %, at level 1 {pairs:.1f} %")
        print(f"{name}: {time.perf_counter() - start:.1f} s for {given.splits} splits", flush=True)
    if "mdl-fs" in methods:
        print("\n".join(summary(every, methods)))


if __name__ == "__main__":
    main()
