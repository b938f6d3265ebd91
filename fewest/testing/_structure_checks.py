"""Conformance suites for searches over real numbers, graphs and orderings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .._errors import MismatchError
from .._models.family_scores import FamilyScores
from .._run.journal import Journal
from .._run.loop import Run
from ..networks._network_measures import GraphScorer
from ..search._search import Search
from ..search._spaces.space import Space
from ..search._spaces.structures import Graphs, Orderings
from ..search._spaces.weight_spaces import Box
from ._driving import Drive, drive
from ._tables import TableMeasure, toy_table

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


def _run(
    search: Search, space: Space = BOXES["plain"], value: Value = _near_a_point, seed: int = 0
) -> Drive:
    """Run a search over a box, or over orderings."""
    n = space.n_features if isinstance(space, Box) else space.n_units
    scorer = TableMeasure(value).bind(toy_table(n_features=n))
    return drive(search, space, scorer, seed, max_batches=15 if search.generational else 400)


def check_repeats(search: Search, run: Callable[..., Drive]) -> None:
    """Check that the same seed gives the same proposals, also from the same object."""
    first, second = (run(search, seed=7) for _ in range(2))
    assert len(first.batches) == len(second.batches)
    for one, other in zip(first.batches, second.batches, strict=True):
        np.testing.assert_array_equal(one, other)


def check_rises(search: Search, run: Callable[..., Drive]) -> None:
    """Check that the answer is better than the mean of the first candidates."""
    done = run(search)
    assert done.best_value > done.values[0].mean() or done.best_value == 0


def check_survives_odd_values(search: Search, run: Callable[..., Drive]) -> None:
    """Check that it does not crash where all values are equal, or some or all unknown (NaN)."""
    assert len(run(search, value=lambda _: 1.0).batches) > 0
    run(search, value=lambda units: float("nan") if units[0] > 0.5 else 1.0)
    run(search, value=lambda _: float("nan"))


def check_obeys_box(search: Search, constraint: str) -> None:
    """Check that every candidate is inside the box and keeps the constraint."""
    space = BOXES[constraint]
    done = _run(search, space)
    assert all(b.ndim == 2 and b.shape[1] == space.n_units for b in done.batches)
    assert done.candidates.dtype == np.float64
    assert space.feasible(done.candidates).all()


def check_box_runs_resume_exactly(search: Search) -> None:
    """Check that a run cut anywhere and resumed, or on two workers, ends with the same weights."""
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
    """Return all candidates of a short run, in their order."""
    from .._run.stop_rules import Evaluations

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
    """Return the checks by name; they are for searches that declare the space of real numbers."""
    checks: dict[str, Callable[[Search], None]] = {
        "boxes: is repeatable": partial(check_repeats, run=_run),
        "boxes: improves": partial(check_rises, run=_run),
        "boxes: survives odd values": partial(check_survives_odd_values, run=_run),
        "boxes: resumes exactly": check_box_runs_resume_exactly,
    }
    for constraint in BOXES:
        checks[f"boxes: obeys {constraint}"] = partial(check_obeys_box, constraint=constraint)
    return checks


def _families(d: int) -> FamilyScores:
    """Return scores of variables of which each but the first mostly follows one before it."""
    rng = np.random.default_rng(d)
    rows = rng.integers(0, 3, (120, d))
    for i in range(1, d):
        same = rng.random(120) < 0.7
        rows[same, i] = rows[same, rng.integers(0, i)]
    return FamilyScores(rows, np.full(d, 3))


def _run_graphs(search: Search, d: int = 6, most: int | None = 2, seed: int = 0) -> Drive:
    return drive(search, Graphs(d, most), GraphScorer(_families(d)), seed, max_batches=150)


def check_proposes_graphs(search: Search) -> None:
    """Check that no candidate has a cycle or too many parents, for few and for more variables."""
    for d, most in ((2, 1), (5, 0), (6, 2), (9, None)):
        done = _run_graphs(search, d, most)
        assert all(batch.ndim == 2 and batch.shape[1] == d * d for batch in done.batches)
        assert done.space.feasible(done.candidates).all()


def check_improves_graphs(search: Search) -> None:
    """Check that the answer is better than the graph without arcs."""
    done = _run_graphs(search, 7, 3)
    empty = GraphScorer(_families(7)).score(np.zeros((1, 49), dtype=bool)).value[0]
    assert done.best_value > empty


def check_graphs_refuse_other_measures(search: Search) -> None:
    """Check that a measure without families is refused in one sentence."""
    scorer = TableMeasure(lambda _: 1.0).bind(toy_table(n_features=4))
    try:
        drive(search, Graphs(2), scorer)
    except MismatchError as error:
        assert search.name in str(error)
    else:
        raise AssertionError(f"{search.name} takes a measure without families")


def graph_checks() -> dict[str, Callable[[Search], None]]:
    """Return the checks by name; they are for searches that declare the space of graphs."""
    return {
        "graphs: is repeatable": partial(check_repeats, run=_run_graphs),
        "graphs: proposes graphs": check_proposes_graphs,
        "graphs: improves": check_improves_graphs,
        "graphs: refuses other measures": check_graphs_refuse_other_measures,
    }


def _off_place(ordering: np.ndarray[Any, Any]) -> float:
    return -float(np.abs(ordering.astype(float) - np.arange(len(ordering))).sum())


def check_proposes_orderings(search: Search) -> None:
    """Check that every candidate holds every variable once, for few and for many variables."""
    for n in (1, 2, 6, 11):
        done = _run(search, Orderings(n), _off_place)
        assert all(batch.ndim == 2 and batch.shape[1] == n for batch in done.batches)
        assert done.space.feasible(done.candidates).all()


def ordering_checks() -> dict[str, Callable[[Search], None]]:
    """Return the checks by name; they are for searches that declare the space of orderings."""
    run = partial(_run, space=Orderings(6), value=_off_place)
    return {
        "orderings: is repeatable": partial(check_repeats, run=run),
        "orderings: proposes orderings": check_proposes_orderings,
        "orderings: improves": partial(check_rises, run=run),
        "orderings: survives odd values": partial(check_survives_odd_values, run=run),
    }
