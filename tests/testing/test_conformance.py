"""The suites pass what is right and catch what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.measures.base import Measure, Scorer, Scores
from fewest.parameters import number, whole
from fewest.search.base import Search, Verdict
from fewest.search.spaces.subsets import Subsets
from fewest.testing import (
    SPACES,
    TOY_TABLES,
    MonotoneTableMeasure,
    TableMeasure,
    drive,
    every_candidate,
    measure_checks,
    monotone_values,
    parametrize_with_measure_checks,
    parametrize_with_search_checks,
    random_values,
    search_checks,
    toy_table,
)


@dataclass
class Plain(Search):
    """Random batches."""

    name = "plain"
    source = "this test"
    generational = True

    size: int = whole(20, low=1)

    def propose(self, space, better, rng):
        while True:
            yield space.sample(self.size, rng)


@dataclass
class Everything(Plain):
    """All subsets in one batch."""

    name = "everything"
    complete = True
    generational = False

    def propose(self, space, better, rng):
        yield every_candidate(space)
        return Verdict("all scored", optimal=True)


@parametrize_with_search_checks([Plain(), Everything()])
def test_right_searches_pass(search, check):
    check(search)


class Wide(Plain):
    def propose(self, space, better, rng):
        yield np.zeros((3, space.n_units + 1), dtype=bool)


class Infeasible(Plain):
    def propose(self, space, better, rng):
        yield np.ones((3, space.n_units), dtype=bool)


class Moody(Plain):
    def propose(self, space, better, rng):
        yield space.sample(3, np.random.default_rng())


class Careless(Everything):
    def propose(self, space, better, rng):
        yield every_candidate(space)[:3]
        return Verdict("not all scored", optimal=True)


class Fragile(Plain):
    def propose(self, space, better, rng):
        scores = yield space.sample(9, rng)
        if np.isnan(scores.value).any():
            raise ZeroDivisionError


@dataclass
class Loose(Plain):
    bias: float = number(0.5)

    def check_parameters(self):
        pass


@pytest.mark.parametrize(
    ("search", "check"),
    [
        (Wide(), "proposes candidates"),
        (Infeasible(), "obeys: sizes"),
        (Infeasible(), "obeys: budget"),
        (Moody(), "is repeatable"),
        (Careless(), "is complete"),
        (Fragile(), "survives unknown values"),
        (Loose(), "parameters: refuse junk"),
    ],
)
def test_wrong_searches_are_caught(search, check):
    with pytest.raises((AssertionError, ValueError, ZeroDivisionError)):
        search_checks()[check](search)


@parametrize_with_measure_checks(
    [
        (TableMeasure(random_values(5), folds=4), toy_table(n_features=5)),
        (MonotoneTableMeasure(monotone_values(6), threshold=0.9), toy_table(n_features=6)),
    ]
)
def test_right_measures_pass(measure, table, check):
    check(measure, table)


class Wrong(Scorer):
    def __init__(self, kind):
        self.kind = kind
        self.calls = 0

    def score(self, candidates):
        value = candidates.sum(axis=1).astype(float)
        if self.kind == "batch":
            value = value + candidates.mean()
        if self.kind == "moody":
            self.calls += 1
            value = value + self.calls
        if self.kind == "mutates":
            candidates[0] = True
        if self.kind == "falls":
            value = -value
        return Scores(value)

    def cuts(self, candidate, limit=1):
        return candidate[None, :] if self.kind == "cuts" else super().cuts(candidate, limit)


@dataclass
class WrongMeasure(Measure):
    """Counts features, wrongly."""

    name = "wrong"
    kind: str = "batch"

    @property
    def monotone(self):
        return self.kind in ("falls", "cuts")

    def bind(self, table, rng=None):
        scorer = Wrong(self.kind)
        scorer.threshold = 4.0 if self.monotone else None
        return scorer


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        ("batch", "does not depend on the batch"),
        ("moody", "pickles"),
        ("mutates", "changes nothing"),
        ("falls", "is monotone"),
        ("cuts", "cuts are valid"),
    ],
)
def test_wrong_measures_are_caught(kind, check):
    with pytest.raises(AssertionError):
        measure_checks()[check](WrongMeasure(kind), toy_table(n_features=6))


def test_monotone_values_are_monotone():
    for seed in range(5):
        values = monotone_values(6, seed)
        for subset in range(64):
            for feature in range(6):
                assert values[subset | 1 << feature] >= values[subset]


def test_table_measure_reads_mappings_functions_and_arrays():
    masks = np.array([[True, False], [True, True], [False, False]])
    table = toy_table(n_features=2)
    looked_up = TableMeasure({(0,): 1.0, (0, 1): 2.0}).bind(table).score(masks).value
    np.testing.assert_array_equal(looked_up, [1.0, 2.0, np.nan])
    counted = TableMeasure(np.sum).bind(table).score(masks).value
    np.testing.assert_array_equal(counted, [1.0, 2.0, 0.0])
    indexed = TableMeasure(np.array([0.0, 1.0, 5.0, 2.0])).bind(table).score(masks).value
    np.testing.assert_array_equal(indexed, [1.0, 2.0, 0.0])


def test_table_measure_folds_average_to_the_value():
    scores = TableMeasure(np.sum, folds=5).bind(toy_table()).score(np.eye(5, dtype=bool))
    np.testing.assert_allclose(scores.folds.mean(axis=1), scores.value)
    assert scores.folds.std(axis=1).min() > 0


@pytest.mark.parametrize("lookup", [None, 3, np.zeros(7)])
def test_table_measure_refuses_other_lookups(lookup):
    with pytest.raises(InputError, match="`lookup` must"):
        TableMeasure(lookup).bind(toy_table(n_features=2))


@pytest.mark.parametrize("name", TOY_TABLES)
def test_toy_tables_are_consistent(name):
    table = TOY_TABLES[name]()
    assert table.values.shape == (len(table.target), len(table.names))
    for column, levels in zip(table.values.T, table.levels, strict=True):
        if levels is not None:
            known = column[~np.isnan(column)]
            assert set(known) <= set(range(len(levels)))
    if table.classes is not None:
        assert set(table.target) == set(range(table.n_classes))


def test_drive_counts_different_candidates_and_stops():
    scorer = TableMeasure(np.sum).bind(toy_table(n_features=3))
    done = drive(Plain(), Subsets(3), scorer, 0, max_batches=5)
    assert len(done.batches) == 5
    assert not done.ended
    assert done.verdict is None
    assert done.evaluations == 8
    assert len(done.candidates) == 100
    assert done.best_value == 3.0
    assert done.answer.all()


def test_the_spaces_of_the_suite_all_hold_something():
    for space in SPACES.values():
        assert len(every_candidate(space))
