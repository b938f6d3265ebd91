"""The cross-fitted path: rank inside each training part, judge sizes on the held-out part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError
from .._parameters import flag, number, whole
from ..measures._abilities import ALL_ROWS, IMPORTANCES, PROBES, PROXY
from ..measures._measure import Scores
from ._better import Better
from ._curve import Curve
from ._distribution import UMDA
from ._questions import Advice, UnitImportances
from ._search import Proposals, Search, Verdict
from ._spaces.space import Space

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]

#: Sizes on the curve grow by this factor, and each step of an elimination keeps this share.
GROWTH, KEPT_SHARE = 1.4, 0.8
#: Between the chosen size and the next smaller one, so many further sizes are judged.
REFINED = 3
#: Up to this p value of the probes, the features are related to the target.
RELATED = 0.04
#: Individuals and generations of the votes.
VOTERS, VOTING_GENERATIONS = 200, 12

#: What can rank features.
SOURCES = ("elimination", "l1", "votes")


@dataclass
class Path(Search):
    """Follow rankings of the features from few to many, and keep the fewest that are enough.

    Parameters
    ----------
    sources : tuple of "elimination", "l1" and "votes"
        What ranks the features; the ranks of several sources are averaged. "elimination" removes
        the features that matter least to the model, a fifth at a time (models without
        importances go without it). "l1" is the order in which features enter the path of a
        linear model with an L1 penalty. "votes" counts how often a feature is in the good subsets
        that UMDA finds over a model in closed form: the model itself where it is fast, else
        discriminant analysis or ridge regression.
    tolerance : float
        By how much the answer may be worse than the best size, in the units of the score
        (for losses: as a share of the loss without features). 0 keeps the best size.
    size : int or None
        The number of features of the answer, whatever the curve says; by default the curve decides.
    probes : bool
        Whether features must beat shuffled copies of themselves.

    Notes
    -----
    The best of thousands of subsets by a cross-validated score fits the folds. Here each fold
    ranks the features on its training rows only, and its held-out rows judge the first 1, 2, 3,
    4, 6, ... features of that ranking. The mean over the folds is an honest curve of score
    against size. The folds are weighed anew 201 times (the Bayesian bootstrap), each time the
    smallest size is taken whose score is within ``tolerance`` of the best one, and the answer has
    the median of these sizes. The features come from the ranking on all rows, in which the ranks
    of the sources are averaged on a logarithmic scale, so that the first places weigh most. The
    elimination inside the folds is that of Guyon et al. (2002). Features that do not beat shuffled
    copies of themselves on the training rows come last, and are kept only where the curve asks for
    all features. The answer is no feature (unless ``min_features`` forbids it) where shuffles of
    the target find no relation to the features, and the best point is not significantly better than
    no feature; or where no feature is within ``tolerance`` of the best in 95 % of the resamplings.

    Examples
    --------
    >>> import fewest
    >>> data = fewest.load("wine")
    >>> selector = fewest.SubsetSelector("lda", search="path", random_state=0)
    >>> curve = selector.fit(data.X, data.y).result_.curve
    >>> curve.size == selector.n_features_
    True
    """

    name: ClassVar[str] = "path"
    source: ClassVar[str] = "Guyon et al. (2002), cross-fitted"
    needs_advice: ClassVar[str] = IMPORTANCES
    ends: ClassVar[bool] = True

    sources: Any = SOURCES
    tolerance: float = number(0.005, low=0.0)
    size: int | None = whole(None, low=0, optional=True)
    probes: bool = flag(True)

    def choosing(self, choose: object) -> Path:
        """Return the same search with the tolerance or the size that a choice rule stands for."""
        if choose == "fewest":
            return self
        if choose == "best":
            return replace(self, tolerance=0.0)
        if isinstance(choose, Integral):
            return replace(self, size=int(choose))
        if isinstance(choose, Real):
            return replace(self, tolerance=float(choose))
        raise InputError(
            '`choose` must be "fewest", "best", a size or a tolerance such as 0.01 for the search '
            f"`path`, but is {choose!r}."
        )

    def most_trainings(self, units: int, folds: int) -> int:
        """Return how many trainings a run over so many units takes at most.

        >>> Path().most_trainings(50, 5)
        163
        """
        rounds, left = 0, units
        while left > 1 and "elimination" in self.sources:
            rounds, left = rounds + 1, _kept(left)
        sizes = len(grid(units)) + 1 + REFINED
        return rounds * (folds + 1) + (sizes + 2) * folds

    def check_parameters(self) -> None:
        """Raise a sentence for a source that is none."""
        super().check_parameters()
        named = isinstance(self.sources, (list, tuple)) and self.sources
        if not named or any(source not in SOURCES for source in self.sources):
            raise InputError(
                f"`sources` of Path must name one or more of {', '.join(SOURCES)}, but is "
                f"{self.sources!r}."
            )

    def propose_advised(
        self, space: Space, better: Better, rng: np.random.Generator, advice: Advice
    ) -> Proposals:
        """Score all features, then ask for rankings and for scores of their prefixes."""
        everything = np.ones((1, space.n_units), dtype=bool)
        scores = yield everything
        seed = int(rng.integers(2**31))
        if scores.folds is None or space.n_units == 0:
            return (yield from self._without_folds(space, advice, rng, seed))
        parts = [*range(scores.folds.shape[1]), ALL_ROWS]
        walk = _Walk(space, advice, seed, parts, self.probes)
        judged = _Judged(walk, walk.ranked(self.sources), advice.scorer.pooled(scores.folds[0]))
        curve, units = self._curve(judged, advice.unit)
        answer = judged.prefix(units)
        yield answer[None]
        curve = judged.with_supports(curve)
        return Verdict(_reason(curve), answer=answer, curve=curve, ranking=judged.on_all)

    def _without_folds(
        self, space: Space, advice: Advice, rng: np.random.Generator, seed: int
    ) -> Proposals:
        """Score all prefixes of the ranking: a measure without folds has no held-out rows."""
        order = np.arange(space.n_units)
        if len(order):
            order = _Walk(space, advice, seed, [ALL_ROWS]).ranked(self.sources)[-1]
        prefixes = np.array([_prefix(space, order, n) for n in range(space.n_units + 1)])
        allowed = prefixes[space.feasible(prefixes)]
        yield allowed if len(allowed) else np.asarray(space.repair(prefixes[-1:].copy(), rng))
        return Verdict("all prefixes of the ranking are scored")

    def _curve(self, judged: _Judged, unit: float) -> tuple[Curve, int]:
        """Judge a geometric grid of sizes, then those just below the chosen one."""
        for units in judged.sizes(self.size):
            judged.add(units)
        if not judged.known:
            raise InputError(
                "The search `path` found no size that has a score and keeps the constraints: "
                "loosen `groups`, `min_features`, `max_features` or `budget`."
            )
        judged.check_size(self.size)
        slack = self.tolerance * unit
        curve, units_at = judged.curve(slack, self.size)
        for _ in range(0 if self.size is not None else REFINED):
            below = judged.between(units_at[curve.chosen])
            if below is None:
                break
            judged.add(below)
            curve, units_at = judged.curve(slack)
        return curve, units_at[curve.chosen]


def grid(units: int) -> list[int]:
    """Return geometric sizes from 1 on, below the number of units.

    >>> grid(12)
    [1, 2, 3, 4, 6, 8]
    """
    sizes, size = [], 1.0
    while round(size) < units:
        sizes.append(round(size))
        size = max(GROWTH * size, size + 1.0)
    return sizes


def _reason(curve: Curve) -> str:
    """Return why the search ended with this size, in words."""
    if curve.wanted is not None:
        return f"the size {curve.wanted} was asked for"
    if curve.size == 0 and not curve.related:
        return "the features are related to the target no more than shuffled copies"
    count = "1 feature is" if curve.size == 1 else f"{curve.size or 'no'} features are"
    return f"{count} within the tolerance of the best size on the curve"


def _near(sizes: NDArray[np.int64], wanted: int) -> str:
    nearest = sorted(sorted(set(sizes.tolist()), key=lambda size: abs(size - wanted))[:2])
    return " and ".join(map(str, nearest))


def _prefix(space: Space, order: NDArray[np.intp], count: int) -> Mask:
    mask = np.zeros(space.n_units, dtype=bool)
    mask[order[:count]] = True
    return mask


class _Walk:
    """Rankings of the units on the training rows of each fold, and on all rows."""

    def __init__(
        self, space: Space, advice: Advice, seed: int, folds: list[int], probes: bool = False
    ) -> None:
        self.space, self.advice, self.seed, self.folds = space, advice, seed, folds
        known = probes and PROBES in advice.scorer.advises
        self.probes = self._asked("probes") if known else None

    def ranked(self, sources: tuple[str, ...]) -> list[NDArray[np.intp]]:
        """Return the units in order, the best first, for every fold."""
        ways: dict[str, Callable[[], list[Floats] | None]] = {
            "elimination": self._elimination,
            "l1": self._l1,
            "votes": self._votes,
        }
        found = [worth for source in sources if (worth := ways[source]()) is not None]
        if not found:
            raise InputError(
                "`sources` of Path must name one that this model has: it gives no importances, so "
                'use ("l1", "votes").'
            )
        orders = [mean_of_ranks([worth[i] for worth in found]) for i in range(len(self.folds))]
        if self.probes is None:
            return orders
        beaten = [probe.values <= 0 for probe in self.probes]
        return [o[np.argsort(b[o], kind="stable")] for o, b in zip(orders, beaten, strict=True)]

    def _asked(self, kind: str) -> list[UnitImportances]:
        """Return the answers to a question about all units, for every fold."""
        everyone = [np.ones(self.space.n_units, dtype=bool)] * len(self.folds)
        return self.advice.importances(everyone, fold=self.folds, kind=kind, seed=self.seed)

    def _elimination(self) -> list[Floats] | None:
        """Return the round in which each unit goes, all folds side by side."""
        current = [np.ones(self.space.n_units, dtype=bool) for _ in self.folds]
        worth = [np.zeros(self.space.n_units) for _ in self.folds]
        rounds = 0
        while current[0].sum() > 1:
            about = {"fold": self.folds, "kind": "ranking", "seed": self.seed}
            try:
                answers = self.advice.importances(current, **about)
            except InputError:
                return None
            for own, mask, answer in zip(worth, current, answers, strict=True):
                _drop_weakest(mask, answer.values, own, rounds)
            rounds += 1
        for own, mask in zip(worth, current, strict=True):
            own[mask] = rounds + 1.0
        return worth

    def _l1(self) -> list[Floats]:
        """Return how early each unit enters the path of a linear model."""
        return [answer.values for answer in self._asked("l1")]

    def _votes(self) -> list[Floats] | None:
        if PROXY not in self.advice.scorer.advises:
            return None
        return [self.advice.votes(fold, _voting, self.seed) for fold in self.folds]


def _kept(count: int) -> int:
    """Return how many of so many units a round of the elimination keeps."""
    return max(1, min(count - 1, int(KEPT_SHARE * count)))


def _drop_weakest(mask: Mask, values: Floats, worth: Floats, rounds: int) -> None:
    """Take the least important fifth out, and note when and in which order they went."""
    inside = np.flatnonzero(mask)
    keep = _kept(len(inside))
    order = inside[np.argsort(-values[inside], kind="stable")]
    gone = order[keep:]
    # Of those that go together, the more important ones stand before the others.
    worth[gone] = rounds + 1.0 - (1.0 + np.arange(len(gone))) / (2.0 + len(gone))
    mask[gone] = False


def mean_of_ranks(worths: list[Floats]) -> NDArray[np.intp]:
    """Return the order by the mean logarithm of the ranks; of equals the first.

    >>> mean_of_ranks([np.array([3.0, 2.0, 1.0]), np.array([1.0, 3.0, 2.0])]).tolist()
    [1, 0, 2]
    """
    total = np.zeros(len(worths[0]))
    for worth in worths:
        place = np.empty(len(worth))
        place[np.argsort(-worth, kind="stable")] = np.arange(len(worth))
        total += np.log1p(place)
    return np.argsort(total, kind="stable")


def _voting(space: Space, score: Callable[[Mask], Scores], rng: np.random.Generator) -> Floats:
    """Return how often each unit is in the best subset of each size that UMDA scores."""
    search, better = UMDA(population=VOTERS), Better(space)
    proposals = search.propose(space, better, rng)
    best: dict[int, tuple[float, Mask]] = {}
    batch = next(proposals)
    for _ in range(VOTING_GENERATIONS):
        scores = score(np.asarray(space.expand(batch), dtype=bool))
        for candidate, value in zip(np.asarray(batch, dtype=bool), scores.value, strict=True):
            size = int(candidate.sum())
            if size not in best or value > best[size][0]:
                best[size] = (float(value), candidate)
        try:
            batch = proposals.send(scores)
        except StopIteration:
            break
    return np.asarray(np.mean([candidate for _, candidate in best.values()], axis=0))


class _Judged:
    """Keep the points of the curve judged so far, by their number of units."""

    def __init__(self, walk: _Walk, orders: list[NDArray[np.intp]], everything: Floats) -> None:
        self.space, self.advice, self.seed = walk.space, walk.advice, walk.seed
        self.by_fold, self.on_all = orders[:-1], orders[-1]
        self.everything = everything
        self.limit, self.related = self.space.n_units, [True] * len(orders)
        if walk.probes is not None:
            self.limit = int((walk.probes[-1].values > 0).sum())
            self.related = [probe.score <= RELATED for probe in walk.probes]
        self.points: dict[int, Floats] = {}
        if self.allowed(self.space.n_units):
            self.points[self.space.n_units] = everything

    def sizes(self, wanted: int | None = None) -> list[int]:
        """Return the numbers of units to judge: up to those that beat their shuffled copies.

        The smallest and the largest number that keep the constraints, and one that is wanted, are
        among them.
        """
        sizes = {0, *grid(self.limit), self.limit}
        asked = (wanted, self.space.min_features, self.space.max_features)
        counts = [self._units_of(size) for size in asked if size]
        # Groups may pass over a size: then the next larger number keeps the smallest one.
        sizes |= {min(n + more, self.space.n_units) for n in counts for more in (0, 1)}
        if not any(self.allowed(units) for units in sizes):
            sizes |= set(grid(self.space.n_units))
        return sorted(sizes)

    def _units_of(self, size: int) -> int:
        """Return how many units have this size; where none have, the next smaller number."""
        sized = range(self.space.n_units + 1)
        count = bisect_right(sized, size, key=lambda n: self.space.size(self.prefix(n)[None])[0])
        return max(0, count - 1)

    def check_size(self, wanted: int | None) -> None:
        """Raise a sentence where no subset on the path has the wanted size."""
        sizes = self.space.size(np.array([self.prefix(n) for n in self.known]))
        if wanted is not None and wanted not in sizes:
            raise InputError(
                f"`choose` asks for {wanted} features, but the path has no subset of that size "
                f"that keeps the constraints; near it are {_near(sizes, wanted)}."
            )

    def prefix(self, units: int) -> Mask:
        """Return the first units of the ranking on all rows."""
        return _prefix(self.space, self.on_all, units)

    def allowed(self, units: int) -> bool:
        """Return whether so many units keep the constraints."""
        return bool(self.space.feasible(self.prefix(units)[None])[0])

    def add(self, units: int) -> None:
        """Judge a number of units: each fold by the first ones of its own ranking."""
        if units in self.points or not self.allowed(units):
            return
        masks = [_prefix(self.space, order, units) for order in self.by_fold]
        folds = list(range(len(masks)))
        answers = self.advice.importances(masks, fold=folds, kind="score", seed=self.seed)
        self.points[units] = self.advice.scorer.pooled(np.array([one.score for one in answers]))

    def between(self, units: int) -> int | None:
        """Return the number of units half-way to the next smaller point; None if there is none."""
        smaller = max((known for known in self.points if known < units), default=units - 1)
        return (smaller + units) // 2 if smaller + 1 < units else None

    @property
    def known(self) -> list[int]:
        """Return the numbers of units that have a score on every fold, ascending."""
        return [n for n in sorted(self.points) if not np.isnan(self.points[n]).any()]

    def curve(self, tolerance: float, wanted: int | None = None) -> tuple[Curve, list[int]]:
        """Return the curve, and the number of units at each of its points."""
        units = self.known
        sizes = self.space.size(np.array([self.prefix(n) for n in units]))
        folds = np.array([self.points[n] for n in units])
        sizes = np.asarray(sizes, dtype=np.int64)
        *without, related = self.related
        curve = Curve(
            sizes,
            folds,
            tolerance,
            self.everything,
            related=related,
            related_without=without,
            wanted=wanted,
        )
        return curve, units

    def with_supports(self, curve: Curve) -> Curve:
        """Return the curve with the features that are chosen without each fold."""
        units = self.known
        picks = zip(self.by_fold, curve.without_fold, strict=True)
        masks = np.array([_prefix(self.space, order, units[pick]) for order, pick in picks])
        features = np.asarray(self.space.expand(masks), dtype=bool)
        return replace(curve, supports=[np.flatnonzero(mask).tolist() for mask in features])
