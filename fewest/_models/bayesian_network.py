"""Bayesian networks over discrete variables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._kernels.networks.draws import count_families, log_families, sample_families, smooth_families
from .discrete import Model, Rows, as_rows, as_weights
from .graph import Graph


@dataclass(frozen=True, eq=False)
class Network(Model):
    """Bayesian network: a graph, and for each variable a table given its parents.

    Parameters
    ----------
    cardinalities : int64 array of shape (d,)
    graph : Graph
    probabilities : float64 array
        All tables one after the other, see ``tables``.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0, 0], [0, 0], [1, 1]])
    >>> net = Network.learn(Graph(((), (0,))), rows, np.array([2, 2]))
    >>> net.tables[0], net.tables[1]
    (array([[0.6, 0.4]]), array([[0.75      , 0.25      ],
           [0.33333333, 0.66666667]]))

    Notes
    -----
    Parameters are (N_ijk + 1) / (N_ij + r_i) unless another prior count is given; rows are
    drawn by probabilistic logic sampling in an ancestral order (Inza et al., 2000, section 3.2).
    """

    cardinalities: NDArray[np.int64]
    graph: Graph
    probabilities: NDArray[np.float64]

    @staticmethod
    def learn(
        graph: Graph,
        rows: NDArray[Any],
        cardinalities: NDArray[Any],
        weights: NDArray[Any] | None = None,
        prior: float = 1.0,
    ) -> Network:
        """Return the network with this graph whose tables are smoothed frequencies of the rows."""
        data, cards = as_rows(rows, cardinalities)
        places = _layout(graph, cards)
        tables = np.zeros(places[2][-1])
        count_families(data, as_weights(weights, len(data)), cards, *places, tables)
        smooth_families(tables, cards, places[2], prior)
        network = Network(cards, graph, tables)
        network.__dict__["places"] = places
        return network

    @property
    def tables(self) -> tuple[NDArray[np.float64], ...]:
        """Probabilities of the levels (columns) in each case of the parents, for each variable.

        The last parent varies fastest.
        """
        starts = self.places[2]
        return tuple(
            self.probabilities[starts[i] : starts[i + 1]].reshape(-1, r)
            for i, r in enumerate(self.cardinalities.tolist())
        )

    def sample(self, n: int, rng: np.random.Generator) -> Rows:
        uniform = rng.random((n, len(self.cardinalities)))
        order = np.array(self.graph.order, dtype=np.int64)
        first, parents, starts = self.places
        rows: Rows = sample_families(
            uniform, order, self.cardinalities, first, parents, starts, self.probabilities
        )
        return rows

    def log_probability(self, rows: Rows) -> NDArray[np.float64]:
        data, cards = as_rows(rows, self.cardinalities)
        with np.errstate(divide="ignore"):
            logs = np.log(self.probabilities)
        return np.asarray(log_families(data, cards, *self.places, logs))

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], ...]:
        """Positions of the parents and the table of each variable, as the kernels read them."""
        return _layout(self.graph, self.cardinalities)


def _layout(graph: Graph, cards: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Arrange the parents and tables of each variable as the kernels read them."""
    listed = cards.tolist()
    first, starts = [0], [0]
    flat: list[int] = []
    for levels, parents in zip(listed, graph.parents, strict=True):
        flat += parents
        first.append(len(flat))
        starts.append(starts[-1] + levels * math.prod(listed[p] for p in parents))
    return np.array(first), np.array(flat, dtype=np.int64), np.array(starts)
