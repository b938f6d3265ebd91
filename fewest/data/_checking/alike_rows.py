"""Groups of rows that look alike, found without a column that names the groups."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from .finding import Finding, finding
from .look import Floats, Look

#: A column of a person has at least so many values, and they repeat: fewer than this share differ.
FEWEST_VALUES, REPEATED = 10, 0.9
#: Two rows have the same value by chance at most this often.
CHANCE = 0.2
#: So many columns are tried as the first one, in so many rows, and compared with so many others.
SEEDS, MOST_ROWS, MOST_COLUMNS = 8, 4000, 60
#: Rows with the same first value agree so many times more often in the second than any two rows.
LIFT = 5.0
#: Rows that agree in two columns agree in the third so often.
AGREE = 0.95
#: Groups that are nearest by one or two columns differ in another by at least this share of what
#: any two differ by: else it is made from them, as a ratio of two lengths is.
UNRELATED = 0.5
#: Pairs of so many columns are tried as what another one is made from.
MOST_SOURCES = 4
#: So many groups, pairs of rows, and rows in groups of two or more make a finding.
FEWEST_GROUPS, FEWEST_PAIRS, GROUPED = 10, 30, 0.5


def about_alike_rows(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find rows that share the values of three or more columns which are not made of each other.

    Of rows that agree in one column of a person (an age), some are of the same person and agree
    in all such columns; the others are unrelated. A column that is made from another (a sum, a
    part, another unit) is similar wherever the other is similar.
    """
    numbers = columns[~look.table.nominal[columns]]
    repeats = look.distinct[numbers] <= REPEATED * look.known[numbers]
    numbers = numbers[repeats & (look.distinct[numbers] >= FEWEST_VALUES)][:MOST_COLUMNS]
    if len(numbers) < 3 or len(look.first) < 2 * FEWEST_GROUPS:
        return
    for seed in numbers[np.argsort(-look.distinct[numbers], kind="stable")][:SEEDS]:
        rows = _rows_of_some_values(look, int(seed))
        found = _stable(look.table.block(rows)[:, numbers], int(np.flatnonzero(numbers == seed)[0]))
        if found is not None:
            stable, n_groups, share = found
            names = tuple(look.names[numbers[i]] for i in stable)
            few = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
            text = f"{share:.0%} of the rows share {few} with another row ({n_groups} groups"
            text += f" among {len(rows):,} rows)" if len(rows) < look.n_rows else ")"
            yield finding("alike-rows", (), text)
            return


def _rows_of_some_values(look: Look, seed: int) -> NDArray[np.intp]:
    """Return all rows with some of the values of a column, without copies of rows."""
    column = look.table.column(seed)[look.first]
    values, codes = np.unique(column, return_inverse=True)
    share = min(1.0, MOST_ROWS / len(column))
    kept = (np.random.default_rng(0).random(len(values)) < share) & ~np.isnan(values)
    return look.first[kept[codes]][: 2 * MOST_ROWS]


def _stable(values: Floats, seed: int) -> tuple[list[int], int, float] | None:
    """Return the columns that groups of rows share, the number of groups, and the rows in them."""
    values = values[np.random.default_rng(0).permutation(len(values))]
    chance = np.array([_agreeing_by_chance(column) for column in values.T])
    fine = np.flatnonzero(chance <= CHANCE)
    if seed not in fine or len(fine) < 3:
        return None
    same = _agreeing(values, _codes(values[:, [seed]]))
    if same is None:
        return None
    lift = np.where(chance > 0, same / np.maximum(chance, 1e-12), 0.0)
    likely = [j for j in fine[np.argsort(-same[fine], kind="stable")] if j != seed]
    for second in (j for j in likely[:3] if lift[j] >= LIFT):
        both = _agreeing(values, _codes(values[:, [seed, second]]))
        if both is None:
            continue
        stable = [j for j in likely if j == second or both[j] >= AGREE]
        kept = _not_made_of_each_other(values, [seed, *stable])
        found = _groups(values, kept) if len(kept) >= 3 else None
        if found is not None:
            return sorted(kept), *found
    return None


def _codes(values: Floats) -> NDArray[np.intp]:
    """Return a number for each row, the same where all columns agree; unknown values never do."""
    codes = np.unique(values, axis=0, return_inverse=True, equal_nan=False)[1].ravel()
    return np.asarray(codes, dtype=np.intp)


def _agreeing_by_chance(column: Floats) -> float:
    counts = np.unique(column, return_counts=True)[1]
    n = len(column)
    return float((counts * (counts - 1.0)).sum() / max(n * (n - 1.0), 1.0))


def _agreeing(values: Floats, codes: NDArray[np.intp]) -> Floats | None:
    """Return how often two rows of the same group agree in each column; None for too few pairs."""
    order = np.argsort(codes, kind="stable")
    pairs = np.flatnonzero(np.diff(codes[order]) == 0)
    if len(pairs) < FEWEST_PAIRS:
        return None
    return np.asarray((values[order[pairs]] == values[order[pairs + 1]]).mean(axis=0))


def _not_made_of_each_other(values: Floats, columns: list[int]) -> list[int]:
    """Return the columns of which none is similar wherever one or two earlier ones are similar."""
    ranks = np.argsort(np.argsort(values[:, columns], axis=0), axis=0) / max(len(values) - 1, 1)
    ranks = ranks[np.unique(_codes(values[:, columns]), return_index=True)[1]]
    kept: list[int] = []
    for i in range(len(columns)):
        sources = [*combinations(kept, 1), *combinations(kept[:MOST_SOURCES], 2)]
        apart = (_apart(ranks[:, source], ranks[:, i]) for source in sources)
        if all(found >= UNRELATED for found in apart):
            kept.append(i)
    return [columns[i] for i in kept]


def _apart(source: Floats, ranks: Floats) -> float:
    """Return how far groups that are nearest by some columns are apart in another; 1 at random."""
    if len(source) < 2:
        return 0.0
    nearest = cKDTree(source).query(source, 2)[1]
    other = np.where(nearest[:, 0] == np.arange(len(source)), nearest[:, 1], nearest[:, 0])
    return 3.0 * float(np.abs(ranks - ranks[other]).mean())


def _groups(values: Floats, columns: list[int]) -> tuple[int, float] | None:
    counts = np.unique(_codes(values[:, columns]), return_counts=True)[1]
    n_groups, share = int((counts > 1).sum()), float(counts[counts > 1].sum() / len(values))
    return (n_groups, share) if n_groups >= FEWEST_GROUPS and share >= GROUPED else None
