"""Several selections on the same splits."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fewest
from fewest._errors import InputError
from fewest._validation.comparison import Comparison, side_by_side
from fewest._validation.significance import Overlap, corrected_t_test, f_test_5x2cv
from fewest.testing._results import toy_comparison

X, Y = load_iris(return_X_y=True, as_frame=True)
SFS = fewest.SubsetSelector(GaussianNB(), search="sfs", cv=3)


def test_compare_runs_all_on_the_same_splits():
    both = {"sfs": SFS, "sbe": clone(SFS).set_params(search="sbe")}
    c = fewest.compare(both, X, Y, scheme="5x2cv", random_state=0)
    alone = fewest.validate(SFS, X, Y, scheme="5x2cv", random_state=0)
    assert np.array_equal(c.validations["sfs"].scores, alone.scores)
    assert [row["method"] for row in c.table] == ["sfs", "sbe", "all features"]
    a, b = c.validations.values()
    assert c.p_values == {("sfs", "sbe"): f_test_5x2cv(a.scores, b.scores)}
    with pytest.raises(InputError, match="`selectors` must map names"):
        fewest.compare({}, X, Y)


def test_pairs_are_tested_by_the_overlap_of_the_splits():
    both = {"sfs": SFS, "sbe": clone(SFS).set_params(search="sbe")}
    scheme = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    c = fewest.compare(both, X, Y, scheme=scheme, random_state=0)
    a, b = c.validations.values()
    expected = corrected_t_test(a.scores, b.scores, Overlap(0.25))
    assert c.p_values == {("sfs", "sbe"): expected}


def test_p_values_are_corrected_for_the_number_of_pairs():
    done = toy_comparison(["a", "b", "c"]).validations
    plain = [
        f_test_5x2cv(done[a].scores, done[b].scores)
        for a, b in (("a", "b"), ("a", "c"), ("b", "c"))
    ]
    low, middle, high = sorted(plain)
    expected = sorted([3 * low, max(3 * low, 2 * middle), max(3 * low, 2 * middle, high)])
    found = side_by_side(done).p_values
    assert sorted(found.values()) == pytest.approx(np.minimum(expected, 1.0))


def test_methods_that_cannot_be_told_apart_are_a_group():
    compared = toy_comparison(["a", "b", "c"])
    for name, score in (("a", 0.9), ("b", 0.8), ("c", 0.7)):
        compared.validations[name] = replace(compared.validations[name], score=score)
    compared.p_values = {("a", "b"): 0.3, ("a", "c"): 0.001, ("b", "c"): 0.2}
    assert compared.groups == [["a", "b"], ["c"]]
    compared.p_values["a", "b"] = 0.01
    assert compared.groups == [["a"], ["b", "c"]]


def test_all_methods_are_repeated_as_often():
    both = {"sfs": SFS, "sbe": clone(SFS).set_params(search="sbe")}
    c = fewest.compare(both, X.iloc[::3], Y[::3], random_state=0)
    assert len({v.scheme for v in c.validations.values()}) == 1
    assert next(iter(c.validations.values())).scheme.endswith("x10cv")


def test_saved_comparisons_keep_the_overlap():
    done = toy_comparison(["a", "b"]).validations
    compared = side_by_side({k: replace(v, overlap=Overlap(0.25)) for k, v in done.items()})
    again = Comparison.from_dict(compared.to_dict())
    assert again.to_dict() == compared.to_dict()
    assert side_by_side(again.validations).p_values == compared.p_values
