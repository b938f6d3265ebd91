"""Result: plain, versioned data that saves to JSON and renders without the data."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._models.posterior_inclusion import FeatureEvidence
from ..data._loaders.contents import refuse_special
from ..data._loaders.frames import frame_of
from ..search._curve import Curve
from .history import columns, entries, lines
from .result_format import (
    CorrectedFigures,
    Extra,
    GenerationFigures,
    HonestFigures,
    ScoredSubset,
    check_format,
    check_result,
)
from .stop_rules import StopKind
from .views import view
from .whole_files import write_whole

#: The text names no more features than this.
MOST_NAMED = 30


def summary_text(result: Result) -> str:
    """Return the answer, its scores, and how it was found, in a few lines.

    Examples
    --------
    >>> from fewest.testing._results import toy_result
    >>> print(summary_text(toy_result()).splitlines()[0])
    Chosen: 2 of 6 features
    """
    more = result.n_features - MOST_NAMED
    named = ", ".join(result.features[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    lines = [
        f"Chosen: {result.n_features} of {result.n_features_in} features",
        textwrap.fill(named, 96, initial_indent="  ", subsequent_indent="  "),
        *_scores(result),
        f"Stopped: {result.stopped}" + (" (partial)" if result.partial else ""),
        f"Search: {result.search} over {result.measure}, seed {result.seed}: "
        f"{result.evaluations:,} subsets, {result.seconds:.2f} s",
    ]
    return "\n".join(lines)


def _scores(result: Result) -> list[str]:
    """Return the selection score, then what corrects it, then the scores on new rows."""
    if result.curve is not None and result.honest is not None:
        return _honest_first(result.honest)
    spread = "" if result.score_std is None else f" ± {result.score_std:.4f} over the folds"
    guided = "" if result.folds is None else " (it guided the search and is optimistic)"
    lines = [f"Selection score: {result.score:.4f}{spread}{guided}"]
    if result.corrected_score is not None:
        lines.append(f"Replayed score: {result.corrected_score:.4f}")
    if result.honest is not None:
        honest = result.honest
        lines.append(
            f"On new data: {honest['metric']} {honest['score']:.4f}, with all features "
            f"{honest['baseline']:.4f}"
        )
    return lines


def _honest_first(honest: HonestFigures) -> list[str]:
    """Put the honest score of the procedure beside that of all features, and the difference."""
    low, high = honest["interval"]
    gap = honest["difference"]
    return [
        f"Honest {honest['metric']}: {honest['score']:.4f} (95 % interval {low:.4f} to "
        f"{high:.4f}), with all features {honest['baseline']:.4f}",
        f"Difference: {gap['mean']:+.4f} (95 % interval {gap['low']:+.4f} to {gap['high']:+.4f})",
    ]


def archive_frame(
    names: Sequence[str], archive: Sequence[Mapping[str, Any]], backend: str | None = None
) -> Any:
    """Return the subsets of an archive as a frame of pandas or polars, features by name."""
    rows = [
        {**{k: v for k, v in entry.items() if k != "goals"}, **entry.get("goals", {}),
         "features": [names[j] for j in entry["features"]]}
        for entry in archive
    ]  # fmt: skip
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return frame_of({key: [row.get(key) for row in rows] for key in keys}, backend)


def read_json(path: str | os.PathLike[str], what: str) -> Any:
    """Read the data in a JSON file, or raise a sentence that says why it cannot be read."""
    refuse_special(path)
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_refuse)
    except OSError as error:
        raise InputError(f"The {what} {path} cannot be read ({error.strerror}).") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not a {what} of fewest: it is not JSON.") from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def finite(value: Any) -> Any:
    """Replace NaN and infinity, which JSON does not have, by None in plain data.

    >>> finite({"a": (1.0, float("nan"))})
    {'a': [1.0, None]}
    """
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        # Lists of numbers are long: they are not worth a call for each number.
        return [
            (v if v - v == 0.0 else None) if type(v) is float
            else v if type(v) is int
            else finite(v)
            for v in value
        ]  # fmt: skip
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


class HasFigures(Protocol):
    """Validation, of a room above this one."""

    def to_dict(self) -> HonestFigures:
        """Return its plain data."""


#: Format 2 has the history by columns; format 1, of version 0.1, has one object per generation.
FORMAT = 2


@dataclass(repr=False, frozen=True, kw_only=True)
class Result:
    """Answer of a run, and everything needed to report and to repeat it.

    A result does not change. :meth:`with_validation` and ``dataclasses.replace`` return another
    one.

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
    history: list[GenerationFigures]
    archive: list[ScoredSubset]
    stopped: str
    partial: bool
    ties: int
    alternatives: list[list[str]]
    seed: int
    seconds: float
    version: str
    stop_kind: StopKind = StopKind.UNKNOWN
    cost: float | None = None
    front: list[ScoredSubset] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    honest: HonestFigures | None = None
    extra: Extra = field(default_factory=Extra)
    corrected: CorrectedFigures | None = None

    @property
    def corrected_score(self) -> float | None:
        """Score of the replayed search on the rows left out, where it was replayed."""
        return None if self.corrected is None else float(self.corrected["score"])

    @property
    def curve(self) -> Curve | None:
        """Return the honest curve of score against size, where the search has one."""
        found = self.extra.get("curve")
        return None if found is None else Curve.of(found)

    @property
    def evidence(self) -> FeatureEvidence | None:
        """Return the probability that each feature belongs to a linear model of the target.

        See :func:`fewest.evidence`. None where the rows are not in memory.
        """
        found = self.extra.get("evidence")
        return None if found is None else FeatureEvidence.of(found, self.names)

    @property
    def audit(self) -> dict[str, Any] | None:
        """Return the fast scores of the answer and of all features beside the trained ones.

        None where no fast path was taken, or where the audit was switched off.
        """
        return self.extra.get("audit")

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

    def with_validation(self, validation: HasFigures) -> Result:
        """Return this result with the scores of :func:`fewest.validate`, which the page shows."""
        return replace(self, honest=validation.to_dict())

    def __repr__(self) -> str:
        return (
            f"<Result: {self.n_features} of {self.n_features_in} features by {self.search} over "
            f"{self.measure}, score {self.score:.4f}>"
        )

    def __str__(self) -> str:
        return summary_text(self)

    def summary(self, details: bool = False) -> str:
        """Return the first screen of the command line, or with ``details`` all of it, as text."""
        text: str = view("text", self, details=details)
        return text

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the best subsets scored (at most 1000) as a data frame, one row per subset.

        Parameters
        ----------
        backend : "pandas" or "polars", optional
            By default pandas, or polars where pandas is not installed.
        """
        return archive_frame(self.names, self.archive, backend)

    def plot(self, kind: str = "main", *, interactive: bool = False) -> Any:
        """Draw a figure of the result and return it.

        Parameters
        ----------
        kind : str
            ``"main"``: what to expect on new rows, or score against size; or one of
            ``"score-by-generation"``, ``"selection-against-honest"``, ``"worth"``,
            ``"feature-frequency"``, ``"score-against-size"``, ``"stability"`` and
            ``"time-spent"``.
        interactive : bool
            Whether it is drawn by plotly; by default matplotlib draws it.
        """
        return view("figure", self, kind=kind, interactive=interactive)

    def write_page(self, path: str | os.PathLike[str]) -> None:
        """Write one self-contained HTML page: the answer, its figures, settings and subsets."""
        view("page", self, path=path)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: the first screen of the page."""
        html: str | None = view("html", self)
        return html

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
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
        """Return the text of the file that :meth:`save` writes."""
        return lines(self._plain(columns(self.history)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result that this or an earlier version saved."""
        return cls.from_dict(read_json(path, "result"), str(path))

    @classmethod
    def from_dict(cls, plain: Any, where: str = "this") -> Result:
        """Make a result from the plain data of :meth:`to_dict`."""
        if not isinstance(plain, dict) or plain.get("fewest") != "result":
            raise InputError(f"{where} is not a result of fewest: it does not say so.")
        check_format(plain, FORMAT, where)
        known = {f.name for f in fields(cls)}
        kept = {k: v for k, v in plain.items() if k in known}
        if isinstance(honest := kept.get("honest"), dict) and "accuracy" in honest:
            # The name of the score before version 0.3.
            kept["honest"] = {"score": honest["accuracy"], **honest}
        if "history" in kept:
            kept["history"] = entries(kept["history"], where)
        check_result(kept, cls, where)
        kept["stop_kind"] = StopKind(kept.get("stop_kind", StopKind.UNKNOWN))
        kept["support"] = np.array(kept["support"], dtype=bool)
        if kept["score"] is None:
            kept["score"] = float("nan")
        return cls(**kept)
