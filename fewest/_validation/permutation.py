"""A permutation test of a whole selection: is it better than the same search on nothing?"""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .._errors import InputError, brief
from .._fitting.consensus import ARCHIVE, ArchivePlan, ConsensusPlan
from .._fitting.plan import make_problem
from .._fitting.requests import given_metadata
from .._run.execute import check_workers
from .._run.result import Result
from .._run.stop_rules import StopKind
from .._workers import THREADED_ROWS, one_thread
from ..data._feature_names import Features
from ..data._rows import take_rows
from ..data._table import Table
from ..measures._wrappers.row_data import WEIGHT
from ..search._better import SAME_SCORE_TOLERANCE
from .corrected import without_clock

if TYPE_CHECKING:
    from .._subset_selector import SubsetSelector


@dataclass
class PermutationTest:
    """Test of whether a selection is better than chance.

    Attributes
    ----------
    p_value : float
        How often the same selection on shuffled targets was at least as good, the real one
        counted in: never below 1 / (permutations + 1).
    score : float
        The selection score. Searches that look for the smallest subset that reaches a threshold
        are compared by size where scores are equal.
    scores : list of float
        The same on the shuffled targets.
    """

    p_value: float
    score: float
    scores: list[float]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return asdict(self)


def permutation_test(
    selector: Any,
    X: Any,
    y: Any,
    *,
    permutations: int = 100,
    nominal: Features | None = None,
    task: str | None = None,
    n_jobs: int | None = None,
    **metadata: Any,
) -> PermutationTest:
    """Run the whole selection again on shuffled targets.

    Parameters
    ----------
    selector : fitted SubsetSelector
        Its ``result_.extra["permutation"]`` is set as well.
    X, y, nominal, task, **metadata : what it was fitted with
        With ``groups``, targets are shuffled within each group; groups whose rows all have the
        same target exchange theirs. With ``time``, they stay in their order
        and begin at another moment: neighbours in time stay alike.
    permutations : int, default=100
        How many times; with 99 the smallest p value is 0.01.
    n_jobs : selections at once; the answer does not depend on it

    Notes
    -----
    The test of Ojala and Garriga (2010, test 1) for the selection as a whole: the score of every
    shuffled table is the best that its own search found, so the search cannot deceive it. It
    says that there is something to find, not how much: for that see :func:`fewest.validate`.
    What ``"auto"`` stood for in the selection is repeated as it was: search, measure, consensus.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import fewest
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = fewest.SubsetSelector("naive-bayes", search="sfs", random_state=0).fit(X, y)
    >>> fewest.permutation_test(selector, X, y, permutations=19).p_value
    0.05
    """
    check_is_fitted(selector, "result_")
    check_workers(n_jobs)
    if isinstance(permutations, bool) or not isinstance(permutations, int) or permutations < 1:
        raise InputError(
            f"`permutations` must be a whole number from 1 on, but is {brief(permutations)}."
        )
    result = selector.result_
    fresh = clone(selector).set_params(random_state=result.seed, journal=None, verbose=0)
    problem = make_problem(
        X, y, fresh.measure, cv=fresh.cv, scoring=fresh.scoring, nominal=nominal,
        metadata=given_metadata(fresh, metadata), task=task,
    )  # fmt: skip
    plan = fresh.plan(problem)
    rules = list(without_clock(plan.rules, result.evaluations)) or None
    kind = plan.consensus if isinstance(plan, ConsensusPlan) else None
    kind = ARCHIVE if isinstance(plan, ArchivePlan) else kind
    fresh.set_params(stop=rules, search=plan.search, measure=problem.measure, consensus=kind)
    orders = _orders(problem.table, permutations, result.seed)
    small = problem.table.n_rows < THREADED_ROWS
    with one_thread(small or joblib.effective_n_jobs(n_jobs) > 1), warnings.catch_warnings():
        # What is odd about the data was said when they were selected on.
        warnings.simplefilter("ignore", UserWarning)
        found = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(
            joblib.delayed(_shuffled)(fresh, problem.table, order) for order in orders
        )
    own = _quality(result, plan.search.needs_monotone)
    as_good = sum(_at_least(one, own) for one in found)
    scores = [score for score, _ in found]
    test = PermutationTest((as_good + 1) / (permutations + 1), own[0], scores)
    result.extra["permutation"] = test.to_dict()
    return test


def _orders(table: Table, permutations: int, seed: int) -> list[NDArray[np.intp]]:
    """Return shuffled rows: within groups, between those of one target each, or moved in time."""
    rng = np.random.default_rng([seed, 2])
    if "time" in table.metadata:
        in_time = np.argsort(np.asarray(table.metadata["time"]), kind="stable")
        back = np.argsort(in_time)
        steps = rng.integers(1, table.n_rows, permutations).tolist()
        return [np.roll(in_time, step)[back] for step in steps]
    groups = table.metadata.get("groups")
    if groups is None:
        return [rng.permutation(table.n_rows) for _ in range(permutations)]
    members = [np.flatnonzero(np.asarray(groups) == g) for g in np.unique(groups)]
    same = np.array([(table.target[rows] == table.target[rows[0]]).all() for rows in members])
    constant = np.flatnonzero(same)
    orders = []
    for _ in range(permutations):
        sources = np.arange(len(members))
        sources[constant] = rng.permutation(constant)
        order = np.empty(table.n_rows, dtype=np.intp)
        for group, (rows, source) in enumerate(zip(members, sources, strict=True)):
            order[rows] = members[source][0] if same[group] else rng.permutation(rows)
        orders.append(order)
    return orders


def _shuffled(
    selector: SubsetSelector, table: Table, order: NDArray[np.intp]
) -> tuple[float, float]:
    """Return the quality of the selection when the targets are in this order."""
    y = None if table.y is None else take_rows(table.y, order)
    # Weights belong to the targets: those that balance classes would not balance others.
    metadata = {
        name: take_rows(rows, order) if name.endswith(WEIGHT) else rows
        for name, rows in table.metadata.items()
    }
    shuffled = replace(table, target=table.target[order], y=y, metadata=metadata)
    own = clone(selector).fit_table(shuffled)
    if own.result_.stop_kind is StopKind.INTERRUPT:
        raise KeyboardInterrupt
    return _quality(own.result_, own.search_.needs_monotone)


def _quality(result: Result, threshold: bool) -> tuple[float, float]:
    """Return the score and, where few features are to reach a threshold, minus the cost."""
    cost = 0.0 if result.cost is None or not threshold else -float(result.cost)
    return float(result.score), cost


def _at_least(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether a quality is as good as another, up to rounding of the score."""
    if abs(one[0] - other[0]) > SAME_SCORE_TOLERANCE:
        return one[0] > other[0]
    return one[1] >= other[1]
