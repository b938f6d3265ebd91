"""The rows that contradict each other: the same values, different classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.table import Table
from .equal_rows import mixed_groups
from .packing import narrow_classes, pack_table


@dataclass(frozen=True, eq=False)
class Contradictions:
    """What is inconsistent under a subset of the features.

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
    """The contradicting rows of an all-nominal table under ``subset``.

    ``weight`` says how many rows each row stands for.
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
