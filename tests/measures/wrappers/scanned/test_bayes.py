import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from fewest._errors import InputError
from fewest.classifiers._naive_bayes import NaiveBayes
from fewest.data._engine.frame import stored_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.data.engine.sample import arrow, frame, mixed
from tests.measures.wrappers.scanned.witness import numbers, witnessed

EVERY = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(1, 16)])


@pytest.mark.parametrize("batch", [64, 10_000])
def test_naive_bayes_has_the_fold_scores_of_cross_val_score(batch):
    table = mixed()
    scorer = CrossValidated(NaiveBayes(), cv=4).bind(stored_table(arrow(table, batch), "y"))
    folds = scorer.score(EVERY).folds
    for subset, found in zip(EVERY, folds, strict=True):
        assert found == pytest.approx(witnessed(NaiveBayes(), table, "y", subset, 4))


def test_nominal_tables_and_the_empty_subset_are_scored():
    table = frame().drop(columns="w")
    scorer = CrossValidated(NaiveBayes(), cv=3).bind(stored_table(arrow(table), "y"))
    subsets = np.array([[True] * 6, [True, False] * 3, [False] * 6])
    found = scorer.score(subsets)
    for subset, folds in zip(subsets[:2], found.folds, strict=False):
        assert folds == pytest.approx(witnessed(NaiveBayes(), table, "y", subset, 3))
    assert found.value[2] == pytest.approx(0.34, abs=0.05)


def test_gaussian_nb_has_the_fold_scores_of_cross_val_score():
    table = numbers().drop(columns="z")
    estimator = GaussianNB(var_smoothing=0.01)
    scorer = CrossValidated(estimator, cv=5).bind(stored_table(arrow(table), "y"))
    for subset, found in zip(EVERY, scorer.score(EVERY).folds, strict=True):
        assert found == pytest.approx(witnessed(estimator, table, "y", subset, 5))


def test_folds_without_rows_or_classes_are_refused():
    table = mixed().assign(part=lambda t: t["y"])
    stored = stored_table(arrow(table), "y", metadata={"folds": "part"})
    with pytest.raises(InputError, match="'low' has none outside fold 0; use other folds"):
        CrossValidated(NaiveBayes()).bind(stored)
    with pytest.raises(InputError, match="Every one of the 40 folds must have rows"):
        CrossValidated(NaiveBayes(), cv=40).bind(stored_table(arrow(mixed(30)), "y"))
    stored = stored_table(arrow(numbers().drop(columns="z")), "y")
    with pytest.raises(InputError, match="`priors` of GaussianNB must be None"):
        CrossValidated(GaussianNB(priors=[0.2, 0.3, 0.5])).bind(stored)
