"""Cuts of the inconsistency rate: masks of features of which every consistent subset has one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..._kernels.subsets.masks import count_pairs, grow, minimal, pair_masks
from .patterns import Patterns

Answer = TypeVar("Answer")
#: One number that is not 0 when the work should stop; compiled code can read it.
Flag = NDArray[np.int64]
#: Time between two looks at the flag.
FLAG_CHECK_SECONDS = 0.02


def first_answer(
    look: Callable[[int, Flag], tuple[Answer | None, bool]], n_parts: int, threads: int, stop: Flag
) -> tuple[Answer | None, bool]:
    """Return the answer of the first part that has one, and whether all parts before were done.

    Parameters
    ----------
    look : function of the number of a part and a flag
        Returns its answer, or None, and whether it was done; False if the flag stopped it.
    n_parts, threads : int
    stop : flag that the caller sets to stop all parts

    Examples
    --------
    >>> found = lambda part, flag: (f"part {part}" if part in (3, 5) else None, True)
    >>> first_answer(found, 8, 2, np.zeros(1, dtype=np.int64))
    ('part 3', True)
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
