"""One way to say which features are meant, the same for every parameter."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.base import clone

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._fitting.screen import subsets_of
from fewest.classifiers import TAN, SelectiveNaiveBayes
from fewest.data import as_table
from fewest.data._feature_names import feature_position, feature_positions
from fewest.measures import explain_redundancy

NAMES = ("age", "lab_a", "lab_b", "sex")
#: Seven ways to say the second and third feature.
SAME = [
    ["lab_a", "lab_b"],
    [1, -2],
    range(1, 3),
    slice(1, 3),
    slice("lab_a", "lab_b"),
    re.compile("^lab"),
    lambda name: name.startswith("lab"),
    [False, True, True, False],
    np.array([False, True, True, False]),
    np.array([1, 2]),
    [re.compile("a$"), "lab_b"],
]


@pytest.mark.parametrize("features", SAME)
def test_all_spellings_mean_the_same(features):
    assert feature_positions(features, NAMES, "include") == (1, 2)
    space = subsets_of(NAMES, include=features)
    assert space.include == (1, 2)
    assert subsets_of(NAMES, exclude=features).exclude == (1, 2)
    assert subsets_of(NAMES, groups=[features]).groups == ((1, 2),)


@pytest.mark.parametrize("features", SAME)
def test_nominal_columns_and_classifiers_read_them_too(features):
    X = np.tile([[1.0, 0, 1, 0], [2.0, 1, 0, 1], [3.0, 1, 1, 0], [4.0, 0, 0, 1]], (5, 1))
    y = [0, 1, 1, 0] * 5
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list(NAMES))
    assert as_table(frame, y, nominal=features).nominal.tolist() == [False, True, True, False]
    for cls in (TAN, SelectiveNaiveBayes):
        assert set(cls(features=features).fit(frame, y).parents_) == {"lab_a", "lab_b", "class"}
    inside = [row.inside for row in explain_redundancy(as_table(frame, y), features)]
    assert inside == [False, True, True, False]


def test_one_feature_needs_no_list():
    assert subsets_of(NAMES, include="age").include == (0,)
    assert subsets_of(NAMES, exclude=-1).exclude == (3,)
    assert feature_positions(None, NAMES, "include") == ()
    assert feature_position("sex", NAMES, "root") == 3


def test_costs_by_pattern():
    costs = {re.compile("^lab"): 5, "age": 1, -1: 2}
    assert subsets_of(NAMES, costs=costs).costs == (1.0, 5.0, 5.0, 2.0)
    with pytest.raises(InputError, match="one cost, but gives 'lab_a' two"):
        subsets_of(NAMES, costs={re.compile("."): 5, "lab_a": 1})


def test_columns_called_by_numbers():
    assert feature_positions([1990], ("1980", "1990"), "nominal") == (1,)


def test_a_selector_takes_and_clones_them():
    X, y = np.random.default_rng(0).random((40, 4)), [0, 1] * 20
    selector = SubsetSelector("cfs", search="sfs", include=slice(0, 2), exclude=-1)
    support = clone(selector).fit(X, y).get_support()
    assert support[:2].all()
    assert not support[3]


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("lab", r"`include` names 'lab', but there is no such feature\. Did you mean"),
        ([4], "`include` holds the position 4, but positions run from 0 to 3"),
        ([None], "`include` must hold names or positions of features, but holds None"),
        (3.5, "`include` must hold names or positions of features, but is 3.5"),
        ([True, False], "`include` as a mask must have 4 entries .* but has 2"),
        (re.compile("zz"), "the pattern 'zz' matches none"),
        (lambda name: False, "the function accepts none"),
        (slice(3, 1), r"slice\(3, 1, None\) covers none"),
        (slice(0.5, 2), "must have slices of names or positions"),
    ],
)
def test_what_is_no_feature(features, message):
    with pytest.raises(InputError, match=message):
        feature_positions(features, NAMES, "include")


def test_one_feature_that_is_several():
    with pytest.raises(InputError, match="`root` must be one feature, but .* stands for 2"):
        feature_position([0, 1], NAMES, "root")


@pytest.mark.parametrize("groups", [[0], ["age"], "age", 3])
def test_groups_hold_lists(groups):
    with pytest.raises(InputError, match="`groups` must be a list of groups, each a list"):
        subsets_of(NAMES, groups=groups)
