"""Equal rows of a packed table: how often, and where classes differ."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fewest.data._table import Table
from fewest.measures._consistency import patterns as equal_rows
from fewest.measures._consistency.patterns import pack_table


def packed(seed, n=300):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, 4)).astype(float)
    target = rng.integers(0, 2, n)
    table = Table(tuple("abcd"), values, ((0, 1, 2),) * 4, target, np.array([0, 1]))
    return pack_table(table), values, target


@pytest.mark.parametrize("bucket", [8192, 16])
def test_repeated_rows_are_counted_where_they_occur_first(bucket, monkeypatch):
    monkeypatch.setattr(equal_rows, "ROWS_PER_BUCKET", bucket)
    pack, values, target = packed(0)
    often = equal_rows.repeated(pack.words)
    rows = [(*row, c) for row, c in zip(values.tolist(), target.tolist(), strict=True)]
    counts = Counter(rows)
    seen = set()
    for row, found in zip(rows, often, strict=True):
        assert found == (0 if row in seen else counts[row])
        seen.add(row)


def test_weights_of_equal_rows_add_up():
    pack, values, target = packed(1)
    weight = np.random.default_rng(2).integers(1, 9, len(target)).astype(np.int32)
    often = equal_rows.repeated(pack.words, weight)
    assert often.sum() == weight.sum()
    total = Counter()
    for row, c, w in zip(values.tolist(), target.tolist(), weight.tolist(), strict=True):
        total[(*row, c)] += w
    assert sorted(often[often > 0]) == sorted(total.values())


def test_mixed_groups_hold_rows_of_several_classes():
    pack, values, target = packed(3)
    subset = np.array([True, True, False, False])
    rows, starts = equal_rows.mixed_groups(pack.words, pack.mask(subset), target.astype(np.uint8))
    for a, b in zip(starts, starts[1:], strict=False):
        group = rows[a:b]
        assert len({*map(tuple, values[group][:, :2])}) == 1
        assert len({*target[group]}) == 2
