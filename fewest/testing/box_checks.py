"""What every search over real numbers owes, as part of the suite for searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..run.journal import Journal
from ..run.loop import Run
from ..search.base import Search
from ..search.spaces.box import Box
from .driving import Drive, drive
from .table_measure import TableMeasure
from .tables import toy_table

#: One box for every constraint, and the smallest.
BOXES: dict[str, Box] = {
    "plain": Box(5),
    "include": Box(5, include=(1, 4)),
    "exclude": Box(5, exclude=(0, 4), min_features=1),
    "groups": Box(5, groups=((0, 3), (1, 2))),
    "sizes": Box(5, min_features=2, max_features=3),
    "budget": Box(5, costs=(1, 2, 3, 1, 2), budget=5.0),
    "nothing free": Box(3, include=(), exclude=(0, 1, 2)),
    "one feature": Box(1),
}

Value = Callable[[np.ndarray[Any, Any]], float]


def _near_a_point(weights: np.ndarray[Any, Any]) -> float:
    return -float(np.abs(weights - np.linspace(0.1, 0.9, len(weights))).sum())


def _run(search: Search, space: Box, value: Value = _near_a_point, seed: int = 0) -> Drive:
    scorer = TableMeasure(value).bind(toy_table(n_features=space.n_features))
    return drive(search, space, scorer, seed, max_batches=12 if search.generational else 300)


def check_boxes_are_repeatable(search: Search) -> None:
    """The same seed gives the same proposals, also from the same object."""
    first, second = (_run(search, BOXES["plain"], seed=7) for _ in range(2))
    assert len(first.batches) == len(second.batches)
    for one, other in zip(first.batches, second.batches, strict=True):
        np.testing.assert_array_equal(one, other)


def check_obeys_box(search: Search, constraint: str) -> None:
    """Every candidate is inside the box and keeps the constraint."""
    space = BOXES[constraint]
    done = _run(search, space)
    assert all(b.ndim == 2 and b.shape[1] == space.n_units for b in done.batches)
    assert done.candidates.dtype == np.float64
    assert space.feasible(done.candidates).all()


def check_improves_in_boxes(search: Search) -> None:
    """What it ends with is better than the mean of what it began with."""
    done = _run(search, BOXES["plain"])
    assert done.best_value > done.values[0].mean()


def check_boxes_survive_odd_values(search: Search) -> None:
    """All values equal, some or all unknown (NaN): it ends or goes on, and does not crash."""
    assert len(_run(search, BOXES["plain"], lambda _: 1.0).batches) > 0
    _run(search, BOXES["plain"], lambda w: float("nan") if w[0] > 0.5 else 1.0)
    _run(search, BOXES["plain"], lambda _: float("nan"))


def check_box_runs_resume_exactly(search: Search) -> None:
    """Cut anywhere and resumed, or on two workers, a run ends with the same weights."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        whole = _journalled(search, path, None)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[: max(2, len(lines) // 2)]))
        np.testing.assert_array_equal(_journalled(search, path, None), whole)
        np.testing.assert_array_equal(_journalled(search, None, 2), whole)


def _journalled(search: Search, path: Any, n_jobs: int | None) -> np.ndarray[Any, Any]:
    """All candidates of a short run, in their order."""
    from ..run.stop import Evaluations

    scorer = TableMeasure(_near_a_point).bind(toy_table(n_features=5))
    journal = None if path is None else Journal(path, {"seed": 1, "version": "test"})
    rng = np.random.default_rng(1)
    # A few generations of any search, or a few steps of one that goes one by one.
    stop = (Evaluations(2500 if search.generational else 250),)
    run = Run(search, scorer, BOXES["plain"], rng, stop, 40, n_jobs, journal)
    try:
        return np.asarray(run.go().archive.candidates)
    finally:
        if journal is not None:
            journal.close()


def box_checks() -> dict[str, Callable[[Search], None]]:
    """The checks by name; they are for searches that declare the space of real numbers."""
    checks: dict[str, Callable[[Search], None]] = {
        "boxes: is repeatable": check_boxes_are_repeatable,
        "boxes: improves": check_improves_in_boxes,
        "boxes: survives odd values": check_boxes_survive_odd_values,
        "boxes: resumes exactly": check_box_runs_resume_exactly,
    }
    for constraint in BOXES:
        checks[f"boxes: obeys {constraint}"] = partial(check_obeys_box, constraint=constraint)
    return checks
