"""One method on one table: select inside the training halves of 5×2cv, judge on the others."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.study.methods import MAIN, Method, named
from benchmarks.study.peers import PEERS, filled
from fewest._fitting.plan import problem_of
from fewest._run.choose import score_all_features
from fewest._run.conclude import chosen_mask
from fewest._validation.schemes import external_splits
from fewest._validation.significance import Overlap, Split, difference
from fewest._validation.validation import nogueira
from fewest.data import Dataset
from fewest.data._table import Table
from fewest.measures._models_by_name import named_estimator
from fewest.measures._wrappers.cross_validated import fold_scorer

Row = dict[str, Any]
Masks = list[NDArray[np.bool_]]
SEED = 1


def splits_of(table: Table) -> list[Split]:
    """The same five times two halves for every method."""
    return external_splits("5x2cv", table, np.random.default_rng(SEED))


def judge_method(data: Dataset, method: Method) -> list[Row]:
    """A row for each choice rule and judge; the searches are run once for all of them."""
    table = data.table()
    splits = splits_of(table)
    chosen: dict[str, Masks] = {choose: [] for choose in method.choices}
    start, evaluations = time.process_time(), []
    for number, (train, _) in enumerate(splits):
        part = table.take(train)
        selector = method.selector().set_params(random_state=1000 + number)
        plan = selector.plan(problem_of(part, method.measure, cv="auto", scoring=None))
        outcome = plan.run()
        evaluations.append(outcome.evaluations)
        if "safe" in method.choices:
            score_all_features(outcome.archive, plan.scorer)
        for choose in method.choices:
            chosen[choose].append(chosen_mask(outcome, plan.search, plan.scorer, choose))
    seconds = time.process_time() - start
    rows = []
    for judge in method.judges or (method.measure,):
        for choose, masks in chosen.items():
            row = _row(data, table, splits, masks, judge)
            row |= {"evaluations": round(float(np.mean(evaluations)), 1)}
            rows.append({"choose": choose, "seconds": round(seconds, 2), **row})
    return rows


def judge_peer(data: Dataset, peer: str) -> list[Row]:
    """The row of a selector of another library, judged like the others."""
    table = data.table()
    splits, start, masks = splits_of(table), time.process_time(), []
    for number, (train, _) in enumerate(splits):
        X, y = filled(table.values[train]), table.target[train]
        mask = PEERS[peer][1](X, y, 1000 + number)
        masks.append(mask if mask.any() else np.ones_like(mask))
    seconds = round(time.process_time() - start, 2)
    return [{"choose": "best", "seconds": seconds, **_row(data, table, splits, masks, MAIN)}]


def _row(data: Dataset, table: Table, splits: list[Split], masks: Masks, judge: str) -> Row:
    model = named_estimator(judge)
    both = np.array(
        [
            fold_scorer(model, table, split).score(np.array([mask, np.ones_like(mask)])).value
            for split, mask in zip(splits, masks, strict=True)
        ]
    )
    found = difference(both[:, 0], both[:, 1], Overlap.of(splits))
    row: Row = {
        "judge": judge,
        "accuracy": round(float(both[:, 0].mean()), 5),
        "all": round(float(both[:, 1].mean()), 5),
        "verdict": found.verdict,
        "size": round(float(np.mean([m.sum() for m in masks])), 2),
        "features": table.n_features,
        "rows": table.n_rows,
        "stability": round(nogueira(masks), 4),
    }
    if data.relevant:
        relevant = [data.names.index(n) for n in data.relevant]
        kept = np.array([m[relevant].sum() for m in masks])
        row["recall"] = round(float((kept / len(relevant)).mean()), 4)
        row["precision"] = round(float(np.mean(kept / [max(m.sum(), 1) for m in masks])), 4)
    return row


def method_of(row: Row) -> str:
    """The name of what a row is about: measure (unless the main one), search and choice."""
    name = named(row["search"], row["choose"])
    return name if row["measure"] in (MAIN, "peer") else f"{row['measure']}: {name}"
