"""Fold accuracies of naive Bayes whose classes can be ruled out: plain frequencies, alpha = 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...kernels.bayes.margins import nibbles
from ...kernels.bayes.ruled_out import count_ruled_out
from ..base import Scorer, Scores
from ..steps import Steps
from .additive import (
    EvidenceScorer,
    Floats,
    FoldEvidence,
    FoldRows,
    Ints,
    Margins,
    Packed,
    margins_of,
)


class RuledOutScorer(EvidenceScorer):
    """An evidence scorer whose log-likelihoods may be minus infinity.

    A class that a feature rules out cannot be the answer. Where every class is ruled out, the
    most frequent one is.

    Notes
    -----
    Infinite margins cannot be summed. A finite number that no sum of finite evidence reaches
    stands for infinity, and a further rival, which half of that number puts between the possible
    and the impossible, wins against every class that is ruled out. Rows without a possible class
    are counted apart.
    """

    def __init__(self, folds: list[FoldEvidence], unit: float) -> None:
        super().__init__(folds, unit, prior_first=True)
        self.ruled = [_without_a_class(fold) for fold in folds]

    def make_margins(self, fold: FoldEvidence, unit: float) -> Margins:
        """The margins, with the further rival at their end."""
        ruled = np.isneginf(fold.evidence)
        if not ruled.any():
            return super().make_margins(fold, unit)
        wide, far = _with_a_further_class(fold, ruled)
        rivals = len(fold.log_prior)
        margins, base, tolerance = margins_of(wide, unit)
        base[(rivals - 1) * len(far) :] += 0.5 * far
        return Margins.whole(rivals, margins, base, tolerance)

    def judge_fold(self, fold: int, packed: Packed, right: Ints, doubtful: Ints) -> None:
        """Sum the margins, then add the rows that only the priors decide."""
        super().judge_fold(fold, packed, right, doubtful)
        count_ruled_out(self.ruled[fold], packed, right)

    def score_steps(self, steps: Steps) -> Scores:
        """Neighbours of one candidate are scored as any other candidates."""
        return Scorer.score_steps(self, steps)

    def decide(self, total: Floats, log_prior: Floats) -> Ints:
        """The most probable classes; the most frequent one where none is possible."""
        impossible = np.isneginf(total).all(axis=0)
        answer: Ints = np.where(impossible, log_prior.argmax(), total.argmax(axis=0))
        return answer


def _with_a_further_class(
    fold: FoldEvidence, ruled: NDArray[np.bool_]
) -> tuple[FoldEvidence, Floats]:
    """Finite evidence with one more class that no row has; the number that stands for infinity."""
    finite = np.where(ruled, 0.0, fold.evidence)
    most = np.abs(finite).max(axis=1).sum(axis=0) + np.abs(fold.log_prior).max()
    far: Floats = 4.0 * (1.0 + most)
    own = np.where(ruled, -far, finite)
    evidence = np.concatenate([own, np.zeros_like(own[:, :1])], axis=1)
    test = fold.test
    wide = FoldRows(test.rows, np.append(test.bounds, len(test.rows)), test.size)
    return FoldEvidence(wide, np.append(fold.log_prior, 0.0), evidence), far


def _without_a_class(fold: FoldEvidence) -> Packed:
    """The features that rule out each class, in rows of the most frequent class.

    Rows with a class that no feature rules out are left out.
    """
    most = int(fold.log_prior.argmax())
    low, high = fold.test.bounds[most], fold.test.bounds[most + 1]
    ruled = np.isneginf(fold.evidence[:, :, low:high]).transpose(2, 1, 0)
    ruled = ruled[np.all(np.any(ruled, axis=2), axis=1)]
    n, n_classes, d = ruled.shape
    packed: Packed = nibbles(np.ascontiguousarray(ruled.reshape(n * n_classes, d)))
    return packed.reshape(n, n_classes, packed.shape[1])
