"""The choice made again without each fold: how much the choice among scored subsets flatters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.base import Scores
from ..search.better import Better
from .archive import Archive
from .choose import choose_row
from .safe import all_features_row


def choose_without_folds(
    archive: Archive, rows: NDArray[np.intp], choose: object, size: int | None = None
) -> dict[str, Any] | None:
    """Choose by all folds but one, and look at that one; for every fold in turn.

    ``size`` is given where the search was asked for that many features. None without folds.

    Notes
    -----
    This corrects for the choice among the scored subsets, not for a search that went where the
    scores led it: those subsets are there because all folds liked them. It is what
    Tsamardinos et al. (2018) do with bootstrap samples of the rows, with folds.
    """
    folds = archive.scores.folds
    if folds is None or folds.shape[1] < 3 + (choose == "safe"):
        return None
    rows = rows[~np.isnan(folds[rows]).any(axis=1)]
    if size is not None:
        rows = rows[archive.size[rows] == size]
    if not len(rows):
        return None
    if choose == "safe":
        # What it is compared with must be there, also where it is no allowed answer.
        rows = np.union1d(rows, np.array([all_features_row(archive)], dtype=np.intp))
    candidates, known = archive.candidates[rows], folds[rows]
    total, scores = known.sum(axis=1), []
    for fold in range(known.shape[1]):
        value = (total - known[:, fold]) / (known.shape[1] - 1)
        if choose == "best" or size is not None:
            row = Better(archive.space).best(candidates, value)
        else:
            others = Archive(archive.space)
            others.add(candidates, Scores(value, np.delete(known, fold, axis=1)), 0)
            row = choose_row(others, others.up_to(None), choose)
        scores.append(float(known[row, fold]))
    share = 1 / (known.shape[1] - 1)
    return {"replayed": "choice", "score": float(np.mean(scores)), "scores": scores, "share": share}
