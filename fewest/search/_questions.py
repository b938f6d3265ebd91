"""View of a scorer for a search beside scores, over the free units of a space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._errors import MismatchError
from ..measures._abilities import IMPORTANCES, L1_PATH, Importances, Question
from ..measures._measure import Scorer, Scores
from ._monotone import unit_features
from ._spaces.space import Space

#: Counts votes for the units of a space with the scores of a scorer.
Vote = Callable[
    [Space, Callable[[NDArray[np.bool_]], Scores], np.random.Generator], NDArray[np.float64]
]
#: Answers several questions, in their order.
Ask = Callable[[Sequence[Question]], list[Importances]]

#: What is missing where a scorer does not advise, and the remedy.
MISSING_ADVICE = {
    IMPORTANCES: 'importances: use an estimator, such as measure="random-forest"',
    L1_PATH: 'an L1 path: use an estimator, such as measure="logistic-regression"',
}


@dataclass
class Advice:
    """Importances of units, and the subsets of a path, from a scorer over features.

    A unit is as important as its features together. Features that must be in are trained with,
    but are no units.
    """

    scorer: Scorer
    space: Space
    ask: Ask

    def __post_init__(self) -> None:
        self._brings = unit_features(self.space)

    def importances(
        self, candidates: Sequence[NDArray[np.bool_]], **about: object
    ) -> list[UnitImportances]:
        """Return one answer per candidate; ``about`` are the questions' fields, alike or listed."""
        masks = np.asarray(self.space.expand(np.array(candidates, dtype=bool)), dtype=bool)
        questions = [
            Question(mask, **{k: v[i] if isinstance(v, list) else v for k, v in about.items()})  # type: ignore[arg-type]
            for i, mask in enumerate(masks)
        ]
        return [self._over_units(answer) for answer in self.ask(questions)]

    def _over_units(self, answer: Importances) -> UnitImportances:
        known = np.where(np.isnan(answer.values), 0.0, answer.values)
        values = self._brings.astype(np.float64) @ known
        unknown = self._brings @ np.isnan(answer.values)
        values[np.asarray(unknown, dtype=bool)] = -np.inf
        return UnitImportances(values, answer.shadows, answer.score)

    @property
    def unit(self) -> float:
        """Return what scores are measured in: 1, or for a loss its value without features."""
        return self.scorer.unit

    def votes(self, fold: int, vote: Vote, seed: int) -> NDArray[np.float64]:
        """Return the votes for the units of a search over a model in closed form.

        ``vote`` searches: it gets the space, a function that scores candidates on the training
        rows of the fold, and a generator of random numbers.
        """
        proxy = self.scorer.proxy(fold)
        return vote(self.space, proxy.score, np.random.default_rng([seed, fold + 1]))

    def l1_path(self, model: str, most: int) -> NDArray[np.bool_]:
        """Return the different candidates on the path, from few features to many."""
        masks = self.scorer.l1_path(model, most)
        units = (masks.astype(np.float64) @ self._brings.T.astype(np.float64)) > 0
        _, first = np.unique(units, axis=0, return_index=True)
        return np.asarray(units[np.sort(first)])


@dataclass(frozen=True, eq=False)
class UnitImportances:
    """Importances of units: -inf where unknown or not in the candidate."""

    values: NDArray[np.float64]
    shadows: NDArray[np.float64] | None
    score: float


def advice_of(search: str, needs: str, scorer: Scorer | None, space: Space, ask: Ask) -> Advice:
    """Return a search's view of a scorer, or raise an error if it does not advise."""
    if scorer is None or needs not in scorer.advises:
        raise MismatchError(
            f"The search `{search}` needs a measure that gives {MISSING_ADVICE[needs]}; or use "
            'another search, such as "sfs".'
        )
    return Advice(scorer, space, ask)
