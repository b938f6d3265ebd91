"""The suites for searches, measures and parameters of others."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fewest._errors import InputError
from fewest._parameters import Parameters, number, whole
from fewest.measures._measure import Measure, Scorer, Scores
from fewest.search import SHCLVND
from fewest.testing import (
    SPACES,
    MonotoneTableMeasure,
    TableMeasure,
    every_candidate,
    measure_checks,
    monotone_values,
    parametrize_with_measure_checks,
    parametrize_with_search_checks,
    random_values,
    search_checks,
    toy_table,
)
from fewest.testing._measure_checks import (
    check_parameters_get_set_clone,
    check_parameters_refuse_junk,
)
from fewest.testing._search_checks import BOXES, box_checks, graph_checks, ordering_checks
from tests.testing.searches import (
    Blind,
    BlindOrder,
    Careless,
    CarelessGraphs,
    Cyclic,
    Drawn,
    Everything,
    Fragile,
    FragileBox,
    FragileOrder,
    Idle,
    Infeasible,
    Loose,
    Moody,
    MoodyBox,
    MoodyGraphs,
    MoodyOrder,
    Outside,
    Plain,
    Shuffled,
    Twice,
    Uniform,
    Wide,
)

# The suites for searches pass what is right and catch what is wrong.
RIGHT = {
    "boxes": [Uniform(), SHCLVND(population=40)],
    "graphs": [Drawn()],
    "orderings": [Shuffled()],
}
SUITES = {"boxes": box_checks(), "graphs": graph_checks(), "orderings": ordering_checks()}


@parametrize_with_search_checks([Plain(), Everything()])
def test_right_searches_pass(search, check):
    check(search)


@pytest.mark.parametrize(
    ("search", "kind", "name"),
    [
        pytest.param(search, kind, name, id=f"{search.name}: {name}")
        for kind, searches in RIGHT.items()
        for search in searches
        for name in SUITES[kind]
        if "boxes: resumes" not in name
    ],
)
def test_right_searches_over_other_spaces_pass(search, kind, name):
    SUITES[kind][name](search)


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
        (Outside(), "boxes: obeys plain"),
        (Outside(), "boxes: obeys budget"),
        (MoodyBox(), "boxes: is repeatable"),
        (MoodyBox(), "boxes: resumes exactly"),
        (Blind(), "boxes: improves"),
        (FragileBox(), "boxes: survives odd values"),
        (Cyclic(), "graphs: proposes graphs"),
        (MoodyGraphs(), "graphs: is repeatable"),
        (Idle(), "graphs: improves"),
        (CarelessGraphs(), "graphs: refuses other measures"),
        (Twice(), "orderings: proposes orderings"),
        (MoodyOrder(), "orderings: is repeatable"),
        (BlindOrder(), "orderings: improves"),
        (FragileOrder(), "orderings: survives odd values"),
    ],
)
def test_wrong_searches_are_caught(search, check):
    with pytest.raises((AssertionError, ValueError, ZeroDivisionError)):
        search_checks()[check](search)


def test_the_spaces_of_the_suite_hold_what_they_allow():
    sizes = {name: len(every_candidate(space)) for name, space in SPACES.items()}
    # 2^6 subsets; 15 + 20 of two and three of six features; 20 of three.
    assert (sizes["plain"], sizes["sizes"], sizes["one size"]) == (64, 35, 20)
    assert sizes["nothing free"] == 1
    assert all(sizes.values())


def test_a_search_has_the_checks_of_its_spaces():
    names = set(search_checks(Plain()))
    assert "obeys: budget" in names
    assert not any(name.startswith(("boxes", "orderings")) for name in names)
    assert names < set(search_checks())


def test_every_box_has_its_check():
    assert {f"boxes: obeys {name}" for name in BOXES} < set(box_checks())


# The suite for measures passes what is right and catches what is wrong.
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


# Parameters that are not declared, copied or checked as they should be.
@dataclass
class Right(Parameters):
    size: int = whole(3, low=1)
    shift: float = number(0.0)


class Mute(Right):
    """Takes everything."""

    def check_parameters(self):
        pass


class Curt(Right):
    """Refuses without a sentence."""

    def check_parameters(self):
        if self.size != 3 or self.shift != 0:
            raise InputError("no")


class Forgetful(Right):
    """Keeps one of its parameters to itself."""

    def get_params(self, deep=True):
        return {"size": self.size}


def test_right_parameters_pass():
    check_parameters_get_set_clone(Right())
    # -7.25 is junk for a size, but a number like any other for a shift.
    check_parameters_refuse_junk(Right())


def test_wrong_parameters_are_caught():
    with pytest.raises(AssertionError, match="`size` of Mute takes 'no such word' silently"):
        check_parameters_refuse_junk(Mute())
    with pytest.raises(AssertionError):
        check_parameters_refuse_junk(Curt())
    with pytest.raises(AssertionError, match="get_params gives"):
        check_parameters_get_set_clone(Forgetful())
