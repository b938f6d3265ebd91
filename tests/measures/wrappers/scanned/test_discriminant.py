import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from fewest._errors import InputError
from fewest.data._engine.frame import stored_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.data.engine.sample import arrow
from tests.measures.wrappers.scanned.witness import numbers, witnessed

EVERY = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(1, 16)])


@pytest.mark.parametrize("solver", ["svd", "lsqr"])
def test_lda_has_the_fold_scores_of_cross_val_score(solver):
    table = numbers().drop(columns="z")
    estimator = LinearDiscriminantAnalysis(solver=solver)
    scorer = CrossValidated(estimator, cv=5).bind(stored_table(arrow(table, 77), "y"))
    for subset, found in zip(EVERY, scorer.score(EVERY).folds, strict=True):
        assert found == pytest.approx(witnessed(estimator, table, "y", subset, 5))
    shrunk, stored = LinearDiscriminantAnalysis(shrinkage=0.5), stored_table(arrow(table), "y")
    with pytest.raises(InputError, match="`solver` of LinearDiscriminantAnalysis must be svd"):
        CrossValidated(shrunk).bind(stored)
