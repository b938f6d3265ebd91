"""Orders, ancestors and u-separation."""

from itertools import chain, combinations

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._models.graph import Graph
from tests.naive import discrete_models as naive


def random_graph(d, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(d)
    parents = [()] * d
    for k, i in enumerate(names):
        parents[i] = tuple(int(p) for p in names[:k] if rng.random() < 0.4)
    return tuple(parents)


@pytest.mark.parametrize("seed", range(6))
def test_order_puts_parents_first(seed):
    graph = Graph(random_graph(7, seed))
    place = {i: k for k, i in enumerate(graph.order)}
    assert sorted(graph.order) == list(range(7))
    assert all(place[p] < place[i] for p, i in graph.arcs)


@pytest.mark.parametrize("seed", range(6))
def test_u_separation_is_d_separation(seed):
    parents = random_graph(5, seed)
    graph = Graph(parents)
    for a, b in combinations(range(5), 2):
        rest = [i for i in range(5) if i not in (a, b)]
        for given in chain.from_iterable(combinations(rest, k) for k in range(4)):
            expected = naive.separated(parents, {a}, {b}, set(given))
            assert graph.separated({a}, {b}, given) == expected, (parents, a, b, given)


def test_a_cycle_has_no_order():
    with pytest.raises(InputError, match="without directed cycles"):
        _ = Graph(((1,), (0,))).order
