"""The numbers of a validation: what the selection is worth on rows that it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation.schemes import within_range
from .chart import MOST_FEATURES, MOST_GENERATIONS, thin
from .facts import choice_of, curve_folds, validation_of

if TYPE_CHECKING:
    from .._run.result import Result
    from .._run.result_format import HonestFigures
    from .._validation.validation import Validation


Plain = dict[str, Any]


def worth(result: Result) -> Plain | None:
    """Selection score beside honest score beside all features, with intervals and folds."""
    validation = validation_of(result)
    if validation is None:
        return None
    rows: list[Plain] = []
    if validation.selection_metric is None and result.folds is not None:
        rows.append({"what": "selection score", "mean": result.score})
        rows += _replayed(result)
    return {"rows": rows + _judged(validation), "metric": validation.metric}


def worth_of(validation: Validation) -> Plain:
    """Return the same of a validation alone: its selection score is the mean over the folds."""
    rows: list[Plain] = []
    if validation.optimism is not None:
        rows.append({"what": "selection score", "mean": validation.selection_score})
    return {"rows": rows + _judged(validation), "metric": validation.metric}


def _judged(validation: Validation) -> list[Plain]:
    """Return the scores on new rows, of the selection and of all features."""
    rows = []
    scored = (("honest", validation.scores), ("all features", validation.baseline_scores))
    for what, scores in scored:
        low, high = validation.interval_of(scores)
        rows.append(
            {
                "what": what,
                "mean": float(np.mean(scores)),
                "low": low,
                "high": high,
                "folds": scores.tolist(),
            }
        )
    return rows


def _replayed(result: Result) -> list[Plain]:
    if result.corrected is None:
        return []
    from .._validation.corrected import Corrected

    found = Corrected.from_dict(result.corrected)
    low, high = found.interval
    return [
        {
            "what": "replayed score",
            "mean": found.score,
            "low": low,
            "high": high,
            "folds": list(found.scores),
        }
    ]


def curve(result: Result) -> Plain | None:
    """Honest score against size with intervals, all features, and the chosen size."""
    found = result.curve
    if found is None:
        return None
    metric, folds = result.honest["metric"] if result.honest else "score", curve_folds(result)
    spans = [within_range(metric, *found.interval(scores)) for scores in folds]
    finite = [low > -np.inf for low, _ in spans]
    everything = None if found.everything is None else float(found.everything.mean())
    everything = None if everything is None else everything - choice_of(result)
    return {
        "size": found.sizes.tolist(),
        "mean": folds.mean(axis=1).tolist(),
        "low": [low for low, _ in spans] if all(finite) else None,
        "high": [high for _, high in spans] if all(finite) else None,
        "chosen": found.chosen,
        "all": everything,
        "allowed": result.n_allowed,
        "metric": metric,
    }


def by_generation(honest: HonestFigures | None) -> Plain | None:
    """Internal against external score of the best subset by generation, over external folds.

    A fold whose search ended keeps its last value, so that the mean is over all folds throughout.

    Notes
    -----
    The picture of Inza et al. (2000, fig. 7).
    """
    folds = [f for f in honest.get("by_generation") or [] if f] if honest else []
    if honest is None or not folds or max(map(len, folds)) < 2:
        return None
    longest = max(map(len, folds))
    kept = thin(longest, MOST_GENERATIONS)

    def mean(key: str) -> list[float] | None:
        if any(entry.get(key) is None for fold in folds for entry in fold):
            return None
        padded = [[fold[min(i, len(fold) - 1)][key] for i in kept] for fold in folds]
        return [float(v) for v in np.mean(padded, axis=0)]

    return {
        "generation": kept,
        "internal": mean("internal"),
        "external": mean("external"),
        "size": mean("size"),
        "going_on": [sum(len(fold) > i for fold in folds) for i in kept],
        "folds": len(folds),
        "metric": honest["metric"],
        "baseline": honest["baseline"],
    }


def stability(honest: HonestFigures | None, chosen: Sequence[str] = ()) -> Plain | None:
    """In how many of the external folds each feature was selected, the most frequent first."""
    if honest is None or not honest["names"]:
        return None
    supports = np.array(honest["supports"], dtype=bool)
    share = supports.mean(axis=0)
    picked = np.array([name in set(chosen) for name in honest["names"]])
    order = [j for j in np.lexsort((~picked, -share)) if share[j] > 0 or picked[j]]
    shown = order[:MOST_FEATURES]
    return {
        "features": [honest["names"][j] for j in shown],
        "share": [float(share[j]) for j in shown],
        "chosen": [bool(picked[j]) for j in shown],
        "folds": len(supports),
        "left_out": len(order) - len(shown),
        "stability": honest["stability"],
        "stabilities": honest["stabilities"],
        "sizes": honest["sizes"],
    }
