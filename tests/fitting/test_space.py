"""Which subsets are searched: constraints of the user, and identifiers left out."""

from __future__ import annotations

import numpy as np
import pytest

import fewest
from fewest.data import as_table
from fewest.fitting.space import screened_subsets
from fewest.report.page import result_page
from fewest.report.text import describe_result

N = 30
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
X = np.array(
    [[f"patient {i}", "ab"[Y[i]], "uv"[i % 2], "uv"[i % 2]] for i in range(N)], dtype=object
)


def space_of(**constraints):
    return screened_subsets(as_table(X, Y), constraints)


def test_identifiers_are_left_out():
    assert space_of().exclude == (0,)


@pytest.mark.parametrize("named", [{"include": "x0"}, {"groups": [["x0", "x1"]]}])
def test_identifiers_that_are_named_stay(named):
    assert space_of(**named).exclude == ()
    result = fewest.SubsetSelector("mdl", search="sfs", **named).fit(X, Y).result_
    note = next(note for note in result.notes if getattr(note, "kind", "") == "identifier")
    assert note.columns == ("x0",)
    assert note.endswith("It stays in the search, because you named it or too few features would "
                         "be left.")  # fmt: skip


def test_identifiers_stay_where_too_few_features_would_be_left():
    assert space_of(min_features=4).exclude == ()
    assert screened_subsets(as_table(X[:, :1], Y), {}).exclude == ()


@pytest.mark.parametrize("measure", ["information-gain", "inconsistency", "mdl"])
def test_filters_no_longer_choose_names_of_patients(measure):
    selector = fewest.SubsetSelector(measure, search="exhaustive").fit(X, Y)
    assert not selector.support_[0]
    result = selector.result_
    assert result.notes[0].kind == "identifier"
    kept = fewest.Result.from_dict(result.to_dict())
    for shown, times in ((describe_result(kept), 1), (result_page(kept), 2)):
        text = " ".join(shown.split())
        assert text.count("Looks like an identifier: x0: 100% of the values differ") == times
    text = describe_result(kept)
    assert text.index("Looks like an identifier") < text.index("Chosen")


def test_a_result_keeps_the_findings_and_a_fold_needs_none():
    selector = fewest.SubsetSelector("mdl", search="sfs").fit(X, Y)
    kinds = [one["kind"] for one in selector.result_.extra["check"]["findings"]]
    assert kinds == [one.kind for one in fewest.check(X, Y)]
    assert "check" not in selector.fit_table(as_table(X, Y)).result_.extra
