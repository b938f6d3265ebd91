"""Conformance suite for searches, built-in ones and yours.

In a test file::

    from fewest.testing import parametrize_with_search_checks

    @parametrize_with_search_checks([MySearch(), MySearch(steps=3)])
    def test_search(search, check):
        check(search)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from .._errors import MismatchError
from .._models.family_scores import FamilyScores
from .._run.journal import Journal
from .._run.loop import Run
from ..measures._measure import Scorer
from ..measures._network_scores import GraphScorer
from ..search._better import SAME_SCORE_TOLERANCE
from ..search._search import Search
from ..search._spaces.space import Space
from ..search._spaces.structures import Graphs, Orderings
from ..search._spaces.subsets import Subsets
from ..search._spaces.weight_spaces import Box, Levels
from ._driving import Drive, drive
from ._measure_checks import check_parameters_get_set_clone, check_parameters_refuse_junk
from ._tables import MonotoneTableMeasure, TableMeasure, monotone_values, random_values, toy_table

Check = Callable[[Search], None]

#: One space for every constraint, one for all of them, and the two smallest.
SPACES: dict[str, Subsets] = {
    "plain": Subsets(6),
    "not empty": Subsets(6, min_features=1),
    "include": Subsets(6, include=(1, 4)),
    "exclude": Subsets(6, exclude=(0, 5), min_features=1),
    "groups": Subsets(6, groups=((0, 3), (1, 2)), min_features=1),
    "sizes": Subsets(6, min_features=2, max_features=3),
    "one size": Subsets(6, min_features=3, max_features=3),
    "budget": Subsets(6, costs=(1, 2, 3, 1, 2, 3), budget=5.0, min_features=1),
    "everything": Subsets(7, (0,), (1,), ((2, 3),), 2, 5, costs=(1, 9, 1, 1, 2, 2, 0), budget=5.0),
    "nothing free": Subsets(3, include=(0, 1), exclude=(2,)),
    "one feature": Subsets(1),
}


def every_candidate(space: Space) -> np.ndarray[Any, Any]:
    """Return all feasible candidates of a small space.

    >>> from fewest.search import Subsets
    >>> from fewest.testing import every_candidate
    >>> every_candidate(Subsets(2, min_features=1)).astype(int).tolist()
    [[0, 1], [1, 0], [1, 1]]
    """
    shape = tuple(space.cardinalities.tolist())
    rows = np.indices(shape).reshape(len(shape), -1).T if shape else np.zeros((1, 0), dtype=int)
    rows = rows.astype(bool if space.kind == "subsets" else np.uint8)
    return np.asarray(rows[space.feasible(rows)])


def _scorer(search: Search, space: Subsets, seed: int = 0, levels: int | None = None) -> Scorer:
    """Return random values; where the search needs it, monotone ones with a reachable threshold."""
    d = space.n_features
    table = toy_table(n_features=d)
    if not search.needs_monotone:
        return TableMeasure(random_values(d, seed, levels)).bind(table)
    values = monotone_values(d, seed)
    reachable = space.expand(every_candidate(space)) @ (1 << np.arange(d))
    best = float(values[reachable].max())
    return MonotoneTableMeasure(values, threshold=best).bind(table)


def _run(search: Search, space: Space, scorer: Scorer, seed: int = 0) -> Drive:
    # A generation may be a thousand candidates; a greedy step is one.
    return drive(search, space, scorer, seed, max_batches=10 if search.generational else 400)


def _run_subsets(search: Search, seed: int) -> Drive:
    space = SPACES["not empty"]
    return _run(search, space, _scorer(search, space), seed)


def check_is_described(search: Search) -> None:
    """Check that it has a name, a docstring that describes what it does, and a source."""
    assert search.name
    assert search.name == search.name.lower()
    assert (type(search).__doc__ or "").strip(), "no docstring"
    assert search.source, "no source"


def check_repeats(search: Search, run: Callable[..., Drive]) -> None:
    """Check that the same seed gives the same proposals, also from the same object."""
    first, second = (run(search, seed=7) for _ in range(2))
    assert len(first.batches) == len(second.batches)
    for one, other in zip(first.batches, second.batches, strict=True):
        np.testing.assert_array_equal(one, other)


def check_proposes_candidates(search: Search) -> None:
    """Check that every batch is a matrix over the free units, with values in their range."""
    space = SPACES["groups"]
    for batch in _run(search, space, _scorer(search, space)).batches:
        assert batch.ndim == 2 and batch.shape[1] == space.n_units, batch.shape
        assert batch.dtype.kind in "biu", batch.dtype
        assert (batch >= 0).all()
        assert (batch < space.cardinalities).all()


def check_obeys(search: Search, constraint: str) -> None:
    """Check that the answer keeps the constraint, and so does every candidate of a generation."""
    space = SPACES[constraint]
    done = _run(search, space, _scorer(search, space))
    assert space.feasible(done.answer[None])[0], done.answer
    if search.generational:
        assert space.feasible(done.candidates).all()


def check_survives_equal_values(search: Search) -> None:
    """Check that it ends or goes on, without crash or hang, where all subsets are equally good."""
    for constraint in ("plain", "sizes", "one feature"):
        space = SPACES[constraint]
        scorer = TableMeasure(_one).bind(toy_table(n_features=space.n_features))
        scorer.threshold = 1.0 if search.needs_monotone else None
        done = _run(search, space, scorer)
        assert space.feasible(done.answer[None])[0]


def _one(mask: object) -> float:
    return 1.0


def check_survives_unknown_values(search: Search) -> None:
    """Check that candidates without a value (NaN), or none with one, do not stop it."""
    if search.needs_monotone:
        return
    space, table = SPACES["not empty"], toy_table(n_features=6)
    half = random_values(6, seed=3)
    half[np.random.default_rng(0).random(64) < 0.5] = np.nan
    done = _run(search, space, TableMeasure(half).bind(table))
    assert space.feasible(done.answer[None])[0]
    _run(search, space, TableMeasure(np.full(64, np.nan)).bind(table))


def check_is_complete(search: Search) -> None:
    """Check that a search declared complete finds the best subset and declares it proven."""
    if not search.complete:
        return
    for seed, (constraint, space) in enumerate(SPACES.items()):
        scorer = _scorer(search, space, seed, levels=20)
        done = drive(search, space, scorer, seed, max_batches=100_000)
        assert done.ended and done.verdict is not None and done.verdict.optimal, constraint
        every = every_candidate(space)
        value = scorer.score(space.expand(every)).value
        if scorer.threshold is None:
            assert done.best_value == value.max(), constraint
        else:
            cheapest = space.cost(every[value >= scorer.threshold - SAME_SCORE_TOLERANCE]).min()
            assert space.cost(done.answer[None])[0] == cheapest, constraint


def check_searches_levels(search: Search) -> None:
    """Check that a search that declares spaces with more than two values proposes all of them."""
    if "levels" not in search.spaces:
        return
    space = Levels(4)
    scorer = TableMeasure(_weighted).bind(toy_table(n_features=4))
    done = drive(search, space, scorer, 1, max_batches=30 if search.generational else 400)
    assert (done.candidates >= 0).all()
    assert (done.candidates < space.cardinalities).all()
    assert set(np.unique(done.candidates)) == {0, 1, 2}
    assert done.best_value > -0.5


def _weighted(weights: np.ndarray[Any, Any]) -> float:
    return -float(np.abs(weights - np.array([1.0, 0.5, 0.0, 0.5])).sum())


def check_refuses_other_measures(search: Search) -> None:
    """Check that a search that needs a monotone measure, or advice, refuses other measures."""
    if not search.needs_monotone and not search.needs_advice:
        return
    scorer = TableMeasure(random_values(6)).bind(toy_table(n_features=6))
    scorer.advises = ()
    _check_refused(search, SPACES["plain"], scorer)


def _check_refused(search: Search, space: Space, scorer: Scorer) -> None:
    try:
        drive(search, space, scorer)
    except MismatchError as error:
        assert search.name in str(error)
    else:
        raise AssertionError(f"{search.name} takes a measure that lacks what it needs")


def search_checks(search: Search | None = None) -> dict[str, Check]:
    """Return the checks by name; each takes a search and raises AssertionError where it fails.

    For a given search, those that are about its spaces.

    Examples
    --------
    >>> from fewest.search import SFS
    >>> from fewest.testing import search_checks
    >>> len(list(search_checks(SFS()))) > 5
    True
    """
    checks: dict[str, Check] = {
        "is described": check_is_described,
        "parameters: get, set, clone": check_parameters_get_set_clone,
        "parameters: refuse junk": check_parameters_refuse_junk,
    }
    if search is None or "subsets" in search.spaces:
        checks |= _subset_checks()
    if search is None or "orderings" in search.spaces:
        checks |= ordering_checks()
    if search is None or "graphs" in search.spaces:
        checks |= graph_checks()
    if search is None or "box" in search.spaces:
        checks |= box_checks()
    return checks


def _subset_checks() -> dict[str, Check]:
    checks: dict[str, Check] = {
        "is repeatable": partial(check_repeats, run=_run_subsets),
        "proposes candidates": check_proposes_candidates,
        "survives equal values": check_survives_equal_values,
        "survives unknown values": check_survives_unknown_values,
        "is complete": check_is_complete,
        "searches levels": check_searches_levels,
        "refuses other measures": check_refuses_other_measures,
    }
    for constraint in SPACES:
        checks[f"obeys: {constraint}"] = partial(check_obeys, constraint=constraint)
    return checks


def check_search(search: Search) -> None:
    """Run the whole suite on one search.

    >>> from fewest.search import resolve_search
    >>> from fewest.testing import check_search
    >>> check_search(resolve_search("sfs"))
    """
    for check in search_checks(search).values():
        check(search)


def parametrize_with_search_checks(searches: Iterable[Search]) -> Any:
    """Return a pytest decorator: one test for each search and check (arguments ``search, check``).

    >>> from fewest.search import SFS
    >>> from fewest.testing import parametrize_with_search_checks
    >>> @parametrize_with_search_checks([SFS()])
    ... def test_search(search, check):
    ...     check(search)
    """
    import pytest

    def pairs() -> Iterator[Any]:
        for search in searches:
            for name, check in search_checks(search).items():
                yield pytest.param(search, check, id=f"{search.name}: {name}")

    return pytest.mark.parametrize(("search", "check"), list(pairs()))


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


def _run_values(
    search: Search, space: Space = BOXES["plain"], value: Value = _near_a_point, seed: int = 0
) -> Drive:
    """Run a search over a box, or over orderings."""
    n = space.n_features if isinstance(space, Box) else space.n_units
    scorer = TableMeasure(value).bind(toy_table(n_features=n))
    return drive(search, space, scorer, seed, max_batches=15 if search.generational else 400)


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
    done = _run_values(search, space)
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
        "boxes: is repeatable": partial(check_repeats, run=_run_values),
        "boxes: improves": partial(check_rises, run=_run_values),
        "boxes: survives odd values": partial(check_survives_odd_values, run=_run_values),
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
    _check_refused(search, Graphs(2), TableMeasure(_one).bind(toy_table(n_features=4)))


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
        done = _run_values(search, Orderings(n), _off_place)
        assert all(batch.ndim == 2 and batch.shape[1] == n for batch in done.batches)
        assert done.space.feasible(done.candidates).all()


def ordering_checks() -> dict[str, Callable[[Search], None]]:
    """Return the checks by name; they are for searches that declare the space of orderings."""
    run = partial(_run_values, space=Orderings(6), value=_off_place)
    return {
        "orderings: is repeatable": partial(check_repeats, run=run),
        "orderings: proposes orderings": check_proposes_orderings,
        "orderings: improves": partial(check_rises, run=run),
        "orderings: survives odd values": partial(check_survives_odd_values, run=run),
    }
