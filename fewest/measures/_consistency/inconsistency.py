"""Inconsistency rate: the share of rows that a subset cannot distinguish from other classes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..._errors import InputError, RowsWarning
from ..._kernels.subsets.lattice_walks import find_within
from ..._kernels.subsets.masks import count_pairs, grow, minimal, pair_masks
from ..._parameters import number
from ...data._discretise import as_nominal
from ...data._table import Table, weighted_rows, whole_weights
from .._measure import Candidates, Measure, Scorer, Scores
from .._steps import Steps
from .patterns import Patterns, mixed_groups, narrow_classes, pack_table, patterns_of

if TYPE_CHECKING:
    from ...data._engine.pattern_scans import PatternCounts
    from ...data._engine.stored import StoredTable


@dataclass(frozen=True, eq=False)
class Contradictions:
    """Inconsistent rows under a subset of the features.

    ``groups`` holds, largest count first, the row numbers of each group of rows that look the
    same and are of different classes; ``counts`` how many of each group are outside its most
    frequent class; ``rate_by_class`` for each class the share of its rows that are such.
    """

    groups: tuple[NDArray[np.intp], ...]
    counts: NDArray[np.int64]
    rate: float
    rate_by_class: Mapping[Any, float]


def contradictions(
    table: Table, subset: NDArray[np.bool_], weight: NDArray[np.int32] | None = None
) -> Contradictions:
    """Return the contradicting rows of an all-nominal table under ``subset``.

    ``weight`` is the number of rows that each row represents.
    """
    weight = np.ones(table.n_rows, dtype=np.int32) if weight is None else weight
    packed = pack_table(table)
    target = narrow_classes(table.target, table.n_classes)
    rows, starts = mixed_groups(packed.words, packed.mask(subset), target)
    groups = [rows[a:b].astype(np.intp) for a, b in zip(starts, starts[1:], strict=False)]
    groups.sort(key=lambda group: int(group[0]))
    wrong = np.zeros(table.n_classes, dtype=np.int64)
    counts = np.zeros(len(groups), dtype=np.int64)
    for g, group in enumerate(groups):
        by_class = _by_class(target[group], weight[group], table.n_classes)
        # Where classes are equally frequent, the first counts as the right one.
        by_class[by_class.argmax()] = 0
        wrong += by_class
        counts[g] = by_class.sum()
    order = np.argsort(-counts, kind="stable")
    sizes_by_class = _by_class(target, weight, table.n_classes)
    rates = wrong / np.maximum(sizes_by_class, 1)
    labels = table.classes if table.classes is not None else np.arange(table.n_classes)
    return Contradictions(
        tuple(groups[g] for g in order),
        counts[order],
        float(counts.sum() / weight.sum()),
        dict(zip(labels.tolist(), rates.tolist(), strict=True)),
    )


def _by_class(target: NDArray[Any], weight: NDArray[np.int32], n_classes: int) -> NDArray[np.int64]:
    return np.bincount(target, weight, minlength=n_classes).astype(np.int64)


def first_consistent(
    patterns: Patterns,
    allowed: int,
    base: NDArray[np.bool_],
    free: NDArray[np.bool_],
    most: int,
    threads: int,
    stop: NDArray[np.int64],
) -> NDArray[np.bool_] | None:
    """Find a subset of ``base`` and ``most`` ``free`` features that leaves ``allowed`` or less.

    The sets are split by their first two features; the answer is that of the first part, in a
    fixed order, that has one, whichever thread is faster. None if there is none, or if
    ``stop[0]`` was set.
    """
    p = patterns
    inside = np.flatnonzero(base[p.order])
    columns = np.flatnonzero(free[p.order])
    ahead = min(2, most - 1)
    parts = list(combinations(range(len(columns)), ahead))

    def look(part: int, flag: Flag) -> tuple[NDArray[np.int64] | None, bool]:
        begin = parts[part][-1] + 1 if parts[part] else 0
        if len(columns) - begin < most - ahead:
            return None, True
        place = np.zeros(most - ahead, dtype=np.int64)
        chosen = np.concatenate([inside, columns[list(parts[part])]]).astype(np.int64)
        of = (p.classes, p.weights, p.n_classes)
        rest = columns[begin:]
        found = find_within(p.words, p.fields, p.sizes, of, chosen, rest, place, allowed, flag)
        return (np.concatenate([chosen, rest[place]]) if found == 1 else None), found >= 0

    answer, _ = first_answer(look, len(parts), threads, stop)
    if stop[0] or answer is None:
        return None
    subset = np.zeros(len(base), dtype=bool)
    subset[p.order[answer]] = True
    return subset


@dataclass(eq=False)
class ScannedInconsistency(Scorer):
    """Minus the inconsistency rate, counted by scans.

    A batch takes one scan, or several where its patterns do not fit into memory.
    """

    patterns: PatternCounts
    total: float
    batch = 4096

    def score(self, candidates: Candidates) -> Scores:
        """Return minus the rate of each subset; the counts are the goal ``inconsistencies``."""
        counts = self.outside(candidates)
        return Scores(0.0 - counts / self.total, goals={"inconsistencies": counts})

    def outside(self, candidates: Candidates) -> NDArray[np.float64]:
        """Count the rows outside the largest class of their pattern."""
        return np.asarray(self.patterns.sums(np.asarray(candidates, dtype=bool))[:, 0])


def scanned_inconsistency(table: StoredTable, threshold: float | None) -> ScannedInconsistency:
    """Return the scorer of a table outside memory; a given ``threshold`` is used as it is.

    Without one, the patterns of all features are counted, which takes several scans where nearly
    every row has a pattern of its own.
    """
    if table.classes is None:
        raise InputError(
            "The measure `inconsistency` needs classes, but the target is a number: "
            "discretise the target first."
        )
    scorer = ScannedInconsistency(table.patterns, table.total)
    if threshold is None:
        everything = np.ones((1, table.n_features), dtype=bool)
        threshold = float(scorer.outside(everything)[0]) / scorer.total
    scorer.threshold = 0.0 - threshold
    return scorer


@dataclass
class Inconsistency(Measure):
    """Minus the inconsistency rate: 0 where no two rows of different classes look the same.

    Parameters
    ----------
    threshold : float, or None
        The rate that a subset may have; by default the rate of all features together.

    Notes
    -----
    The rate of a subset is the sum over the patterns p of its values of (n_p - the count of
    the most frequent class of p), divided by the number of rows (Dash and Liu, 2003, section 3.1).
    It never rises when a feature is added. Continuous features are first discretised (MDL);
    an unknown value is a value of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest.data._as_table import as_table
    >>> X = np.array([["a", "u"], ["a", "v"], ["b", "u"], ["b", "v"]])
    >>> scorer = Inconsistency().bind(as_table(X, [0, 1, 0, 1]))
    >>> scorer.score(np.array([[True, False], [False, True]])).value
    array([-0.5,  0. ])
    """

    name: ClassVar[str] = "inconsistency"
    source: ClassVar[str] = "Dash and Liu (2003), section 3.1"
    monotone: ClassVar[bool] = True
    reads: ClassVar[frozenset[str]] = frozenset({"sample_weight"})
    scans: ClassVar[bool] = True

    threshold: float | None = number(None, low=0.0, high=1.0, optional=True)

    def bind(self, table: Table, rng: np.random.Generator | None = None) -> Scorer:
        """Count the distinct rows once; the threshold comes from all features if not given."""
        self.check_parameters()
        if not table.in_memory:
            return scanned_inconsistency(cast("StoredTable", table), self.threshold)
        _refuse(table)
        patterns = patterns_of(*_counted(table))
        full = int(patterns.counts(np.ones((1, table.n_features), dtype=bool))[0])
        allowed = self._allowed(full, patterns.n_rows)
        if full:
            _warn_of_contradictions(patterns.n_rows, full, allowed)
        return InconsistencyScorer(patterns, cuts_of(patterns, allowed, full))

    def _allowed(self, full: int, n_rows: int) -> int:
        if self.threshold is None:
            return full
        allowed = int(np.floor(self.threshold * n_rows + 1e-9))
        if allowed < full:
            raise InputError(
                f"`threshold` of Inconsistency must be at least {full / n_rows:.6g}, the rate of "
                f"all features together, but is {self.threshold:g}; leave it out to use that rate."
            )
        return allowed

    def explain(self, table: Table, subset: NDArray[np.bool_]) -> Contradictions:
        """Return the rows that contradict each other under ``subset``, and the rate by class."""
        _refuse(table)
        nominal, weight = _counted(table)
        return contradictions(nominal, np.asarray(subset, dtype=bool), weight)


class InconsistencyScorer(Scorer):
    """Inconsistency rate over the distinct rows of one table."""

    batch = 512

    def __init__(self, patterns: Patterns, cuts: Cuts) -> None:
        self.patterns = patterns
        self.threshold = -cuts.allowed / patterns.n_rows
        self._cuts = cuts
        # Where pairs of rows give cuts, hitting these is faster.
        self.finds_subsets = cuts.majority is None

    def score(self, candidates: Candidates) -> Scores:
        """Return minus the rate of each subset; the counts are the goal ``inconsistencies``."""
        return self._scores(self.patterns.counts(np.asarray(candidates, dtype=bool)))

    def score_steps(self, steps: Steps) -> Scores:
        """Score neighbours of one subset, whose rows are grouped once."""
        if not (steps.gains > 0).all():
            return super().score_steps(steps)
        return self._scores(self.patterns.counts_with(steps.base, steps.units))

    def _scores(self, counts: NDArray[np.int64]) -> Scores:
        rate = counts / self.patterns.n_rows
        return Scores(0.0 - rate, goals={"inconsistencies": counts.astype(np.float64)})

    def cuts(self, candidate: NDArray[np.bool_], limit: int = 1) -> NDArray[np.bool_]:
        """Return small sets of features of which every subset within the threshold has one."""
        return self._cuts.of(np.asarray(candidate, dtype=bool), limit)

    def find_subset(
        self,
        base: NDArray[np.bool_],
        free: NDArray[np.bool_],
        most: int,
        threads: int,
        stop: NDArray[np.int64],
    ) -> NDArray[np.bool_] | None:
        """Find a subset of ``base`` and ``most`` of the ``free`` features within the threshold."""
        return first_consistent(self.patterns, self._cuts.allowed, base, free, most, threads, stop)


def _counted(table: Table) -> tuple[Table, NDArray[np.int32] | None]:
    """Return the table with nominal features only, and how many rows each row represents."""
    table, weight = weighted_rows(table)
    nominal = as_nominal(table, weight=weight)
    return nominal, None if weight is None else whole_weights(weight, Inconsistency.name)


def _refuse(table: Table) -> None:
    if table.classes is None:
        raise InputError(
            "The measure `inconsistency` needs classes, but the target is a number: "
            "discretise the target first."
        )
    if table.n_rows == 0:
        raise InputError("The table has 0 rows; give at least one row.")
    if table.n_features == 0:
        raise InputError("The table has no features; give at least one column.")
    if table.target.min() == table.target.max():
        raise InputError(
            f"The target has only one class, {table.classes[table.target[0]]}: every subset, even "
            "the empty one, is consistent; give rows of at least two classes."
        )


def _warn_of_contradictions(n_rows: int, full: int, allowed: int) -> None:
    warnings.warn(
        f"{full} of {n_rows} rows contradict others that are the same in every feature: "
        f"no subset can be below a rate of {full / n_rows:.6g}; the threshold is "
        f"{allowed / n_rows:.6g}.",
        RowsWarning,
        stacklevel=3,
    )


Answer = TypeVar("Answer")
#: One number that is not 0 when the work should stop; compiled code can read it.
Flag = NDArray[np.int64]
#: Time between two looks at the flag.
FLAG_CHECK_SECONDS = 0.02


def first_answer(
    look: Callable[[int, Flag], tuple[Answer | None, bool]], n_parts: int, threads: int, stop: Flag
) -> tuple[Answer | None, bool]:
    """Return the answer of the first part that has one, and whether all parts before were done.

    look: function of the number of a part and a flag; returns its answer, or None, and whether it
        was done; False if the flag stopped it.
    stop: flag that the caller sets to stop all parts.
    """
    flags = np.zeros((n_parts, 1), dtype=np.int64)
    answers: dict[int, Answer] = {}
    done = np.zeros(n_parts, dtype=bool)

    def work(part: int) -> None:
        # A part after one that has an answer is not needed.
        if stop[0] or flags[part, 0]:
            return
        answer, done[part] = look(part, flags[part])
        if answer is not None:
            answers[part] = answer
            flags[part + 1 :] = 1

    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(work, part) for part in range(n_parts)]:
            while not future.done():
                if stop[0]:
                    flags[:] = 1
                wait([future], timeout=FLAG_CHECK_SECONDS)
            future.result()
    first = min(answers, default=n_parts)
    complete = bool(done[:first].all())
    return (answers[first] if first < n_parts and complete else None), complete


#: Most pairs of rows examined for all cuts, and for a few; of more, evenly spread ones.
MOST_PAIRS_FOR_ALL_CUTS, MOST_PAIRS_FOR_SOME_CUTS = 8_000_000, 500_000
#: Number of the smallest masks that every mask is compared with, to remove those implied.
MASKS_COMPARED_WITH = 200


@dataclass(frozen=True, eq=False)
class Cuts:
    """Sets of features of which one must be chosen to leave at most ``allowed`` inconsistencies.

    If all features together leave ``allowed`` inconsistencies, two rows whose patterns have
    different majority classes must be distinguished: the features on which they differ are a cut.
    In all other cases a cut is what is outside a largest set of features that still fails.
    """

    patterns: Patterns
    allowed: int
    majority: NDArray[np.bool_] | None

    def of(self, candidate: NDArray[np.bool_], limit: int) -> NDArray[np.bool_]:
        """Return at most ``limit`` cuts disjoint from ``candidate``, smallest first; 0 for all."""
        inside = candidate[self.patterns.order]
        words = self._pairs(inside, MOST_PAIRS_FOR_SOME_CUTS if limit else MOST_PAIRS_FOR_ALL_CUTS)
        few = 16 if limit == 0 else min(limit, 16 if len(words) else limit)
        words = reduced(np.vstack([words, self._grown(inside, few)]))
        words = words if limit == 0 else words[:limit]
        masks = np.empty((len(words), len(candidate)), dtype=bool)
        masks[:, self.patterns.order] = unpack(words, len(candidate))
        return masks

    def _pairs(self, inside: NDArray[np.bool_], most: int) -> NDArray[np.uint64]:
        p = self.patterns
        if self.majority is None:
            return pack(np.zeros((0, len(inside)), dtype=bool))
        rows, starts = p.mixed(inside)
        kept = self.majority[rows]
        starts = np.concatenate([[0], np.cumsum(kept)])[starts]
        rows = rows[kept]
        classes = p.classes[rows]
        total = count_pairs(classes, starts)
        stride = -(-total // most) if total else 1
        words: NDArray[np.uint64] = pair_masks(
            p.words[rows], p.fields, classes, starts, stride, -(-total // stride)
        )
        return words

    def _grown(self, inside: NDArray[np.bool_], how_many: int) -> NDArray[np.uint64]:
        p = self.patterns
        # The same candidate always gets the same cuts.
        rng = np.random.default_rng(np.frombuffer(np.packbits(inside).tobytes(), np.uint8))
        weakest_first = np.arange(len(inside))[::-1].copy()
        orders = [weakest_first] + [rng.permutation(len(inside)) for _ in range(how_many - 1)]
        allowed = self.allowed
        failing = [
            grow(p.words, p.fields, p.sizes, p.classes, p.weights, p.n_classes, inside, o, allowed)
            for o in orders
        ]
        return pack(~np.array(failing, dtype=bool))


def cuts_of(patterns: Patterns, allowed: int, full: int) -> Cuts:
    """Return the cuts for at most ``allowed`` inconsistencies; all features leave ``full``."""
    return Cuts(patterns, allowed, clear_majorities(patterns) if allowed == full else None)


def clear_majorities(patterns: Patterns) -> NDArray[np.bool_]:
    """Mark the distinct rows that hold the clear majority of their pattern under all features."""
    p = patterns
    rows, starts = p.mixed(np.ones(len(p.fields), dtype=bool))
    keep = np.ones(len(p.classes), dtype=bool)
    keep[rows] = False
    for a, b in zip(starts[:-1], starts[1:], strict=True):
        weights = p.weights[rows[a:b]]
        largest = np.flatnonzero(weights == weights.max())
        if len(largest) == 1:
            keep[rows[a + largest[0]]] = True
    return keep


def pack(masks: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack masks as bits of 64-bit words, shape (masks, words)."""
    n, d = masks.shape
    padded = np.zeros((n, -(-d // 64) * 64), dtype=bool)
    padded[:, :d] = masks
    packed = np.packbits(padded, axis=1, bitorder="little")
    return packed.view(np.dtype("<u8")).astype(np.uint64, copy=False)


def unpack(words: NDArray[np.uint64], n_features: int) -> NDArray[np.bool_]:
    """Return the masks that :func:`pack` packed."""
    octets = np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=n_features, bitorder="little").astype(bool)


def reduced(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the distinct masks, smallest first, without those that contain one of the smallest."""
    if len(words) == 0:
        return words
    words = np.unique(words, axis=0) if words.shape[1] > 1 else np.unique(words)[:, None]
    sizes = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    words = words[np.argsort(sizes, kind="stable")]
    kept: NDArray[Any] = words[minimal(words, MASKS_COMPARED_WITH)]
    return kept
