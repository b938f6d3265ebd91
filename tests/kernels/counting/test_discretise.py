import numpy as np
import pytest

from fewest._kernels.counting.cut_points import mdl_cuts
from tests.naive.mdl_cuts import mdl_cuts as naive


def _prefix(values, y, n_classes):
    distinct, block = np.unique(values, return_inverse=True)
    prefix = np.zeros((len(distinct) + 1, n_classes), dtype=np.int64)
    np.add.at(prefix[1:], (block, y), 1)
    return distinct, np.cumsum(prefix, axis=0)


@pytest.mark.parametrize("seed", range(8))
def test_cuts_equal_the_naive_ones(seed):
    rng = np.random.default_rng(seed)
    n_classes = 2 + seed % 3
    y = rng.integers(0, n_classes, 70)
    values = np.round(y * rng.choice([0, 1, 3], 70) + rng.normal(size=70), seed % 3)
    distinct, prefix = _prefix(values, y, n_classes)
    at = np.flatnonzero(mdl_cuts(prefix))
    cuts = (distinct[at - 1] + distinct[at]) / 2
    assert cuts == pytest.approx(naive(values.tolist(), y.tolist()))


def test_many_classes_do_not_overflow():
    y = np.repeat(np.arange(900), 3)
    values = np.where(y < 450, 0.0, 1.0)
    _, prefix = _prefix(values, y, 900)
    assert mdl_cuts(prefix).tolist() == [False, True, False]
    assert naive(values.tolist(), y.tolist()) == [0.5]
