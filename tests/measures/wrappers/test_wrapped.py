"""Any estimator is trained on slices of the table as it was given."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fewest
from fewest._errors import MismatchError
from fewest.data._as_table import as_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.measures.wrappers.estimator_cases import ALL_PAIRS, IRIS, TREE
from tests.measures.wrappers.weighted import weighted_scores


def test_frames_keep_names_dtypes_and_missing_values():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    n = 60
    y = np.repeat(["no", "yes"], n // 2)
    frame = pandas.DataFrame(
        {
            "size": rng.normal(size=n) + (y == "yes"),
            "colour": pandas.Categorical(rng.choice(["r", "g", "b"], n)),
            "shape": rng.choice(["round", "square"], n),
            "age": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        }
    )
    model = make_pipeline(
        make_column_transformer(
            (
                OneHotEncoder(handle_unknown="ignore"),
                make_column_selector(dtype_include=["category", "string", object]),
            ),
            remainder="passthrough",
        ),
        TREE,
    )
    masks = np.array([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]], bool)
    scores = CrossValidated(model, cv=3).bind(as_table(frame, y)).score(masks)
    for k, mask in enumerate(masks):
        assert_array_equal(scores.folds[k], cross_val_score(model, frame.loc[:, mask], y, cv=3))


def test_polars_frames():
    polars = pytest.importorskip("polars")
    X, y = IRIS
    frame = polars.DataFrame(X, schema=list("abcd"))
    model = make_pipeline(StandardScaler(), LogisticRegression())
    scores = CrossValidated(model, cv=3).bind(as_table(frame, y)).score(ALL_PAIRS[:2])
    for k, mask in enumerate(ALL_PAIRS[:2]):
        assert_array_equal(scores.folds[k], cross_val_score(model, X[:, mask], y, cv=3))


def test_sample_weights_reach_fit_and_score():
    X, y = IRIS
    weight = np.random.default_rng(0).random(len(y))
    table = as_table(X, y, metadata={"sample_weight": weight})
    for estimator in (TREE, GaussianNB()):
        scores = CrossValidated(estimator, cv=3).bind(table).score(ALL_PAIRS[:1])
        expected = weighted_scores(estimator, X[:, :2], y, weight, 3)
        assert_allclose(scores.folds[0], expected, rtol=1e-12)


DRAWS = np.random.default_rng(0)
FEATURES = DRAWS.normal(size=(90, 6))
NUMBERS = np.column_stack(
    [FEATURES[:, 0] + 0.1 * DRAWS.normal(size=90), FEATURES[:, 2] - FEATURES[:, 3]]
)
LABELS = (NUMBERS > 0).astype(int)
SUBSETS = np.array([[1, 0, 1, 1, 0, 0], [0, 1, 0, 0, 0, 1]], dtype=bool)


@pytest.mark.parametrize(
    ("model", "y", "scoring"),
    [
        (LinearRegression(), NUMBERS, None),
        (Ridge(), NUMBERS, "neg_mean_squared_error"),
        (KNeighborsClassifier(), LABELS, None),
        (KNeighborsClassifier(), LABELS, "f1_macro"),
    ],
)
def test_fold_scores_of_several_targets(model, y, scoring):
    found = fewest.score_subsets(FEATURES, y, SUBSETS, measure=model, cv=3, scoring=scoring).folds
    expected = [cross_val_score(model, FEATURES[:, s], y, cv=3, scoring=scoring) for s in SUBSETS]
    np.testing.assert_array_equal(found, expected)


def test_selection_for_several_targets():
    selector = fewest.SubsetSelector(LinearRegression(), search="sfs", cv=3, random_state=0)
    selector.fit(FEATURES, NUMBERS)
    assert {"x0", "x2", "x3"} <= set(selector.result_.features)
    assert selector.predict(FEATURES).shape == (90, 2)
    validation = fewest.validate(selector, FEATURES, NUMBERS, scheme="1x3cv", random_state=0)
    assert validation.score > 0.9


def test_measures_of_one_target_refuse_several():
    with pytest.raises(MismatchError, match="one column .* for the measure `cfs`, but has 2"):
        fewest.SubsetSelector("cfs", search="sfs").fit(FEATURES, LABELS)
