from itertools import chain, combinations

import numpy as np
import pytest

from fewest._joint.simplified_network import (
    hard_independent,
    independent_between,
    independent_inside,
    read_network,
)
from fewest._models.graph import Graph

STAR = Graph(((), (0,), (0,), (0,)))


def test_leaves_of_a_star_are_original_and_its_centre_is_not():
    assert [hard_independent(STAR, x) for x in range(4)] == [None, 0, 0, 0]


def test_inside_a_family():
    assert independent_inside(STAR, [1, 2])
    assert not independent_inside(STAR, [0, 1])
    assert not independent_inside(Graph(((), (0,), (0, 1))), [1, 2])


def random_graph(rng, d=6):
    order = rng.permutation(d)
    parents = [() for _ in range(d)]
    for place, i in enumerate(order):
        parents[i] = tuple(int(p) for p in order[:place] if rng.random() < 0.4)
    return Graph(tuple(parents))


@pytest.mark.parametrize("seed", range(40))
def test_one_test_finds_any_separating_set(seed):
    graph = random_graph(np.random.default_rng(seed))
    one, two, rest = [0, 1], [2, 3], [4, 5]
    subsets = chain.from_iterable(combinations(rest, k) for k in range(3))
    some = any(graph.separated(set(one), set(two), given) for given in subsets)
    assert independent_between(graph, one, two) == some


def test_all_readings_by_name():
    found = read_network(STAR, ["a", "b", "c", "d"], {"F": ["b", "c"], "G": ["d"], "H": ["x"]})
    assert found["hard"] == {"a": False, "b": True, "c": True, "d": True}
    assert found["inside"] == {"F": True}
    assert found["between"] == {"F,G": True}
