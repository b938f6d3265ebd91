"""Metadata of rows that neither the folds nor the estimator read is refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest._errors import InputError
from fewest.measures._wrappers.row_data import check_read, reads_groups, route

PIPELINE = make_pipeline(StandardScaler(), LogisticRegression())


@pytest.mark.parametrize(
    ("names", "estimator", "cv"),
    [
        (["sample_weight", "groups"], GaussianNB(), "auto"),
        (["groups"], KNeighborsClassifier(), GroupKFold(3)),
        (["logisticregression__sample_weight"], PIPELINE, 5),
        ([], KNeighborsClassifier(), 5),
    ],
)
def test_what_is_read(names, estimator, cv):
    check_read(names, estimator, cv)


@pytest.mark.parametrize(
    ("names", "estimator", "cv", "message"),
    [
        (["sampel_weight"], GaussianNB(), "auto", "`sampel_weight` is not used by GaussianNB"),
        (["sample_weight"], KNeighborsClassifier(), 5, "not used by KNeighborsClassifier"),
        (["groups"], GaussianNB(), 5, "`groups` is not used by cv=5: give a splitter"),
        (["groups"], GaussianNB(), KFold(3), "`groups` is not used by cv=KFold"),
        (["sample_weight"], PIPELINE, 5, "write logisticregression__sample_weight"),
        (["standardscaler__wieght"], PIPELINE, 5, "`standardscaler__wieght` is not used by"),
    ],
)
def test_what_is_refused(names, estimator, cv, message):
    with pytest.raises(InputError, match=message):
        check_read(names, estimator, cv)


def test_splitters_of_others_may_read_groups():
    class Mine:
        def split(self, X, y=None, groups=None):
            yield np.arange(2), np.arange(2, 4)

    assert reads_groups(Mine())
    assert not reads_groups([([0], [1])])


def test_without_routing_everything_but_groups_goes_to_fit():
    assert route(GaussianNB(), None, {"groups": [1], "sample_weight": [2]}) == (
        {"sample_weight": [2]},
        {},
    )
