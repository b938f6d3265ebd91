"""Groups against their slow twin."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._models.discrete import Groups, learn_groups
from tests.discrete_rows import CARDS, tangled
from tests.naive import structures


@pytest.mark.parametrize("cards", CARDS)
def test_groups_are_the_slow_twin(cards):
    rows = tangled(cards, n=200)
    found = learn_groups(rows, np.array(cards))
    assert sorted(found) == structures.groups(rows.tolist(), cards)
    assert max(len(g) for g in found) > 1


def test_groups_sample_their_joint_frequencies():
    rows = np.array([[0, 0, 1], [0, 0, 0], [1, 1, 0], [1, 0, 1]])
    cards = np.array([2, 2, 2])
    model = Groups.learn(((0, 1), (2,)), rows, cards)
    drawn = model.sample(8000, np.random.default_rng(0))
    assert not (drawn[:, :2] == [0, 1]).all(axis=1).any()
    assert (drawn[:, :2] == 0).all(axis=1).mean() == pytest.approx(0.5, abs=0.02)
    every = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).T.reshape(-1, 3)
    assert np.exp(model.log_probability(every)).sum() == pytest.approx(1.0)
    smooth = Groups.learn(((0, 1), (2,)), rows, cards, prior=1.0)
    # (count + 1) / (rows + combinations): (0 + 1) / (4 + 4) x (2 + 1) / (4 + 2)
    assert np.exp(smooth.log_probability(np.array([[0, 1, 1]]))) == pytest.approx([1 / 16])
    share = (smooth.sample(8000, np.random.default_rng(1))[:, :2] == [0, 1]).all(axis=1).mean()
    assert share == pytest.approx(1 / 8, abs=0.015)
