import numpy as np
import pytest

from fewest._kernels.trees.oblique import best_step, side_weights, twoing
from tests.naive import oblique as naive


@pytest.mark.parametrize("seed", range(20))
def test_no_step_splits_better(seed):
    rng = np.random.default_rng(seed)
    position, direction = rng.normal(size=15), rng.normal(size=15)
    direction[rng.random(15) < 0.2] = 0.0
    target = rng.integers(0, 3, 15)
    step, value = best_step(position, direction, target, 3)
    plain = position.tolist(), direction.tolist(), target.tolist()
    assert value == pytest.approx(naive.best_goodness(*plain, range(3)))
    moved = position + step * direction
    assert twoing(*side_weights(moved, target, 3)) == pytest.approx(value)


def test_twoing_by_hand():
    assert twoing(np.array([2.0, 0]), np.array([0.0, 2])) == pytest.approx(0.25 * 4)
    assert twoing(np.array([1.0, 1]), np.array([1.0, 1])) == 0.0
    assert twoing(np.array([0.0, 0]), np.array([1.0, 1])) == 0.0
