"""Search for weights when none is named, and the named combinations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._errors import InputError
from ._best_first import BestFirst
from ._better import Better
from ._continuous import EGNA, UMDAc
from ._distribution import UMDA
from ._genetic import GAOnePoint
from ._network_models import EBNA
from ._population import first_population
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

#: Largest number of features for which a network of the good weights is learned.
MOST_NETWORK_FEATURES = 100


def recommend_weighing(space: Space) -> tuple[Search, str]:
    """Return the search for a space of weights, and the sentence that says why."""
    continuous = space.kind == "box"
    if space.n_units <= MOST_NETWORK_FEATURES:
        search: Search = EGNA() if continuous else EBNA()
        kind = "Gaussian" if continuous else "Bayesian"
        why = f"with {space.n_units} features a {kind} network of the good weights can be learned"
    else:
        search = UMDAc() if continuous else UMDA()
        why = f"with {space.n_units} features each weight is learned on its own"
    return search, f"`{search.name}` was picked: {why}."


@dataclass
class GivenWeights(Search):
    """Score the weights that the space starts from, and nothing else.

    name: where the weights come from.
    n: how many there are.
    """

    source: ClassVar[str] = "Wettschereck et al. (1997)"
    spaces: ClassVar[tuple[str, ...]] = ("box", "levels")
    ends: ClassVar[bool] = True

    name: str = "given weights"  # type: ignore[misc]
    n: int = 1

    def propose(self, space: Space, better: Better, rng: np.random.Generator) -> Proposals:
        """Yield one batch."""
        yield first_population(space, self.n, rng, 0.5)
        return Verdict(f"the weights of {self.name} are the answer")


def diet(patience: int = 10) -> BestFirst:
    """Return the search of DIET: best-first from the middle weights, children against parents.

    It ends after ``patience`` expansions in a row without a child that is more than 0.1 % better
    than its parent (Kohavi et al., 1997, with 5; Inza, 2002, section 7.5, with 10).
    """
    return BestFirst(patience=patience, least_gain=0.001, direction="middle", against="parent")


#: The combinations of Inza (2002, section 7.5): the search, and the values of the weights.
COMBINATIONS: dict[str, tuple[Callable[[], Search], str]] = {
    "fw-ebna": (EBNA, "levels"),
    "fw-egna": (lambda: EGNA(scaling="none"), "continuous"),
    "fw-ga-one-point": (GAOnePoint, "levels"),
    "diet-10": (diet, "levels"),
}


def combination(name: str) -> tuple[Search, str]:
    """Return the search and the values of a named combination."""
    if name not in COMBINATIONS:
        raise InputError(f"`name` must be one of {', '.join(COMBINATIONS)}, but is {name!r}.")
    search, values = COMBINATIONS[name]
    return search(), values
