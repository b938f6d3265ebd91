"""Which search to use for weights when none is named, and the named combinations."""

from __future__ import annotations

from .base import Search
from .continuous.egna import EGNA
from .continuous.umda_c import UMDAc
from .distribution.ebna import EBNA
from .distribution.umda import UMDA
from .spaces.base import Space

#: Up to so many features a network of the good weights is learned.
MEDIUM = 100


def recommend_weighing(space: Space) -> tuple[Search, str]:
    """The search for a space of weights, and the sentence that says why.

    Examples
    --------
    >>> from fewest.search import Box
    >>> recommend_weighing(Box(8))[0].name
    'egna'
    """
    continuous = space.kind == "box"
    if space.n_units <= MEDIUM:
        search: Search = EGNA() if continuous else EBNA()
        kind = "Gaussian" if continuous else "Bayesian"
        why = f"with {space.n_units} features a {kind} network of the good weights can be learned"
    else:
        search = UMDAc() if continuous else UMDA()
        why = f"with {space.n_units} features each weight is learned on its own"
    return search, f"`{search.name}` was picked: {why}."
