"""The result: plain, versioned data that saves to JSON and renders without the data set."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..models.evidence import Evidence
from ..search.curve import Curve
from .compact import columns, entries, lines
from .files import write_whole
from .overview import archive_frame, summary_text
from .plain import finite, read_json
from .reasons import StopKind
from .result_format import check_format, check_result
from .views import view

#: Format 2 has the history by columns; format 1, of version 0.1, has one object per generation.
FORMAT = 2


@dataclass(repr=False)
class Result:
    """What a run found, and everything needed to report and to repeat it.

    Attributes
    ----------
    features : list of str
        The names of the chosen features.
    support : bool array of shape (n_features_in,)
        Which features are chosen.
    score, score_std : float
        The selection score of the chosen subset and the standard deviation of its folds. It
        guided the search, so it is optimistic; :func:`fewest.validate` estimates the score on
        new data.
    folds : list of float or None
        The fold scores of the chosen subset (of the first repetition).
    optimal : bool
        True only where it is proven that no subset is better.
    bound, gap : float or None
        The proven lower bound on size (or cost), and how far the answer is above it. For a
        search that proves the best score (criteria of least squares), the highest score that is
        not excluded, and how far the answer is below it.
    evaluations, generations : int
        Subsets scored, and batches proposed.
    history : list of dict
        One entry per generation: best, mean and spread of the values, best size, times.
    archive : list of dict
        The best subsets scored, at most 1000: ``features`` (positions), ``value``, ``size``,
        ``cost``, ``generation``, and where there are any ``std`` (of the fold scores) and
        ``goals``.
    stopped : str
        Why the run ended, as a sentence.
    stop_kind : StopKind
        The same as one word: ``"search"``, ``"rule"``, ``"time"``, ``"interrupt"``, ...
    partial : bool
        Whether it was cut short (interrupt, time budget, dead worker).
    ties : int
        How many other subsets are exactly as good and as small as the chosen one.
    alternatives : list of list of str
        Those subsets (at most 100).
    front : list of dict
        The scored subsets that no other beats in both value and cost.
    left_out : dict of feature to sentence
        Why each feature that was not chosen was left out, where the measure can tell.
    settings : dict
        Every parameter needed to repeat the run.
    corrected : dict or None
        After :func:`fewest.corrected_score` has replayed the search without each part of the
        rows: ``score`` (also as ``corrected_score``), its ``interval`` and ``optimism``.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("wine")
    >>> result = fewest.SubsetSelector(
    ...     "naive-bayes", search="sfs", random_state=0
    ... ).fit(data.X, data.y).result_
    >>> result.n_features, result.n_features_in, result.optimal
    (6, 13, False)
    """

    features: list[str]
    support: NDArray[np.bool_]
    names: list[str]
    score: float
    score_std: float | None
    folds: list[float] | None
    search: str
    measure: str
    optimal: bool
    bound: float | None
    gap: float | None
    evaluations: int
    generations: int
    history: list[dict[str, Any]]
    archive: list[dict[str, Any]]
    stopped: str
    partial: bool
    ties: int
    alternatives: list[list[str]]
    seed: int
    seconds: float
    version: str
    stop_kind: StopKind = StopKind.UNKNOWN
    cost: float | None = None
    front: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    honest: dict[str, Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    corrected: dict[str, Any] | None = None

    @property
    def corrected_score(self) -> float | None:
        """The score of the replayed search on the rows left out, where it was replayed."""
        return None if self.corrected is None else float(self.corrected["score"])

    @property
    def curve(self) -> Curve | None:
        """Return the honest curve of score against size, where the search has one."""
        found = self.extra.get("curve")
        return None if found is None else Curve.of(found)

    @property
    def evidence(self) -> Evidence | None:
        """Return the probability that each feature belongs to a linear model of the target.

        See :func:`fewest.evidence`. None where the rows are not in memory.
        """
        found = self.extra.get("evidence")
        return None if found is None else Evidence.of(found, self.names)

    @property
    def audit(self) -> dict[str, Any] | None:
        """Return the fast scores of the answer and of all features beside the trained ones.

        None where no fast path was taken, or where the audit was switched off.
        """
        found: dict[str, Any] | None = self.extra.get("audit")
        return found

    @property
    def n_features(self) -> int:
        """Number of chosen features."""
        return len(self.features)

    @property
    def n_features_in(self) -> int:
        """Number of features there were."""
        return len(self.names)

    @property
    def n_allowed(self) -> int:
        """Return the number of features that could have been chosen."""
        return len(self.names) - len(self.extra.get("excluded", ()))

    def __repr__(self) -> str:
        return (
            f"<Result: {self.n_features} of {self.n_features_in} features by {self.search} over "
            f"{self.measure}, score {self.score:.4f}>"
        )

    def __str__(self) -> str:
        return summary_text(self)

    def to_frame(self, backend: str | None = None) -> Any:
        """The best subsets scored (at most 1000) as a data frame, one row per subset.

        Parameters
        ----------
        backend : "pandas" or "polars", optional
            By default pandas, or polars where pandas is not installed.
        """
        return archive_frame(self.names, self.archive, backend)

    def plot(self, *, interactive: bool = False) -> Any:
        """Draw the main figure: the honest curve, or what to expect on new rows, or the subsets.

        Parameters
        ----------
        interactive : bool
            Whether it is drawn by plotly; by default matplotlib draws it.
        """
        return view("figure", self, interactive=interactive)

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the first screen of the page."""
        html: str | None = view("html", self)
        return html

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return self._plain(self.history)

    def _plain(self, history: Any) -> dict[str, Any]:
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        plain["support"] = [bool(b) for b in self.support]
        plain |= {"stop_kind": self.stop_kind.value, "history": history}
        head = {"fewest": "result", "format": FORMAT}
        sizes = {"n_features": self.n_features, "n_features_in": self.n_features_in}
        told: dict[str, Any] = finite({**head, **sizes, **plain})
        return told

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON; the file is whole or not there at all."""
        write_whole(path, self.to_json(), "result")

    def to_json(self) -> str:
        """The text of the file that :meth:`save` writes."""
        return lines(self._plain(columns(self.history)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result that this or an earlier version saved."""
        return cls.from_dict(read_json(path, "result"), str(path))

    @classmethod
    def from_dict(cls, plain: Any, where: str = "this") -> Result:
        """A result from the plain data of :meth:`to_dict`."""
        if not isinstance(plain, dict) or plain.get("fewest") != "result":
            raise InputError(f"{where} is not a result of fewest: it does not say so.")
        check_format(plain, FORMAT, where)
        known = {f.name for f in fields(cls)}
        kept = {k: v for k, v in plain.items() if k in known}
        if "history" in kept:
            kept["history"] = entries(kept["history"], where)
        check_result(kept, cls, where)
        kept["stop_kind"] = StopKind(kept.get("stop_kind", StopKind.UNKNOWN))
        kept["support"] = np.array(kept["support"], dtype=bool)
        if kept["score"] is None:
            kept["score"] = float("nan")
        return cls(**kept)
