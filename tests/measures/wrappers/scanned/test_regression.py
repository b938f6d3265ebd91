import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest.data._engine.frame import stored_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.data.engine.sample import arrow
from tests.measures.wrappers.scanned.witness import numbers, witnessed

EVERY = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(1, 16)])
MODELS = [LinearRegression(), Ridge(3.0), make_pipeline(StandardScaler(), Ridge(50.0))]


@pytest.mark.parametrize("estimator", MODELS, ids=["ols", "ridge", "scaled"])
@pytest.mark.parametrize("scoring", [None, "neg_root_mean_squared_error"])
def test_fold_scores_are_those_of_cross_val_score_without_reading_again(estimator, scoring):
    table = numbers().drop(columns="y")
    stored = stored_table(arrow(table, 90), "z", task="regression")
    scorer = CrossValidated(estimator, cv=4, scoring=scoring).bind(stored)
    for subset, found in zip(EVERY, scorer.score(EVERY).folds, strict=True):
        exact = witnessed(estimator, table, "z", subset, 4, scoring)
        assert found == pytest.approx(exact, rel=1e-9)


def test_the_selector_takes_it_and_the_empty_subset_is_the_mean():
    table = numbers().drop(columns="y")
    selector = SubsetSelector("linear-regression", search="sfs").fit(
        arrow(table).dataset, target="z"
    )
    assert set(selector.result_.features) >= {"a", "b", "c"}
    assert not hasattr(selector, "estimator_")
    scorer = CrossValidated(LinearRegression()).bind(stored_table(arrow(table), "z"))
    assert scorer.score(np.zeros((1, 4), dtype=bool)).value[0] == pytest.approx(0.0, abs=0.05)


def test_what_sums_cannot_do_is_refused():
    stored = stored_table(arrow(numbers().drop(columns="y")), "z")
    with pytest.raises(InputError, match="must have an intercept and no sign constraint"):
        CrossValidated(LinearRegression(positive=True)).bind(stored)
