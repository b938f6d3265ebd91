"""TREE: the Chow-Liu tree of the best candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...models.base import Model
from ...models.networks.network import Network
from ...models.trees import learn_tree
from ...parameters import number
from .base import EDA, Generation


@dataclass
class TREE(EDA):
    """Samples the tree of pairwise dependences that fits the best candidates best.

    Parameters
    ----------
    population, selected, p0 : see :class:`fewest.search.distribution.base.EDA`
    alpha : float
        Laplace's correction: so many rows of each level are added to the counts; 0 is plain
        frequencies, with which a level that no selected candidate has is lost for ever.

    Notes
    -----
    Chow and Liu (1968); Inza (2002, section 4.3.2.2), where ``alpha`` is 0. Made for many
    features: a tree over 1,558 takes about a tenth of a second.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.search import Better, TREE, Subsets
    >>> space = Subsets(5)
    >>> steps = TREE(population=20).propose(space, Better(space), np.random.default_rng(0))
    >>> next(steps).shape
    (20, 5)
    """

    name: ClassVar[str] = "tree"
    source: ClassVar[str] = "Inza (2002, thesis), section 4.3.2.2"

    alpha: float = number(1.0, low=0.0)

    def learn(self, generation: Generation) -> Model:
        """Structure, then parameters."""
        rows, cards = generation.selected, generation.cardinalities
        return Network.learn(learn_tree(rows, cards), rows, cards, prior=self.alpha)
