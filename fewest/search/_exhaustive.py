"""Exhaustive search."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._parameters import whole
from ..measures._abilities import Allowed, Proof
from ..measures._measure import Candidates, Scorer
from ..measures._steps import Steps
from ._better import Better
from ._monotone import Bounds, unit_costs, unit_features
from ._search import Proposals, Search, Verdict
from ._sequential import lowest
from ._spaces.space import Space
from ._spaces.subsets import Subsets


def allowed_in(space: Space, each_size: bool) -> Allowed:
    """Return the constraints of a space, as a measure reads them."""
    nothing = np.zeros((1, space.n_units), dtype=bool)
    fixed = np.asarray(space.expand(nothing), dtype=bool)[0]
    spent = float(space.cost(nothing)[0])
    limited = space.budget is not None
    budget = float(space.budget or 0.0) * (1 + 1e-12) - spent if limited else math.inf
    most = len(fixed) if space.max_features is None else space.max_features
    return Allowed(
        fixed, unit_features(space), unit_costs(space), budget, space.min_features, most, each_size
    )


def prove_best(
    space: Space, rng: np.random.Generator, scorer: Scorer, each_size: bool, bounds: Bounds
) -> Proposals:
    """Yield better and better subsets until none is left that could be better.

    ``bounds`` is filled with the highest value that is not excluded.
    """
    proof = scorer.best_subsets(allowed_in(space, each_size))
    first = np.asarray(space.repair(np.zeros((1, space.n_units), dtype=bool), rng), dtype=bool)
    proof.offer(first)
    yield first
    while not proof.done:
        found = proof.work()
        _update_bounds(proof, bounds, each_size)
        yield found
    _update_bounds(proof, bounds, each_size)
    what = "of its size " if each_size else ""
    return Verdict(f"proven: no subset {what}has a better score", optimal=True)


def _update_bounds(proof: Proof, bounds: Bounds, each_size: bool) -> None:
    bounds.value = proof.bound()
    if each_size:
        bounds.sizes = proof.sizes()


#: More candidates than this are refused: an hour at ten thousand a second.
MOST_CANDIDATES = 2**25


@dataclass
class Exhaustive(Search):
    """Score every subset: the best there is, where there are few enough.

    Parameters
    ----------
    batch : int
        How many subsets are proposed at once.

    Notes
    -----
    With ``max_features`` or a budget only the subsets with few enough units are enumerated, so
    that all pairs and triples of many features can be scored. More than 2^25 are refused.

    Examples
    --------
    >>> from fewest.search import Exhaustive, Subsets
    >>> from fewest.testing import TableMeasure, drive, random_values, toy_table
    >>> scorer = TableMeasure(random_values(5)).bind(toy_table(n_features=5))
    >>> done = drive(Exhaustive(), Subsets(5), scorer)
    >>> done.evaluations, done.verdict.optimal
    (32, True)
    """

    name: ClassVar[str] = "exhaustive"
    source: ClassVar[str] = "enumeration"
    spaces: ClassVar[tuple[str, ...]] = ("subsets", "levels")
    complete: ClassVar[bool] = True

    batch: int = whole(4096, low=1)

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        largest = _most_units(space)
        count = count_candidates(space)
        if count > MOST_CANDIDATES:
            many = f"{count:,}" if count < 10**15 else f"about 10^{int(math.log10(count))}"
            raise InputError(
                f"The search `exhaustive` would score {many} candidates and takes at "
                f"most {MOST_CANDIDATES:,}; set `max_features` lower, exclude features, or use "
                'another search such as "sffs" or "ebna".'
            )
        few = space.kind == "subsets" and largest < space.n_units
        blocks = _by_size(space, largest, self.batch) if few else _in_order(space, self.batch)
        for block in blocks:
            block = block[space.feasible(block)]
            if len(block):
                yield block
        return Verdict("every candidate was scored", optimal=True)


def _most_units(space: Space) -> int:
    """Return how many units can be in together: neither the smallest nor the cheapest more fit."""
    if not isinstance(space, Subsets):
        return space.n_units
    nothing = np.zeros((1, space.n_units), dtype=bool)
    most = space.n_units
    for weigh, limit in ((space.size, space.max_features), (space.cost, space.budget)):
        if limit is not None:
            fixed = weigh(nothing)[0]
            total = np.cumsum(np.sort(_of_each_unit(space, weigh) - fixed)) + fixed
            most = min(most, int(np.sum(total <= limit * (1 + 1e-9))))
    return most


def _of_each_unit(space: Subsets, weigh: Callable[[Candidates], NDArray[Any]]) -> NDArray[Any]:
    """Return each unit's size or cost, a few units at a time: masks of all would be d x d."""
    parts = Steps.single(space.n_units).parts()
    return np.concatenate([weigh(np.asarray(part)) for part in parts])


def count_candidates(space: Space) -> int:
    """Count the candidates of an enumeration; no fewer than are feasible."""
    if space.kind != "subsets":
        return math.prod(space.cardinalities.tolist())
    most, d = _most_units(space), space.n_units
    if most == d:
        return int(2**d)
    count = of_size = 1
    for k in range(most):
        of_size = of_size * (d - k) // (k + 1)
        count += of_size
    return count


def _in_order(space: Space, batch: int) -> Iterator[Candidates]:
    """Yield all candidates, counted up with the first unit as the lowest digit."""
    weights = np.concatenate([[1], np.cumprod(space.cardinalities)]).astype(np.int64)
    dtype = lowest(space).dtype
    for first in range(0, int(weights[-1]), batch):
        numbers = np.arange(first, min(first + batch, int(weights[-1])))
        digits = numbers[:, None] // weights[:-1] % space.cardinalities
        yield digits.astype(dtype)


def _by_size(space: Space, largest: int, batch: int) -> Iterator[Candidates]:
    """Yield the subsets of at most ``largest`` units, the small ones first."""
    for k in range(largest + 1):
        rest = combinations(range(space.n_units), k)
        while members := list(islice(rest, batch)):
            flat = np.fromiter(chain.from_iterable(members), dtype=np.intp)
            block = np.zeros((len(members), space.n_units), dtype=bool)
            block[np.repeat(np.arange(len(members)), k), flat] = True
            yield block
