"""What the best subset of every generation is worth on rows that the search has not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: From masks, a row each, to their scores on rows left out.
Judge = Callable[[NDArray[np.bool_]], NDArray[np.float64]]


def score_generations(
    history: Sequence[dict[str, Any]], n_features: int, judge: Judge
) -> list[dict[str, Any]]:
    """The history of a run with an ``honest`` score a generation.

    The best subset seldom changes, so each distinct one is judged once.

    Notes
    -----
    Internal against external accuracy by generation is the picture of Inza et al. (2000, fig. 7).

    Examples
    --------
    >>> history = [{"generation": 0, "best_features": [1]}, {"generation": 1, "best_features": [1]}]
    >>> told = score_generations(history, 2, lambda masks: masks.mean(axis=1))
    >>> [entry["honest"] for entry in told]
    [0.5, 0.5]
    """
    best = [entry.get("best_features") for entry in history]
    keys = [None if b is None else tuple(b) for b in best]
    distinct = sorted({key for key in keys if key is not None})
    masks = np.zeros((len(distinct), n_features), dtype=bool)
    for row, key in enumerate(distinct):
        masks[row, list(key)] = True
    scores = judge(masks) if distinct else ()
    honest: dict[tuple[int, ...] | None, float] = {
        key: float(score) for key, score in zip(distinct, scores, strict=True)
    }
    return [{**entry, "honest": honest.get(key)} for entry, key in zip(history, keys, strict=True)]


def internal_and_external(
    histories: Sequence[Sequence[dict[str, Any]]], with_internal: bool
) -> list[list[dict[str, Any]]]:
    """For every external fold, what each generation's best promised and what it was worth."""
    return [
        [
            {
                "generation": entry["generation"],
                "internal": entry["best_so_far"] if with_internal else None,
                "external": entry["honest"],
                "size": entry["best_size"],
            }
            for entry in history
            if entry.get("honest") is not None
        ]
        for history in histories
    ]


def histories_of(folds: Sequence[Sequence[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The way back from :func:`internal_and_external`, as far as it goes."""
    words = {"internal": "best_so_far", "external": "honest", "size": "best_size"}
    return [[{words.get(k, k): v for k, v in entry.items()} for entry in fold] for fold in folds]
