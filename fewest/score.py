"""score_subsets: the scores of many subsets on the same folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from .data.feature_names import Features
from .errors import InputError
from .fitting.problem import make_problem
from .measures.base import Scores
from .run.execute import Executor
from .seeds import seed_of, streams


def score_subsets(
    X: Any,
    y: Any,
    subsets: Any,
    *,
    measure: Any = "auto",
    cv: Any = "auto",
    scoring: Any = None,
    nominal: Features | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    **metadata: Any,
) -> Scores:
    """The scores of many subsets, all on the same folds.

    Parameters
    ----------
    X, y : the data, as for :class:`fewest.SubsetSelector`
    subsets : bool array of shape (m, n_features)
        One row per subset.
    measure, cv, scoring, nominal, n_jobs, random_state : as for the selector

    Returns
    -------
    Scores
        ``value`` of shape (m,), higher is better; ``folds`` of shape (m, k), or None.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> subsets = np.array([[1, 0, 0, 0], [0, 0, 1, 1]], dtype=bool)
    >>> score_subsets(X, y, subsets, measure=GaussianNB(), cv=5).value.round(2)
    array([0.73, 0.96])
    """
    problem = make_problem(
        X, y, measure, cv=cv, scoring=scoring, nominal=nominal, metadata=metadata
    )
    masks = _checked(subsets, problem.table.n_features)
    scorer = problem.measure.bind(problem.table, streams(seed_of(random_state))[0])
    with Executor(scorer, n_jobs).running() as executor:
        return Scores.join([scores for _, scores in executor.score(masks)])


def _checked(subsets: Any, n_features: int) -> Any:
    masks = np.asarray(subsets)
    if masks.ndim != 2 or masks.shape[1] != n_features or len(masks) == 0:
        raise InputError(
            f"`subsets` must be a bool array of shape (m, {n_features}), one row per subset, "
            f"but has shape {masks.shape}."
        )
    if masks.dtype != bool:
        if not np.isin(masks, (0, 1)).all():
            raise InputError("`subsets` must hold only True and False (or 1 and 0).")
        masks = masks.astype(bool)
    return masks
