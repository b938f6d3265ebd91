import numpy as np
import pytest

from fewest._errors import InputError
from fewest._kernels.bayes.class_statistics import class_moments, level_counts
from fewest.data._class_sums import Moments
from fewest.data._engine.fold_sums import ClassScan, FoldedRows, MomentScan
from fewest.data._engine.frame import stored_table
from tests.data.engine.sample import arrow, mixed, parts_of


def _whole(rows):
    stored = stored_table(arrow(mixed(), 10_000), rows.table.target_name)
    (part,) = parts_of(FoldedRows(stored, rows.n_folds))
    return part


def _moments(rows, by_class):
    return rows.table.source.reduce(MomentScan(rows, by_class))


@pytest.mark.parametrize("batch", [50, 10_000])
def test_training_sums_are_those_of_the_rows_of_the_other_folds(batch):
    rows = FoldedRows(stored_table(arrow(mixed(), batch), "y"), 4)
    whole, sums = _whole(rows), rows.table.source.reduce(ClassScan(rows))
    for fold in range(4):
        train = whole.fold != fold
        values, of = whole.values[train], whole.target[train].astype(np.int64)
        ones = np.ones(train.sum())
        prior, counts, moments = sums.training(fold)
        assert prior.tolist() == np.bincount(of).tolist()
        labels = np.ascontiguousarray(values[:, 2:])
        assert (counts == level_counts(labels, of, ones, 3, 3)).all()
        wanted = class_moments(np.ascontiguousarray(values[:, :2]), of, ones, 3)
        for found, exact in zip(moments, wanted, strict=True):
            np.testing.assert_allclose(found, exact, rtol=1e-12)


def test_moments_of_folds_are_those_of_their_rows():
    rows = FoldedRows(stored_table(arrow(mixed()[["size", "noise"]].fillna(0.0)), "noise"), 3)
    found = _moments(rows, False)
    parts = parts_of(rows)
    values = np.concatenate([np.column_stack([p.values, p.target]) for p in parts])
    fold = np.concatenate([p.fold for p in parts])
    for f, own in enumerate(found):
        exact = Moments.of(values[fold == f])
        np.testing.assert_allclose(own.mean, exact.mean, rtol=1e-12)
        np.testing.assert_allclose(own.scatter, exact.scatter, rtol=1e-10)


def test_labels_and_unknown_values_are_refused_by_name():
    with pytest.raises(InputError, match="column 'x0' holds labels"):
        _moments(FoldedRows(stored_table(arrow(mixed()), "y"), 3), True)
    numbers = mixed()[["size", "noise", "y"]]
    with pytest.raises(InputError, match="column 'noise' has unknown ones"):
        _moments(FoldedRows(stored_table(arrow(numbers), "y"), 3), True)
