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
from ..measures._measure import Scorer
from ..search._better import SAME_SCORE_TOLERANCE
from ..search._search import Search
from ..search._spaces.space import Space
from ..search._spaces.subsets import Subsets
from ..search._spaces.weight_spaces import Levels
from ._driving import Drive, drive
from ._measure_checks import check_parameters_get_set_clone, check_parameters_refuse_junk
from ._structure_checks import box_checks, graph_checks, ordering_checks
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


def check_is_described(search: Search) -> None:
    """Check that it has a name, a docstring that describes what it does, and a source."""
    assert search.name
    assert search.name == search.name.lower()
    assert (type(search).__doc__ or "").strip(), "no docstring"
    assert search.source, "no source"


def check_is_repeatable(search: Search) -> None:
    """Check that the same seed gives the same proposals, also from the same object."""
    space = SPACES["not empty"]
    first, second = (_run(search, space, _scorer(search, space), seed=7) for _ in range(2))
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
    try:
        drive(search, SPACES["plain"], scorer)
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
        "is repeatable": check_is_repeatable,
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
