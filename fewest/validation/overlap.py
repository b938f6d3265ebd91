"""How far the splits of a validation share rows: what makes plain tests too confident."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Split = tuple[NDArray[np.intp], NDArray[np.intp]]

#: Repetitions and folds of a scheme such as ``"5x2cv"``.
SHAPE = re.compile(r"^(\d+)x(\d+)cv$")


@dataclass(frozen=True)
class Overlap:
    """What a test must know of the splits.

    Parameters
    ----------
    share : float
        Test rows over training rows, the mean over the splits; 0 where no two splits have a row
        in common, so that their scores are independent.
    halves : bool
        Whether the splits are five repetitions of two halves that change places, which is what
        the 5×2cv F test asks for.

    Notes
    -----
    Scores on J splits that reuse rows are correlated. Nadeau and Bengio (2003, section 3)
    estimate the correlation as test rows / all rows of a split, so that the variance of the mean
    is σ² (1/J + test rows / training rows).
    """

    share: float
    halves: bool = False

    @staticmethod
    def of(splits: Sequence[Split]) -> Overlap:
        """The overlap of actual splits.

        >>> import numpy as np
        >>> a, b = np.arange(4), np.arange(4, 8)
        >>> Overlap.of([(a, b), (b, a)] * 5)
        Overlap(share=1.0, halves=True)
        """
        if not _any_row_in_common(splits):
            return Overlap(0.0)
        return Overlap(
            float(np.mean([len(test) / len(train) for train, test in splits])), _are_halves(splits)
        )

    @staticmethod
    def named(scheme: str, folds: int) -> Overlap:
        """The overlap of a scheme by its name, for saved results that do not hold it.

        >>> Overlap.named("5x2cv", 10), Overlap.named("1x5cv", 5)
        (Overlap(share=1.0, halves=True), Overlap(share=0.25, halves=False))
        """
        shape = SHAPE.match(scheme)
        parts = int(shape[2]) if shape else max(folds, 2)
        return Overlap(1 / (parts - 1), scheme == "5x2cv")

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


def _any_row_in_common(splits: Sequence[Split]) -> bool:
    used = np.concatenate([np.unique(np.concatenate(split)) for split in splits])
    return len(np.unique(used)) < len(used)


def _are_halves(splits: Sequence[Split]) -> bool:
    if len(splits) != 10:
        return False
    pairs = zip(splits[::2], splits[1::2], strict=True)
    return all(_same(a[0], b[1]) and _same(a[1], b[0]) for a, b in pairs)


def _same(a: NDArray[np.intp], b: NDArray[np.intp]) -> bool:
    return np.array_equal(np.sort(a), np.sort(b))
