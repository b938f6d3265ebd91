"""Which subsets are searched: constraints of the user, and identifiers left out."""

from __future__ import annotations

import numpy as np
import pytest

import fewest
from fewest._fitting.screen import screened_subsets
from fewest._report.page import result_page
from fewest._report.text import describe_result
from fewest.data import as_table

N = 30
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
X = np.array(
    [[f"patient {i}", "ab"[Y[i]], "uv"[i % 2], "uv"[i % 2]] for i in range(N)], dtype=object
)


def space_of(**constraints):
    return screened_subsets(as_table(X, Y), constraints)


def test_identifiers_are_left_out():
    space, notes = space_of()
    assert space.exclude == (0,)
    assert "Left out as identifiers" in notes[0]


@pytest.mark.parametrize("named", [{"include": "x0"}, {"groups": [["x0", "x1"]]}])
def test_identifiers_that_are_named_stay(named):
    space, notes = space_of(**named)
    assert space.exclude == ()
    assert "Looks like an identifier" in notes[0]


def test_identifiers_stay_where_too_few_features_would_be_left():
    assert space_of(min_features=4)[0].exclude == ()
    assert screened_subsets(as_table(X[:, :1], Y), {})[0].exclude == ()


@pytest.mark.parametrize("measure", ["information-gain", "inconsistency", "mdl"])
def test_filters_no_longer_choose_names_of_patients(measure):
    selector = fewest.SubsetSelector(measure, search="exhaustive").fit(X, Y)
    assert not selector.support_[0]
    result = selector.result_
    assert any("identifiers" in note for note in result.notes)
    for shown in (describe_result(result), result_page(result)):
        assert "Left out as identifiers" in " ".join(shown.split())
        assert "x3 (x2)" in shown
