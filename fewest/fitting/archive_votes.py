"""A consensus without resamples: the best subsets of all sizes that one search scored vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..run.archive import Archive
from ..run.execute import Executor
from ..run.journal import Journal
from ..run.loop import Outcome
from ..search.better import SAME
from ..search.population import MANY
from ..search.prefixes import prefixes
from .plan import Plan
from .ranking import ranking


@dataclass
class Voted(Outcome):
    """The outcome of a search whose answer is a prefix of the features ranked by its votes."""

    winners: NDArray[np.bool_]
    ranked: NDArray[np.intp]

    @property
    def answers(self) -> NDArray[np.intp]:
        """The prefixes of the ranking."""
        return self.ranked


@dataclass(frozen=True, eq=False)
class ArchivePlan(Plan):
    """A plan whose search runs once; what it scored says how features are ranked.

    Notes
    -----
    The best of thousands of subsets fits the noise of the folds. The best subset of each size
    does as well, but the noise differs from size to size, and what they share is signal. Where
    features are of use only together, a ranking of single features loses them: if no prefix comes
    within one standard error of the best subset, that one is the answer.
    """

    def run(self, *, journal: Journal | None = None, **options: Any) -> Outcome:
        """Search, let the best subset of each size vote, and score the prefixes of the ranking."""
        outcome = super().run(journal=journal, **options)
        rows = outcome.answers
        if not len(rows):
            return outcome
        winners = best_of_each_size(outcome.archive, rows)
        # They change no score, so that large subsets hold them by chance.
        winners[:, self.table.constants()] = False
        order = ranking(winners.mean(axis=0), self.space, self.scorer)
        # On wide tables the votes say nothing about more features than the largest voter has.
        longest = max(MANY, int(winners.sum(axis=1).max()))
        ranked = self._scored(outcome.archive, prefixes(order[:longest], self.space.n_units))
        if not keeps_up(outcome.archive, ranked, rows):
            return outcome
        return Voted(**{**vars(outcome), "verdict": None}, winners=winners, ranked=ranked)

    def _scored(self, archive: Archive, candidates: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The rows of the candidates that keep the constraints; new ones are scored and added."""
        allowed = candidates[self.space.feasible(candidates)]
        identities = self.space.identities(allowed)
        found = dict(zip(identities, allowed, strict=True))
        new = {key: unit for key, unit in found.items() if key not in archive}
        if new:
            units = np.array(list(new.values()))
            masks, last = self.space.expand(units), int(archive.generation.max())
            with Executor(self.scorer, self.n_jobs).running() as executor:
                keys = list(new)
                for part, scores in executor.score(masks):
                    archive.add(units[part], scores, last, keys[part])
        rows = archive.rows(found)
        return np.sort(rows[~np.isnan(archive.value[rows])])

    def told(self, outcome: Outcome) -> dict[str, Any]:
        """Frequencies and winners, for the result."""
        if not isinstance(outcome, Voted):
            return {"votes_set_aside": True}
        winners = outcome.winners
        return {
            "consensus": {
                "kind": "archive",
                "resamples": len(winners),
                "frequency": winners.mean(axis=0).round(6).tolist(),
                "winners": [np.flatnonzero(w).tolist() for w in winners],
                "evaluations": 0,
            }
        }

    @property
    def identity(self) -> dict[str, Any]:
        """What makes two runs the same run."""
        return {**super().identity, "consensus": "archive"}


def keeps_up(archive: Archive, ranked: NDArray[np.intp], rows: NDArray[np.intp]) -> bool:
    """Whether the best of ``ranked`` is within one standard error of the best of ``rows``."""
    if not len(ranked):
        return False
    best = archive.best_first(rows, 1)[0]
    folds, error = archive.scores.folds, 0.0
    if folds is not None:
        error = float(folds[best].std(ddof=1) / np.sqrt(folds.shape[1]))
    return bool(archive.value[ranked].max() >= archive.value[best] - error - SAME)


def best_of_each_size(archive: Archive, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """The masks of the best subset of each size; of equals the first that was scored."""
    size, value = archive.size[rows], np.round(archive.value[rows], 12)
    order = np.lexsort((rows, -value, size))
    first = np.unique(size[order], return_index=True)[1]
    return archive.masks(rows[order[first]])
