import numpy as np

from fewest.classifiers._trees.oc1 import Hyperplanes


def diagonal(seed=0):
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (60, 2))
    target = (points.sum(axis=1) > 0).astype(np.int64)
    return Hyperplanes(np.column_stack([points, np.ones(60)]), target, 2, rng)


def test_climbing_never_gets_worse():
    planes = diagonal()
    start = planes.axis_parallel()
    assert planes.goodness(planes.climbed(start.copy(), 5)) >= planes.goodness(start)


def test_a_diagonal_is_found_where_no_single_feature_suffices():
    planes = diagonal()
    assert planes.goodness(planes.axis_parallel()) < 0.9
    found = planes.best(20, 5)
    assert ((planes.values @ found > 0) == planes.target).all() or (
        (planes.values @ found > 0) != planes.target
    ).all()


def test_the_axis_parallel_start_looks_at_one_feature():
    assert (diagonal().axis_parallel()[:-1] != 0.0).sum() == 1
