"""Validation: the figures of a selection on rows that it has not seen, as plain data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._run.result_format import HonestFigures
from .._run.views import Summarized, view
from ..data._loaders.frames import frame_of
from ..search._curve import Curve
from .schemes import default_margin, within_range
from .significance import (
    POINT,
    Difference,
    Overlap,
    difference,
    difference_test,
    interval,
    share_error,
    standard_error,
)

#: From masks, a row each, to their scores on rows left out.
Judge = Callable[[NDArray[np.bool_]], NDArray[np.float64]]


def score_generations(
    history: Sequence[Mapping[str, Any]], n_features: int, judge: Judge
) -> list[dict[str, Any]]:
    """Return the history of a run with an ``honest`` score a generation.

    The best subset seldom changes, so each distinct one is judged once.

    Notes
    -----
    Internal against external accuracy by generation is the picture of Inza et al. (2000, fig. 7).

    Examples
    --------
    >>> history = [{"generation": 0, "best_features": [1]}, {"generation": 1, "best_features": [1]}]
    >>> told = score_generations(history, 2, lambda masks: masks.mean(axis=1))
    >>> [entry["honest"] for entry in told]
    [0.5, 0.5]
    """
    best = [entry.get("best_features") for entry in history]
    keys = [None if b is None else tuple(b) for b in best]
    distinct = sorted({key for key in keys if key is not None})
    masks = np.zeros((len(distinct), n_features), dtype=bool)
    for row, key in enumerate(distinct):
        masks[row, list(key)] = True
    scores = judge(masks) if distinct else ()
    honest: dict[tuple[int, ...] | None, float] = {
        key: float(score) for key, score in zip(distinct, scores, strict=True)
    }
    return [{**entry, "honest": honest.get(key)} for entry, key in zip(history, keys, strict=True)]


def internal_and_external(
    histories: Sequence[Sequence[dict[str, Any]]], with_internal: bool
) -> list[list[dict[str, Any]]]:
    """For every external fold, what each generation's best promised and what it was worth."""
    return [
        [
            {
                "generation": entry["generation"],
                "internal": entry["best_so_far"] if with_internal else None,
                "external": entry["honest"],
                "size": entry["best_size"],
            }
            for entry in history
            if entry.get("honest") is not None
        ]
        for history in histories
    ]


def histories_of(folds: Sequence[Sequence[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Return the way back from :func:`internal_and_external`, as far as it goes."""
    words = {"internal": "best_so_far", "external": "honest", "size": "best_size"}
    return [[{words.get(k, k): v for k, v in entry.items()} for entry in fold] for fold in folds]


def _supports(supports: ArrayLike) -> NDArray[np.bool_]:
    z = np.asarray(supports, dtype=bool)
    if z.ndim != 2 or len(z) < 2:
        raise ValueError("`supports` must be a bool matrix of at least two subsets, a row each.")
    return z


def nogueira(supports: ArrayLike) -> float:
    """Stability corrected for chance; 1 is always the same subset, 0 what chance gives.

    Notes
    -----
    1 − mean over features of s_f² / (k̄/d · (1 − k̄/d)), with the unbiased variance s_f² of the
    selection of feature f and the mean size k̄ (Nogueira, Sechidis and Brown, 2018, eq. 4).

    Examples
    --------
    >>> nogueira([[1, 0, 0], [1, 0, 0]])
    1.0
    """
    z = _supports(supports)
    share = z.mean()
    if share in (0.0, 1.0):
        return 1.0
    return float(1 - z.var(axis=0, ddof=1).mean() / (share * (1 - share)))


def kuncheva(supports: ArrayLike) -> float:
    """Mean consistency index over pairs of subsets (Kuncheva, 2007).

    Notes
    -----
    (r − ab/d) / (min(a, b) − ab/d) for subsets of sizes a and b with r features in common; for
    equal sizes k this is Kuncheva's (r − k²/d) / (k − k²/d).
    """
    z = _supports(supports)
    d = z.shape[1]
    indices = []
    for s, t in combinations(z, 2):
        a, b, r = int(s.sum()), int(t.sum()), int((s & t).sum())
        expected = a * b / d
        most = min(a, b)
        indices.append(1.0 if most == expected else (r - expected) / (most - expected))
    return float(np.mean(indices))


def jaccard(supports: ArrayLike) -> float:
    """Mean over pairs of subsets of common features over all features of either."""
    z = _supports(supports)
    return float(np.mean([(s & t).sum() / max((s | t).sum(), 1) for s, t in combinations(z, 2)]))


def stabilities_of(supports: ArrayLike) -> dict[str, float]:
    """Return all measures of stability by name."""
    measures = {"nogueira": nogueira, "kuncheva": kuncheva, "jaccard": jaccard}
    return {name: measure(supports) for name, measure in measures.items()}


#: Selection scores within this many margins of the honest score are not warned of.
TOLERATED_MARGINS = 5


@dataclass(frozen=True, kw_only=True)
class Validation(Summarized):
    """Worth of a selection on rows that it has not seen.

    Attributes
    ----------
    score, std : float
        Mean and standard deviation of the scores on rows not seen in the selection. The older
        name ``accuracy`` is deprecated.
    scores : array, one entry per external fold
    metric : str
        What the scores are: ``"accuracy"``, ``"R²"`` or the name of a scikit-learn scorer.
    selection_score : float or None
        Mean of the scores that guided the selections on the training parts: optimistic.
    selection_metric : str or None
        What the selection score is; None if it is the same as ``metric``.
    baseline, baseline_std, baseline_scores : float, float, array
        The same with all features.
    guessing : float
        The same without any feature: the most frequent class, or the mean.
    p_value, test : float, str
        Of the test that selection makes no difference: the 5×2cv F test for five times two
        halves, else the corrected resampled t test.
    margin : float
        The region of equivalence: smaller differences from all features do not matter.
    overlap : Overlap
        How far the external splits share rows; the tests and intervals depend on it.
    sizes : list of int
        Number of features chosen in each fold.
    supports : bool array of shape (folds, features)
    stability : float
        Nogueira's; ``stabilities`` has Kuncheva's and Jaccard's too.
    settings : dict
        Search, measure, estimator, data and versions: what it takes to repeat it.
    held_out : dict or None
        What the predictions show beside the score. Of classes where one has more than four times
        the rows of another: ``recalls``, and for two classes a ``threshold``. Of numbers with
        heavy tails: the median absolute error, that of always predicting the median, and the
        rank correlation of predictions and targets.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector("gaussian-nb", search="sfs", cv=3)
    >>> validation = fewest.validate(selector, data.X, data.y, scheme="1x3cv", random_state=0)
    >>> round(validation.score, 2), validation.sizes
    (0.93, [3, 3, 3])
    """

    score: float
    std: float
    scores: NDArray[np.float64]
    selection_score: float | None
    baseline: float
    baseline_std: float
    baseline_scores: NDArray[np.float64]
    p_value: float
    sizes: list[int]
    supports: NDArray[np.bool_]
    stability: float
    stabilities: dict[str, float]
    scheme: str
    test: str
    metric: str = "accuracy"
    guessing: float | None = None
    names: list[str] = field(default_factory=list)
    seed: int = 0
    history: list[list[dict[str, Any]]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    overlap: Overlap | None = None
    margin: float = POINT
    selection_metric: str | None = None
    held_out: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.overlap is None:
            overlap = Overlap.named(self.scheme, len(self.scores))
            object.__setattr__(self, "overlap", overlap)

    @classmethod
    def of_curve(
        cls,
        curve: Curve,
        names: list[str],
        metric: str,
        guess: float | None = None,
        choice: float = 0.0,
        **known: Any,
    ) -> Validation:
        """Return what the honest curve of a search says about the whole procedure.

        Neither the ranking nor the size that a fold is judged with has seen its rows, and all
        features are judged on the same folds. ``guess`` is what no feature is worth, where the
        folds do not show it; ``choice`` is by how much the choice of the model on the same rows
        flatters the scores of the model.
        """
        assert curve.everything is not None
        excess = np.where(curve.sizes > 0, choice, 0.0)
        none = np.flatnonzero(curve.sizes == 0)
        if len(none) and guess is not None:
            excess[none] = curve.mean[none] - guess
        honest, everything = curve.judged(excess), curve.everything - choice
        supports = np.zeros((len(honest), len(names)), dtype=bool)
        for row, features in zip(supports, curve.supports, strict=True):
            row[features] = True
        scheme = f"1x{len(honest)}cv"
        overlap = Overlap.named(scheme, len(honest))
        p_value, test = difference_test(honest, everything, overlap)
        found = cls(
            score=float(honest.mean()),
            std=float(honest.std(ddof=1)),
            scores=honest,
            selection_score=None,
            baseline=float(everything.mean()),
            baseline_std=float(everything.std(ddof=1)),
            baseline_scores=everything,
            guessing=float((curve.mean - excess)[none[0]]) if len(none) else None,
            p_value=p_value,
            sizes=supports.sum(axis=1).tolist(),
            supports=supports,
            stabilities=(stabilities := stabilities_of(supports)),
            stability=stabilities["nogueira"],
            scheme=scheme,
            test=test,
            metric=metric,
            names=names,
            **known,
        )
        return replace(found, margin=default_margin(found))

    def __repr__(self) -> str:
        return (
            f"<Validation: {self.metric} {self.score:.4f} on new rows, {self.baseline:.4f} with "
            f"all features, {self.difference.verdict}>"
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the scores of each external fold as a frame of pandas, or of polars by name."""
        return frame_of(
            {
                "score": self.scores.tolist(),
                "baseline": self.baseline_scores.tolist(),
                "size": self.sizes,
            },
            backend,
        )

    @property
    def accuracy(self) -> float:
        """Return the score, under its older name."""
        text = "`accuracy` is called `score` since version 0.3 and will be removed in version 0.4."
        warnings.warn(text, FutureWarning, stacklevel=2)
        return self.score

    @property
    def splits_overlap(self) -> Overlap:
        """Return the overlap of the splits, also of results saved before it was kept."""
        assert self.overlap is not None
        return self.overlap

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the mean score on new rows, in the range of the metric."""
        return self.interval_of(self.scores)

    @property
    def baseline_interval(self) -> tuple[float, float]:
        """Return the same of all features."""
        return self.interval_of(self.baseline_scores)

    def interval_of(self, scores: NDArray[np.float64]) -> tuple[float, float]:
        """Return the 95 % interval of the mean of scores on these splits.

        Repeating the folds adds no rows, so the error is at least that of one repetition, with
        1 + 1 / share folds. Stratified folds hide how uncertain the class frequencies are, which
        is all that a model without features knows: the error of an accuracy is at least that of
        a share of rows.
        """
        share, rows = self.splits_overlap.share, self.settings.get("rows")
        mean, spread = float(np.mean(scores)), float(np.var(scores, ddof=1))
        least = float(np.sqrt(spread * (share / (1.0 + share) + share)))
        least = max(least, share_error(mean, rows, self.metric) if rows else 0.0)
        found = interval(scores, self.splits_overlap, least=least)
        return within_range(self.metric, *found)

    @property
    def difference(self) -> Difference:
        """Return the difference to all features: interval, tests, and what may be said of it."""
        return difference(
            self.scores,
            self.baseline_scores,
            self.splits_overlap,
            self.margin,
            self.settings.get("rows"),
        )

    @property
    def optimism(self) -> float | None:
        """Selection score minus honest score; None where they are not the same metric."""
        if self.selection_score is None or self.selection_metric is not None:
            return None
        return self.selection_score - self.score

    @property
    def misleading(self) -> bool:
        """Return whether the selection score is far above the honest one."""
        if self.optimism is None:
            return False
        return self.optimism > max(TOLERATED_MARGINS * self.margin, 2 * self._error())

    @property
    def worthless(self) -> bool:
        """Return whether the honest score is no better than guessing without any feature."""
        return self.guessing is not None and self.score <= self.guessing + 2 * self._error()

    def _error(self) -> float:
        """Return the plain standard error: too small rather than too large, for warnings."""
        return standard_error(self.scores, Overlap(0.0))

    def warning(self) -> str | None:
        """Return a sentence where the selection score must not be believed."""
        if not self.misleading:
            return None
        worth = ", which is no better than guessing without any feature" if self.worthless else ""
        return (
            f"The selection score {self.selection_score:.3f} is an illusion of the search: on "
            f"new rows, expect {self.score:.3f}{worth}."
        )

    def plot(self, kind: str = "main", *, interactive: bool = False) -> Any:
        """Draw a figure of the validation and return it.

        Parameters
        ----------
        kind : str
            ``"main"``: selection score, score on new rows, and all features; or one of
            ``"worth"``, ``"selection-against-honest"`` and ``"stability"``.
        interactive : bool
            Whether it is drawn by plotly; by default matplotlib draws it.
        """
        return view("figure", self, kind=kind, interactive=interactive)

    def to_dict(self) -> HonestFigures:
        """Return plain data, ready for JSON."""
        plain = {k: v for k, v in self.__dict__.items() if k != "history"}
        for key in ("scores", "baseline_scores", "supports"):
            plain[key] = getattr(self, key).tolist()
        inner = internal_and_external(self.history, self.optimism is not None)
        figures = {
            **plain,
            "accuracy": self.score,
            "overlap": self.splits_overlap.to_dict(),
            "interval": list(self.interval),
            "difference": self.difference.to_dict(),
            "optimism": self.optimism,
            "warning": self.warning(),
            "worthless": self.worthless,
            "by_generation": inner,
        }
        return cast(HonestFigures, figures)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Validation:
        """Return a validation from the plain data of :meth:`to_dict`."""
        known = {f.name for f in fields(cls)}
        # Before version 0.3 the score had another name.
        plain = {"score": plain.get("accuracy"), **plain}
        kept = {k: v for k, v in plain.items() if k in known}
        for key in ("scores", "baseline_scores"):
            kept[key] = np.array(kept[key], dtype=float)
        kept["supports"] = np.array(kept["supports"], dtype=bool)
        if kept.get("overlap") is not None:
            kept["overlap"] = Overlap(**kept["overlap"])
        return cls(**kept, history=histories_of(plain.get("by_generation") or []))
