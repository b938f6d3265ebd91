"""MDL-FS, information tables and the TAN wrapper against the plain way to get the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fewest.classifiers._network_classifiers import TAN
from fewest.data import load
from fewest.data._information import Information
from fewest.data._table import Table
from fewest.measures import MDLFS
from fewest.measures._wrappers.line import fast_scorer
from fewest.search import SFS, Subsets
from fewest.testing import drive


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _pair_by_pair(table: Table, limit: int) -> float:
    """Seconds for I(A; B) and I(A; B | C) with scikit-learn, pair after pair.

    After ``limit`` pairs the rest is reckoned from them.
    """
    columns = table.codes().T
    pairs = [(i, j) for i in range(len(columns)) for j in range(i)]

    def work() -> None:
        for i, j in pairs[:limit]:
            mutual_info_score(columns[i], columns[j])
            for c in range(table.n_classes):
                rows = table.target == c
                mutual_info_score(columns[i][rows], columns[j][rows])

    return _seconds(work) * len(pairs) / min(limit, len(pairs))


def _forward(table: Table) -> None:
    drive(SFS(), Subsets(table.n_features), MDLFS("tan").bind(table))


def _row(what: str, ours: float, theirs: float, target: str, note: str) -> dict[str, Any]:
    ratio = theirs / ours if ours > 0 else float("inf")
    return {
        "what": what,
        "ours_s": ours,
        "theirs_s": theirs,
        "ratio": ratio,
        "target": target,
        "note": note,
    }


def rows() -> list[dict[str, Any]]:
    """One row a comparison."""
    chess, connect = load("chess-kr-vs-kp"), load("connect-4")
    small, large = chess.table(), connect.table()
    _forward(small.take(np.arange(200)))  # compiles
    ours = _seconds(lambda: Information.of(small))
    note = "mutual_info_score, reckoned from 50 pairs"
    found = [_row("information of all pairs, chess", ours, _pair_by_pair(small, 50), "> 20", note)]
    ours = _seconds(lambda: _forward(large))
    note = "the information alone, reckoned from 20 pairs"
    theirs = _pair_by_pair(large, 20)
    found.append(_row("MDL-FS forward, TAN, connect-4", ours, theirs, "ours < 5 s", note))
    found.append(_wrapper(chess, small))
    found.append(_wrapper_on_all(large))
    return found


def _wrapper(data: Any, table: Table) -> dict[str, Any]:
    """The accuracy of TAN over the neighbours of a subset: the twin against cross_val_score."""
    splits = tuple(StratifiedKFold(10, shuffle=True, random_state=0).split(data.X, data.y))
    subset = np.arange(table.n_features) < 10
    masks = subset | np.eye(table.n_features, dtype=bool)[10:]
    scorer = fast_scorer(TAN(), table, splits)
    assert scorer is not None
    scorer.score(masks[:1])  # compiles
    ours = _seconds(lambda: scorer.score(masks)) / len(masks)
    X = data.X.iloc[:, np.flatnonzero(masks[0])]
    theirs = _seconds(lambda: cross_val_score(TAN(), X, data.y, cv=splits))
    what = "TAN accuracy, neighbours of 10 features, chess"
    return _row(what, ours, theirs, "> 20", "cross_val_score")


def _wrapper_on_all(table: Table) -> dict[str, Any]:
    """Forward selection by the accuracy of TAN over the training rows, the slowest method."""
    every = np.arange(table.n_rows)
    scorer = fast_scorer(TAN(), table, ((every, every),))
    assert scorer is not None
    visited: list[int] = []

    def work() -> None:
        space = Subsets(table.n_features, min_features=1)
        visited.append(len(drive(SFS(), space, scorer).candidates))

    ours = _seconds(work)
    model = TAN(features=range(table.n_features // 2))
    theirs = _seconds(lambda: model.fit_table(table).predict_table(table)) * visited[0]
    note = f"training {visited[0]} classifiers, reckoned from one of 21 features"
    return _row("TAN accuracy forward, connect-4", ours, theirs, "> 20", note)


if __name__ == "__main__":
    for row in rows():
        print(row)
