"""A fold whose model is trained anew for every candidate, without the overhead of an estimator."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context, get_config
from sklearn.base import clone

from ....data.table import Table
from ....kernels.scoring.probabilities import ODDS
from ..metrics.metric import Floats, Responses
from ..responses import FoldTwin
from ..splits import Split, Splits
from ..wrapped import WrappedScorer

#: Rows of the small problem on which a twin must repeat its estimator to the last bit.
PROBE = 120


class TrainedFold(FoldTwin):
    """The prepared columns of a fold.

    A subclass trains on the columns of a candidate. Its answers are those of the estimator to
    the last bit, so that no fold is in doubt.
    """

    trains = True
    #: Whether the estimator ranks rows by its probabilities, having no decision function.
    probable = True

    @abstractmethod
    def answers(self, candidate: NDArray[np.bool_]) -> tuple[Floats, Floats | None]:
        """Values by which rows are ranked, and class probabilities; both (outputs, rows).

        For numbers: the predictions, and None.
        """

    def respond(self, candidates: NDArray[np.bool_]) -> tuple[Responses, NDArray[np.bool_]]:
        """Train on the columns of each candidate, and predict the test rows."""
        with config_context(assume_finite=True, skip_parameter_validation=True):
            parts = [self.answers(candidate) for candidate in candidates]
        values = np.ascontiguousarray(np.stack([own for own, _ in parts]))
        shares = None
        if parts[0][1] is not None:
            shares = np.ascontiguousarray(np.stack([own for _, own in parts]))  # type: ignore[misc]
        surely = np.full((len(values), len(self.rows)), -1.0)
        nothing = np.zeros((1, 1), dtype=np.uint64)
        said = Responses(values, surely, self.probable, ODDS, lambda some: nothing, shares)
        return said, np.zeros(len(candidates), dtype=bool)


def probe_of(estimator: Any, table: Table, splits: Splits, **small: Any) -> tuple[Any, Split]:
    """A copy of the estimator that trains in no time, and a few rows to train it on."""
    train, test = splits[0]
    step = max(1, len(train) // PROBE)
    model = clone(estimator).set_params(**small)
    if get_config()["enable_metadata_routing"] and hasattr(model, "set_score_request"):
        # It is only trained: what its own score asks for must not matter.
        model.set_score_request(sample_weight=False)
    return model, (train[::step], test[:PROBE])


def repeats_estimator(model: Any, fold: TrainedFold, table: Table, split: Split) -> bool:
    """Whether a fold of the small problem answers as the estimator does, to the last bit."""
    slow = WrappedScorer(model, table, (split,))
    half = np.arange(table.n_features) % 2 == 0
    for candidate in (half, ~half | (table.n_features == 1)):
        with config_context(assume_finite=True, skip_parameter_validation=True):
            values, shares = fold.answers(candidate)
        if shares is None:
            expected, found = slow.predictions(candidate, 0), values[0]
        else:
            expected, found = slow.probabilities(candidate, 0), shares.T
        if not np.array_equal(expected, found):
            return False
    return True
