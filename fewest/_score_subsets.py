"""score_subsets: the scores of many subsets on the same folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError, brief
from ._fitting.parameter_table import check_options
from ._fitting.plan import make_problem
from ._parameters import seed_of, streams
from ._run.execute import Executor
from .data._feature_names import Features, feature_positions
from .measures._measure import Scores


def score_subsets(
    X: Any,
    y: Any,
    subsets: Any,
    *,
    measure: Any = "auto",
    cv: Any = "auto",
    scoring: Any = None,
    nominal: Features | None = None,
    task: str | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    **metadata: Any,
) -> Scores:
    """Return the scores of many subsets, all on the same folds.

    Parameters
    ----------
    X, y : the data, as for :class:`fewest.SubsetSelector`
    subsets : list of features, or bool array of shape (m, n_features)
        One entry per subset: names, positions, patterns, or a mask, as wherever features are
        chosen.
    measure, cv, scoring, nominal, task, n_jobs, random_state : as for the selector

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
    >>> score_subsets(X, y, [[0], [2, 3]], measure=GaussianNB(), cv=5).value.round(2)
    array([0.73, 0.96])
    """
    check_options(locals())
    problem = make_problem(
        X, y, measure, cv=cv, scoring=scoring, nominal=nominal, metadata=metadata, task=task
    )
    masks = subset_masks(subsets, problem.table.names)
    rng = streams(seed_of(random_state))[0]
    scorer, masks = problem.measure.bind_for(problem.table, masks, rng)
    with Executor(scorer, n_jobs).running() as executor:
        return Scores.join([scores for _, scores in executor.score(masks)])


def subset_masks(subsets: Any, names: Sequence[str]) -> NDArray[np.bool_]:
    """Return one mask over the features per subset.

    >>> subset_masks([["b"], [0, "c"], []], ["a", "b", "c"]).astype(int)
    array([[0, 1, 0],
           [1, 0, 1],
           [0, 0, 0]])
    """
    if isinstance(subsets, np.ndarray) and subsets.dtype != object:
        return _checked(subsets, len(names))
    if isinstance(subsets, str) or not isinstance(subsets, Sequence) or len(subsets) == 0:
        raise InputError(
            "`subsets` must be a list of subsets, each a list of names or positions of features "
            f'(such as [["{names[0]}"]]), or a bool array of shape (m, {len(names)}), but is '
            f"{brief(subsets)}."
        )
    masks = np.zeros((len(subsets), len(names)), dtype=bool)
    for mask, subset in zip(masks, subsets, strict=True):
        mask[list(feature_positions(_as_mask(subset, len(names)), names, "subsets"))] = True
    return masks


def _as_mask(subset: Any, width: int) -> Any:
    """Return a row of 0 and 1, one per feature, as a mask; anything else as it is.

    A list of one position per feature that are all 0 or 1 can only be meant as a mask.
    """
    if isinstance(subset, str):
        return [subset]
    values = subset if isinstance(subset, (list, tuple, np.ndarray)) else ()
    bits = len(values) == width > 2 and all(
        isinstance(v, (int, np.integer)) and v in (0, 1) for v in values
    )
    return [bool(v) for v in values] if bits else subset


def _checked(masks: NDArray[Any], n_features: int) -> NDArray[np.bool_]:
    if masks.ndim != 2 or masks.shape[1] != n_features or len(masks) == 0:
        raise InputError(
            f"`subsets` must be a bool array of shape (m, {n_features}), one row per subset, "
            f"but has shape {masks.shape}."
        )
    if masks.dtype != bool and not np.isin(masks, (0, 1)).all():
        raise InputError("`subsets` must hold only True and False (or 1 and 0).")
    return masks.astype(bool)
