"""Bayesian network with the names of its variables and of their levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, did_you_mean
from .._models.discrete import Rows
from .._models.graph import Graph, Network


@dataclass(frozen=True, eq=False)
class NamedNetwork:
    """Discrete Bayesian network with names for its variables and levels.

    Parameters
    ----------
    network : Network
    names : tuple of str
    levels : tuple of tuples
        For each variable its values, in the order of their codes.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 0], [1, 1]])
    >>> learned = Network.learn(Graph(((), (0,))), rows, np.array([2, 2]))
    >>> weather = NamedNetwork(learned, ("rain", "wet"), (("no", "yes"), ("no", "yes")))
    >>> weather.arcs
    [('rain', 'wet')]
    >>> weather.table("wet")["yes",]
    array([0.33333333, 0.66666667])
    """

    network: Network
    names: tuple[str, ...]
    levels: tuple[tuple[Any, ...], ...]

    @property
    def graph(self) -> Graph:
        """Graph over positions."""
        return self.network.graph

    @property
    def cardinalities(self) -> NDArray[np.int64]:
        """Number of levels of each variable."""
        return self.network.cardinalities

    @property
    def arcs(self) -> list[tuple[str, str]]:
        """Return all (parent, child), by child."""
        return [(self.names[a], self.names[b]) for a, b in self.graph.arcs]

    @property
    def ordering(self) -> tuple[str, ...]:
        """Variables with parents before children."""
        return tuple(self.names[i] for i in self.graph.order)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters of all tables."""
        return int(sum(table.size - len(table) for table in self.network.tables))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def position(self, name: object, parameter: str = "name") -> int:
        """Return the position of a variable, or raise an error."""
        if isinstance(name, str) and name in self._places:
            return self._places[name]
        hint = did_you_mean(name, self.names)
        raise InputError(
            f"`{parameter}` must name a variable of the network, but {name!r} is none.{hint}"
        )

    def level(self, variable: int, value: object, parameter: str = "evidence") -> int:
        """Return the code of a level of a variable, or raise an error."""
        known = self.levels[variable]
        if value in known:
            return known.index(value)
        names = [str(v) for v in known]
        if str(value) in names:
            return names.index(str(value))
        raise InputError(
            f"`{parameter}` gives {self.names[variable]} the value {value!r}, but it takes "
            f"{', '.join(names)}."
        )

    def evidence(self, given: Mapping[str, object] | None) -> NDArray[np.int64]:
        """Return the evidence by name as codes, -1 where a variable is not observed."""
        codes = np.full(len(self.names), -1)
        for name, value in (given or {}).items():
            i = self.position(name, "evidence")
            codes[i] = self.level(i, value)
        return codes

    def table(self, name: str) -> dict[tuple[Any, ...], NDArray[np.float64]]:
        """Return the probabilities of the levels of a variable for each case of its parents."""
        i = self.position(name)
        parents = self.graph.parents[i]
        shape = [len(self.levels[p]) for p in parents]
        rows = self.network.tables[i]
        return {
            tuple(self.levels[p][k] for p, k in zip(parents, case, strict=True)): rows[at]
            for at, case in enumerate(np.ndindex(*shape))
        }

    def sample(self, n: int, rng: np.random.Generator) -> Rows:
        """Draw ``n`` rows of codes."""
        return self.network.sample(n, rng)
