"""Searches that ask a model: elimination, the path of an L1 penalty, shadows and knockoffs."""

from __future__ import annotations

import numbers
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from .._errors import InputError, brief
from .._parameters import MOST, number, one_of, whole
from ..measures._abilities import ALL_ROWS, IMPORTANCES, KNOCKOFFS, L1_PATH
from ..measures._measure import Candidates, Scores
from ._better import SAME_SCORE_TOLERANCE, Better
from ._questions import Advice
from ._search import Proposals, Search, Verdict
from ._sequential import check_size, highest
from ._spaces.space import Space


@dataclass
class L1Path(Search):
    """Score every subset that the lasso, or logistic regression with L1 penalty, passes through.

    Parameters
    ----------
    model : "auto", "lasso" or "logistic"
        Whose path. "auto" is the lasso for numbers and logistic regression for classes. The lasso
        takes two classes as 0 and 1, which is fast on wide tables.

    Notes
    -----
    Tibshirani (1996). As the penalty falls, more features have a coefficient. The path of the
    lasso is followed from knot to knot (Efron et al., 2004), so none of its subsets is missed;
    that of logistic regression at 60 penalties. Columns are standardised, nominal features coded
    by one column per value, and unknown values set to the mean. The penalty only proposes the
    subsets: each is then scored by the measure without that penalty. Include many features with
    ``include`` and they are added to every subset.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("diabetes")
    >>> selector = fewest.SubsetSelector(
    ...     "linear-regression", search="l1-path", random_state=0
    ... ).fit(data.X, data.y)
    >>> selector.result_.evaluations <= 20
    True
    """

    name: ClassVar[str] = "l1-path"
    source: ClassVar[str] = "Tibshirani (1996); Efron et al. (2004)"
    needs_advice: ClassVar[str] = L1_PATH

    model: str = one_of("auto", "lasso", "logistic")

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Yield all subsets of the path that keep the constraints, in one batch."""
        most = space.max_features if space.max_features is not None else space.n_units + 1
        path = advice.l1_path(self.model, most)
        allowed = path[space.feasible(path)]
        if not len(allowed):
            allowed = np.unique(np.asarray(space.repair(path.copy(), rng), dtype=bool), axis=0)
        yield allowed
        return Verdict(f"all {len(allowed)} subsets of the path are scored")


Mask = NDArray[np.bool_]


@dataclass
class RFE(Search):
    """Remove the features that matter least to the model, again and again.

    Parameters
    ----------
    size : int or None
        Go on to this many features, and answer with that subset. None chooses the size by ``by``.
    step : int or float
        Features removed at a time: a number, or a share (between 0 and 1) of all features.
    importance : "auto", "model", "permutation" or "contributions"
        "model" reads ``feature_importances_`` or the squares of ``coef_``; "permutation" is how
        much the score falls on test rows when a feature is shuffled. "auto" takes the model's
        own where it has them. "contributions" is the mean size of the SHAP values on test rows,
        as LightGBM and XGBoost compute them (Lundberg et al., 2020).
    by : "folds" or "path"
        How the size is chosen. "folds" eliminates features on the training rows of each fold
        alone and takes the size with the best mean score on the test rows, as RFECV does.
        "path" eliminates once, on all rows, and takes the best subset by its selection score
        (``choose`` applies), at half the cost.

    Notes
    -----
    Guyon et al. (2002). All subsets on the way down from all features are scored as any other
    candidate is. Features of a group go together; their importances add up. Of equally
    important features the first goes first.

    Examples
    --------
    >>> import fewest
    >>> from sklearn.svm import LinearSVC
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector(
    ...     LinearSVC(random_state=0), search=fewest.search.RFE(size=3), cv=3, random_state=0
    ... ).fit(data.X / data.X.max(), data.y)
    >>> selector.n_features_
    3
    """

    name: ClassVar[str] = "rfe"
    source: ClassVar[str] = "Guyon et al. (2002)"
    needs_advice: ClassVar[str] = IMPORTANCES

    size: int | None = whole(None, low=0, optional=True)
    step: Any = 1
    importance: str = one_of("auto", "model", "permutation", "contributions")
    by: str = one_of("folds", "path")

    def check_parameters(self) -> None:
        """Check the parameters, `step` included."""
        super().check_parameters()
        number = isinstance(self.step, numbers.Real) and not isinstance(self.step, bool)
        whole_step = isinstance(self.step, numbers.Integral) and 1 <= int(self.step) <= MOST
        if not number or not (whole_step or 0 < self.step < 1):
            raise InputError(
                "`step` of RFE must be a whole number of at least 1, or a share between 0 and 1, "
                f"but is {brief(self.step)}."
            )

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Walk down on all rows, one subset per batch; by folds, walk down each of them too."""
        if self.size is not None:
            check_size(space, self.size)
        seed = int(rng.integers(2**31))
        start = np.asarray(highest(space), dtype=bool)
        scores = yield start[None]
        path = yield from self._score_path(space, advice, start, seed)
        if self.size is not None:
            return _at_size(space, path[-1], self.size)
        yield from _repaired(space, path, rng)
        if self.by == "path" or scores.folds is None:
            return Verdict("no further feature can be removed")
        sizes = [int(n) for n in space.size(np.array(path))]
        means = self._by_folds(space, advice, start, seed, scores.folds.shape[1], len(path))
        return _best_size(space, path, sizes, means)

    def _score_path(
        self, space: Space, advice: Advice, start: Mask, seed: int
    ) -> Generator[Candidates, Scores, list[Mask]]:
        path = [start]
        while (following := self._next(space, advice, path[-1], ALL_ROWS, seed)) is not None:
            path.append(following)
            yield following[None]
        return path

    def _by_folds(
        self, space: Space, advice: Advice, start: Mask, seed: int, folds: int, steps: int
    ) -> list[float]:
        """Return the mean score over the folds, for each step of the way down."""
        current, values = [start] * folds, []
        about = {"kind": self.importance, "seed": seed}
        for _ in range(steps):
            used = [mask for mask in current if space.size(mask[None])[0] > 0]
            if len(used) < folds:
                break  # Without any feature there is no model.
            found = advice.importances(used, fold=list(range(folds)), **about)
            values.append(float(np.mean([f.score for f in found])))
            weakest = [f.values for f in found]
            left = [self._removed(space, m, w) for m, w in zip(current, weakest, strict=True)]
            current = [m if n is None else n for m, n in zip(current, left, strict=True)]
        return values

    def _next(
        self, space: Space, advice: Advice, current: Mask, fold: int, seed: int
    ) -> Mask | None:
        if not current.any() or self._removed(space, current, np.zeros(len(current))) is None:
            return None
        about = {"kind": self.importance, "seed": seed, "fold": fold}
        return self._removed(space, current, advice.importances([current], **about)[0].values)

    def _removed(self, space: Space, current: Mask, importances: Any) -> Mask | None:
        """Return the subset after one step down, or None where no unit can be removed."""
        least = space.min_features if self.size is None else self.size
        share = float(self.step) * len(current) if self.step < 1 else float(self.step)
        following, gone = current.copy(), 0
        for unit in np.argsort(importances, kind="stable"):
            if gone == max(1, int(share)):
                break
            if not following[unit]:
                continue
            following[unit] = False
            if space.size(following[None])[0] < least:
                following[unit] = True
            else:
                gone += 1
        return following if gone else None


def _repaired(
    space: Space, path: list[Mask], rng: np.random.Generator
) -> Generator[Candidates, Scores, None]:
    """Yield the nearest feasible subset where no subset on the path keeps the constraints."""
    if not space.feasible(np.array(path)).any():
        yield space.repair(path[-1][None].copy(), rng)


def _at_size(space: Space, last: Mask, size: int) -> Verdict:
    found = int(space.size(last[None])[0])
    if found != size:
        raise InputError(
            f"`size` cannot be {size}: `groups` allow no step beyond {found} features."
        )
    return Verdict(f"{size} features reached", answer=last)


def _best_size(space: Space, path: list[Mask], sizes: list[int], means: list[float]) -> Verdict:
    """Return the subset whose size has the best mean over the folds; of equal ones the smallest."""
    allowed = space.feasible(np.array(path[: len(means)])) & ~np.isnan(means)
    if not allowed.any():
        return Verdict("no further feature can be removed")
    best = max(value for value, ok in zip(means, allowed, strict=True) if ok)
    chosen = max(i for i, v in enumerate(means) if allowed[i] and v >= best - SAME_SCORE_TOLERANCE)
    return Verdict(
        f"{sizes[chosen]} features have the best mean score over eliminations within the folds "
        f"({means[chosen]:.4f})",
        answer=path[chosen],
    )


@dataclass
class Boruta(Search):
    """Keep every feature that is more important than the best of shuffled copies.

    Parameters
    ----------
    rounds : int
        Largest number of models that are trained.
    alpha : float
        Level of the tests, corrected for the number of features (Bonferroni).
    percentile : float
        Percentile of the importances of the copies that a feature must beat; 100 is the best.
    tentative : "keep", "drop" or "median"
        What happens to features that are undecided after the last round. "median" keeps those
        whose median importance is above the median of the best copies.
    importance : "auto", "model", "permutation" or "contributions"
        As for :class:`~fewest.search.RFE`.

    Notes
    -----
    Kursa and Rudnicki (2010). In each round the model is trained on the features that are not
    rejected and on one shuffled copy of each. A feature scores a hit where its importance is above
    that of the best copy. Two-sided binomial tests on the hits confirm or reject it. The answer
    are all *relevant* features, also redundant ones, so it is larger than what other searches
    find. Where ``max_features`` or a budget does not allow all of them, those with most hits
    stay. The model should be a forest: ``measure="random-forest"``.

    Examples
    --------
    >>> import fewest
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> data = fewest.load("corral")
    >>> forest = RandomForestClassifier(50, max_depth=5, random_state=0)
    >>> selector = fewest.SubsetSelector(
    ...     forest, search=fewest.search.Boruta(rounds=20), cv=3, random_state=0
    ... ).fit(data.X, data.y)
    >>> "irrelevant" in selector.result_.features
    False
    """

    name: ClassVar[str] = "boruta"
    source: ClassVar[str] = "Kursa and Rudnicki (2010)"
    needs_advice: ClassVar[str] = IMPORTANCES

    rounds: int = whole(100, low=1)
    alpha: float = number(0.01, low=1e-12, high=1.0)
    percentile: float = number(100.0, low=0.0, high=100.0)
    tentative: str = one_of("median", "keep", "drop")
    importance: str = one_of("auto", "model", "permutation", "contributions")

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Yield all features first; then the confirmed ones whenever there are more of them."""
        full = np.asarray(highest(space), dtype=bool)
        yield np.array([full, space.repair(full[None].copy(), rng)[0]])
        record = Record(space.n_units)
        while record.round < self.rounds and record.undecided.any() and not record.rejected.all():
            self._round(space, advice, record, rng)
            if record.decide(self.alpha):
                yield fitted(space, record.order(), record.confirmed)[None]
        return (yield from self._answer(space, record))

    def _round(
        self, space: Space, advice: Advice, record: Record, rng: np.random.Generator
    ) -> None:
        """Train once with copies, and note the hits."""
        seed = int(rng.integers(2**31))
        about = {"kind": self.importance, "seed": seed, "shadows": True}
        found = advice.importances([~record.rejected], **about)[0]
        shadows = np.zeros(0) if found.shadows is None else found.shadows
        known = shadows[~np.isnan(shadows)]
        limit = float(np.percentile(known, self.percentile)) if len(known) else np.inf
        record.note(found.values, limit)

    def _answer(self, space: Space, record: Record) -> Generator[Candidates, Scores, Verdict]:
        kept = record.confirmed.copy()
        if self.tentative != "drop":
            kept |= record.undecided & (record.above() if self.tentative == "median" else True)
        answer = fitted(space, record.order(), kept)
        yield answer[None]
        open_left = int(record.undecided.sum())
        return Verdict(
            f"{int(record.confirmed.sum())} confirmed, {int(record.rejected.sum())} rejected, "
            f"{open_left} undecided after {record.round} rounds",
            answer=answer,
        )


class Record:
    """Hits and decisions by unit."""

    def __init__(self, n_units: int) -> None:
        self.hits = np.zeros(n_units, dtype=np.int64)
        self.confirmed, self.rejected = np.zeros((2, n_units), dtype=bool)
        self.history: list[NDArray[np.float64]] = []
        self.limits: list[float] = []

    @property
    def round(self) -> int:
        """Number of rounds so far."""
        return len(self.limits)

    @property
    def undecided(self) -> Mask:
        """Neither confirmed nor rejected."""
        return np.asarray(~self.confirmed & ~self.rejected)

    def note(self, values: NDArray[np.float64], limit: float) -> None:
        """Add one round: the importances, and what had to be beaten."""
        self.hits += (values > limit) & ~self.rejected
        self.history.append(values)
        self.limits.append(limit)

    def decide(self, alpha: float) -> bool:
        """Test the hits; return if a further unit was confirmed."""
        level = alpha / len(self.hits)
        often = binom.sf(self.hits - 1, self.round, 0.5) < level
        seldom = binom.cdf(self.hits, self.round, 0.5) < level
        new, gone = self.undecided & often, self.undecided & seldom
        self.confirmed |= new
        self.rejected |= gone
        return bool(new.any())

    def above(self) -> Mask:
        """Mark the units with a median importance above the median of what had to be beaten."""
        if not self.history:
            return np.zeros(len(self.hits), dtype=bool)
        return np.asarray(np.median(self.history, axis=0) > np.median(self.limits))

    def order(self) -> NDArray[np.intp]:
        """Order the units from the most to the least relevant: by hits, then by mean importance."""
        if not self.history:
            return np.arange(len(self.hits))
        finite = np.where(np.isfinite(self.history), self.history, 0.0)
        return np.lexsort((-finite.mean(axis=0), -self.hits))


def fitted(space: Space, order: NDArray[np.intp], kept: Mask) -> Mask:
    """Return ``kept`` with as little change as the sizes and the budget require, best first."""
    answer = np.zeros(space.n_units, dtype=bool)
    for unit in [*order[kept[order]], *order[~kept[order]]]:
        if not kept[unit] and space.large_enough(answer[None])[0]:
            break
        answer[unit] = True
        answer[unit] = bool(space.small_enough(answer[None])[0])
    if space.feasible(answer[None])[0]:
        return answer
    return np.asarray(space.repair(answer[None], np.random.default_rng(0))[0], dtype=bool)


@dataclass
class Knockoffs(Search):
    """Keep features that beat copies of them, with a bound on the share of false ones.

    Parameters
    ----------
    fdr : float
        The false discovery rate: at most this share of the kept features is irrelevant, on
        average over tables, where the features are about normally distributed.

    Notes
    -----
    Candès et al. (2018), with five copies at once (Gimenez and Zou, 2019), so that two features
    are enough at ``fdr=0.1``; with one copy it takes ten. The copies have the means and
    covariances of the features and do not know the target. A feature scores by its coefficient in
    the lasso beside those of its copies. No feature at all is a possible answer, which
    ``min_features=0`` allows. Only linear effects count.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("wdbc")
    >>> selector = fewest.SubsetSelector(
    ...     "gaussian-nb", search=fewest.search.Knockoffs(fdr=0.2), min_features=0, random_state=0
    ... ).fit(data.X, data.y)
    >>> selector.result_.evaluations
    2
    """

    name: ClassVar[str] = "knockoffs"
    source: ClassVar[str] = "Candès et al. (2018); Gimenez and Zou (2019)"
    needs_advice: ClassVar[str] = IMPORTANCES

    fdr: float = number(0.1, low=0.0, high=1.0)

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Score all features for comparison, and those that pass."""
        full = np.asarray(highest(space), dtype=bool)
        seed = int(rng.integers(2**31))
        lead = advice.importances([full], kind="knockoffs", seed=seed)[0].values
        lead = np.where(np.isfinite(lead), lead, 0.0)
        passed = _passed(lead, self.fdr)
        answer = fitted(space, np.argsort(-lead, kind="stable"), passed)
        yield np.array([answer, space.repair(full[None].copy(), rng)[0]])
        reason = f"{int(passed.sum())} features beat their knockoffs at a rate of {self.fdr:g}"
        if not passed.any():
            reason = f"no feature beats its knockoffs at a rate of {self.fdr:g}"
        return Verdict(reason, answer=answer)


def _passed(lead: NDArray[np.float64], fdr: float) -> NDArray[np.bool_]:
    """Mark the features that lead their copies by so much that few lose by as much."""
    for limit in np.unique(np.abs(lead[lead != 0.0])):
        lost = (1 + np.count_nonzero(lead <= -limit)) / KNOCKOFFS
        if lost <= fdr * np.count_nonzero(lead >= limit):
            return np.asarray(lead >= limit)
    return np.zeros(len(lead), dtype=bool)
