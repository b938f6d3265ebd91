"""What every search over orderings owes, as part of the suite for searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..measures.base import Scorer
from ..search.base import Search
from ..search.spaces.orderings import Orderings
from .driving import Drive, drive
from .table_measure import TableMeasure
from .tables import toy_table

#: How far each variable stands from its own place, turned so that higher is better.
Value = Callable[[np.ndarray[Any, Any]], float]


def _off_place(ordering: np.ndarray[Any, Any]) -> float:
    return -float(np.abs(ordering.astype(float) - np.arange(len(ordering))).sum())


def _scorer(value: Value, n: int) -> Scorer:
    return TableMeasure(value).bind(toy_table(n_features=n))


def _run(search: Search, n: int, value: Value, seed: int = 0) -> Drive:
    batches = 15 if search.generational else 400
    return drive(search, Orderings(n), _scorer(value, n), seed, max_batches=batches)


def check_orderings_are_repeatable(search: Search) -> None:
    """The same seed gives the same proposals, also from the same object."""
    first, second = (_run(search, 6, _off_place, seed=7) for _ in range(2))
    assert len(first.batches) == len(second.batches)
    for one, other in zip(first.batches, second.batches, strict=True):
        np.testing.assert_array_equal(one, other)


def check_proposes_orderings(search: Search) -> None:
    """Every candidate holds every variable once, for few and for many variables."""
    for n in (1, 2, 6, 11):
        done = _run(search, n, _off_place)
        assert all(batch.ndim == 2 and batch.shape[1] == n for batch in done.batches)
        assert done.space.feasible(done.candidates).all()


def check_improves_orderings(search: Search) -> None:
    """What it ends with is better than the mean of what it began with."""
    done = _run(search, 8, _off_place)
    assert done.best_value > done.values[0].mean() or done.best_value == 0


def check_orderings_survive_equal_and_unknown_values(search: Search) -> None:
    """All values equal, some or all unknown (NaN): it ends or goes on, and does not crash."""
    assert len(_run(search, 5, lambda _: 1.0).batches) > 0
    _run(search, 5, lambda ordering: float("nan") if ordering[0] > 1 else 1.0)
    _run(search, 5, lambda _: float("nan"))


def ordering_checks() -> dict[str, Callable[[Search], None]]:
    """The checks by name; they are for searches that declare the space of orderings."""
    return {
        "orderings: is repeatable": check_orderings_are_repeatable,
        "orderings: proposes orderings": check_proposes_orderings,
        "orderings: improves": check_improves_orderings,
        "orderings: survives odd values": check_orderings_survive_equal_and_unknown_values,
    }
