"""Counts by bit planes against counting rows."""

from __future__ import annotations

import numpy as np
import pytest

from fewest._kernels.counting.bitplanes import (
    configurations,
    fill_configurations,
    joint_counts,
    mask_sizes,
    pack_planes,
    room_for_masks,
)
from tests.discrete_rows import CARDS, tangled


@pytest.mark.parametrize("cards", CARDS)
def test_planes_count(cards):
    rows = tangled(cards)
    planes, offsets, everything = pack_planes(rows.astype(np.uint8), np.array(cards))
    assert mask_sizes(everything[None]).tolist() == [90]
    masks = configurations(planes, offsets, np.array(cards), everything, np.array([0, 1]))
    room = room_for_masks(90, len(everything), max(cards), 2)
    same = fill_configurations(planes, offsets, np.array(cards), everything, np.array([0, 1]), room)
    assert np.array_equal(same, masks)
    counts = joint_counts(masks, planes)
    seen = sorted({tuple(r) for r in rows[:, :2].tolist()})
    expected = sorted(
        [
            int(((rows[:, :2] == case).all(axis=1) & (rows[:, i] == v)).sum())
            for i, r in enumerate(cards)
            for v in range(1, r)
        ]
        for case in seen
    )
    assert sorted(counts.tolist()) == expected
