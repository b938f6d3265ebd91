"""The suite for measures passes what is right and catches what is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fewest.measures._measure import Measure, Scorer, Scores
from fewest.testing import (
    MonotoneTableMeasure,
    TableMeasure,
    measure_checks,
    monotone_values,
    parametrize_with_measure_checks,
    random_values,
    toy_table,
)


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
