"""What every search over graphs owes, as part of the suite for searches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import MismatchError
from ..measures.networks.graph_score import GraphScorer
from ..models.networks.family_scores import FamilyScores
from ..search.base import Search
from ..search.spaces.graphs import Graphs
from .driving import Drive, drive
from .table_measure import TableMeasure
from .tables import toy_table


def _families(d: int) -> FamilyScores:
    """Variables of which each but the first mostly follows one before it."""
    rng = np.random.default_rng(d)
    rows = rng.integers(0, 3, (120, d))
    for i in range(1, d):
        same = rng.random(120) < 0.7
        rows[same, i] = rows[same, rng.integers(0, i)]
    return FamilyScores(rows, np.full(d, 3))


def _run(search: Search, d: int, most: int | None, seed: int = 0) -> Drive:
    return drive(search, Graphs(d, most), GraphScorer(_families(d)), seed, max_batches=150)


def check_graphs_are_repeatable(search: Search) -> None:
    """The same seed gives the same proposals, also from the same object."""
    first, second = (_run(search, 6, 2, seed=7) for _ in range(2))
    assert len(first.batches) == len(second.batches)
    for one, other in zip(first.batches, second.batches, strict=True):
        np.testing.assert_array_equal(one, other)


def check_proposes_graphs(search: Search) -> None:
    """No candidate has a cycle or too many parents, for few and for more variables."""
    for d, most in ((2, 1), (5, 0), (6, 2), (9, None)):
        done = _run(search, d, most)
        assert all(batch.ndim == 2 and batch.shape[1] == d * d for batch in done.batches)
        assert done.space.feasible(done.candidates).all()


def check_improves_graphs(search: Search) -> None:
    """What it ends with is better than the graph without arcs."""
    done = _run(search, 7, 3)
    empty = GraphScorer(_families(7)).score(np.zeros((1, 49), dtype=bool)).value[0]
    assert done.best_value > empty


def check_graphs_refuse_other_measures(search: Search) -> None:
    """A measure without families is refused in one sentence."""
    scorer = TableMeasure(lambda _: 1.0).bind(toy_table(n_features=4))
    try:
        drive(search, Graphs(2), scorer)
    except MismatchError as error:
        assert search.name in str(error)
    else:
        raise AssertionError(f"{search.name} takes a measure without families")


def graph_checks() -> dict[str, Callable[[Search], None]]:
    """The checks by name; they are for searches that declare the space of graphs."""
    return {
        "graphs: is repeatable": check_graphs_are_repeatable,
        "graphs: proposes graphs": check_proposes_graphs,
        "graphs: improves": check_improves_graphs,
        "graphs: refuses other measures": check_graphs_refuse_other_measures,
    }
