"""The nearer corner decides the class."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.data import generate
from fewest.data._generators import names


@pytest.mark.parametrize("name", [n for n in names() if n.startswith("red")])
def test_the_class_is_the_nearer_corner_by_the_relevant_features(name):
    data = generate(name)
    values = data.table().values
    used = values[:, [data.names.index(f) for f in data.relevant]]
    to_zeros = np.sqrt((used**2).sum(axis=1))
    to_nines = np.sqrt(((9 - used) ** 2).sum(axis=1))
    np.testing.assert_array_equal(data.y == "zeros", to_zeros < to_nines)
    assert values.min() >= 3
    assert values.max() <= 6
    for j, feature in enumerate(data.names):
        original = data.names.index(feature.split("-")[0])
        np.testing.assert_array_equal(values[:, j], values[:, original])


def test_copies_stand_together_or_scattered():
    together = generate("red30of3").names
    assert together[:3] == ("a1", "a1-copy1", "a1-copy2")
    scattered = generate("red30of3-scattered").names
    assert sorted(scattered) == sorted(together)
    assert scattered != together
    assert generate("redundant21").names[:9] == tuple(f"a{j}" for j in range(1, 10))


@pytest.mark.parametrize("name", ["3-weights", "c-weights"])
def test_weights_are_those_of_the_distance(name):
    data = generate(name)
    values, weights = data.table().values, np.array(data.weights)
    nearer = (weights * values**2).sum(axis=1) < (weights * (9 - values) ** 2).sum(axis=1)
    np.testing.assert_array_equal(data.y == "zeros", nearer)
    assert generate(name, random_state=5).weights == data.weights
