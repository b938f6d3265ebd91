"""Findings about rows: duplicates, groups that look alike, order, and too few of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .columns import is_moment, named_like_identifier
from .finding import Finding, finding
from .look import Floats, Look

#: Below so many rows a score is known to no better than ten points.
FEWEST = 100
#: A score is precise where its 95 % interval is five points wide on each side.
PRECISE = 0.05
#: Groups: so many of them at least, this many are looked at, in so many columns.
FEWEST_GROUPS, MOST_GROUPS, MOST_COLUMNS = 10, 200, 50
#: Rows of a group are alike where the variance within groups is below this share.
ALIKE = 0.3
#: Neighbours in the table are alike where their targets differ less often than this share.
NEIGHBOURS, BEYOND_CHANCE = 0.7, 6.0
#: The rows of each class stand together where the class changes in a smaller share of the steps.
RUNS = 0.02
#: So many copies of rows are worth a warning.
COPIES = 0.01
_PEOPLE = re.compile(
    "patient|subject|person|user|customer|client|household|animal|batch|session|machine|device"
)


def about_rows(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find what the rows show as a whole."""
    yield from about_size(look)
    yield from _duplicates(look)
    if look.table.n_targets > 1:
        return
    # What is given with the rows need not be found.
    if "time" not in look.table.metadata:
        yield from _order(look)
    if "groups" not in look.table.metadata:
        yield from _groups(look, columns)


def about_size(look: Look) -> Iterator[Finding]:
    """Find too few rows, by themselves and beside the columns."""
    n = look.n_rows
    if n < FEWEST:
        needed = math.ceil(0.25 * (1.96 / PRECISE) ** 2)
        reach = 196 * math.sqrt(0.25 / n)
        yield finding(
            "too-small",
            (),
            f"an accuracy near 50 % on {n} rows is known to ±{reach:.0f} points; "
            f"±{100 * PRECISE:.0f} points need {needed} rows",
        )
    if look.n_features > n:
        yield finding("wide", (), f"{look.n_features:,} columns, {n:,} rows")


def _duplicates(look: Look) -> Iterator[Finding]:
    copies = look.n_rows - len(look.first)
    if not copies:
        return
    # Categories in few combinations repeat by themselves; a column of measurements does not.
    fine = bool((look.distinct >= 0.5 * np.maximum(look.known, 1)).any())
    fine &= copies >= COPIES * look.n_rows
    _, codes, counts = np.unique(look.keys, return_inverse=True, return_counts=True)
    text = f"{copies:,} of {look.n_rows:,} rows are copies of another row"
    yield finding("duplicate-rows", (), text, "" if fine else "note")
    if look.table.n_targets > 1:
        return
    target = look.table.target
    first = np.zeros(len(counts), dtype=target.dtype)
    first[codes] = target
    differs = np.zeros(len(counts), dtype=bool)
    differs[codes[target != first[codes]]] = True
    rows = int(counts[differs].sum())
    if rows:
        text = f"{rows:,} rows have the values of a row with another target"
        yield finding("conflicting-rows", (), text, "" if fine else "note")


def _order(look: Look) -> Iterator[Finding]:
    """Find rows that are sorted by target, and rows that follow each other in time."""
    target, classes = look.table.target, look.table.classes
    n = len(target)
    moments = [look.names[j] for j in np.flatnonzero(look.whole) if _grows(look, int(j))]
    steps = np.diff(target)
    if n < FEWEST or not steps.any():
        return
    sorted_rows = bool((steps >= 0).all() or (steps <= 0).all())
    if classes is not None:
        changes = int((steps != 0).sum())
        sorted_rows |= changes <= max(look.table.n_classes - 1, RUNS * n)
    if sorted_rows:
        yield finding("sorted-rows", (), "the rows of each class stand together" if classes is not
                      None else "the target never goes back")  # fmt: skip
        return
    alike, text = _neighbours(target, classes is not None)
    if moments:
        more = f", and {text}" if alike else ""
        severity = "serious" if alike else "warning"
        yield finding(
            "ordered-rows", (moments[0],), f"the rows are in order of time{more}", severity
        )
    elif alike:
        yield finding("ordered-rows", (), text, "warning")


def _grows(look: Look, j: int) -> bool:
    """Whether a column holds moments that never go back."""
    values = look.ordered[j, : look.known[j]]
    if look.known[j] < len(look.rows) or look.distinct[j] < 20 or not is_moment(values):
        return False
    return bool((np.diff(look.table.column(j)) >= 0).all())


def _neighbours(target: NDArray[np.float64], labels: bool) -> tuple[bool, str]:
    """Whether rows that follow each other have more similar targets than chance allows."""
    n = len(target) - 1
    if labels:
        share = np.bincount(target.astype(np.intp)) / len(target)
        expected = float(1 - (share**2).sum())
        found = float((np.diff(target) != 0).mean())
        z = (expected - found) / math.sqrt(expected * (1 - expected) / n)
        text = f"the class changes in {found:.0%} of the steps from row to row, by chance in "
        return found < NEIGHBOURS * expected and z > BEYOND_CHANCE, f"{text}{expected:.0%}"
    ranks = np.argsort(np.argsort(target, kind="stable"), kind="stable").astype(np.float64)
    r = float(np.corrcoef(ranks[1:], ranks[:-1])[0, 1])
    alike = r > 1 - NEIGHBOURS and r * math.sqrt(n) > BEYOND_CHANCE
    return alike, f"targets of rows that follow each other have a rank correlation of {r:.2f}"


def _groups(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find categories whose rows are alike in most measurements, as those of one person are."""
    numbers = columns[~look.table.nominal[columns] & (look.distinct[columns] > FEWEST_GROUPS)]
    numbers = numbers[:: max(1, len(numbers) // MOST_COLUMNS)]
    people = [j for j in columns if look.table.nominal[j] or _is_person(look, int(j))]
    for j in people:
        few = FEWEST_GROUPS <= look.distinct[j] <= len(look.rows) / 2
        own = numbers[numbers != j]
        if not few or len(own) < 3:
            continue
        rows, codes = _some_groups(look.table.column(int(j)))
        if len(codes) == 0:
            continue
        within = _within(look.table.block(rows)[:, own], codes)
        if np.mean(within < ALIKE) >= 0.5:
            n_groups = len(np.unique(look.table.column(int(j))))
            yield finding(
                "row-groups",
                (look.names[j],),
                f"{n_groups} values with {look.n_rows / n_groups:.0f} rows each on average; "
                f"{np.median(within):.0%} of the variance of a column is within them",
            )


def _is_person(look: Look, j: int) -> bool:
    name = look.names[j]
    named = named_like_identifier(name) or _PEOPLE.search(name.lower()) is not None
    return bool(look.whole[j]) and named


def _some_groups(column: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows of some groups of at least two rows, and the group of each."""
    known = np.flatnonzero(~np.isnan(column))
    _, codes, counts = np.unique(column[known], return_inverse=True, return_counts=True)
    large = np.flatnonzero(counts > 1)
    if len(large) < FEWEST_GROUPS:
        return known[:0], known[:0]
    large = large[:: max(1, len(large) // MOST_GROUPS)]
    rows = np.isin(codes, large)
    return known[rows], codes[rows]


def _within(values: Floats, codes: NDArray[np.intp]) -> Floats:
    """The variance within groups as a share of that of all rows, for each column."""
    codes = np.unique(codes, return_inverse=True)[1]
    shares = []
    for column in values.T:
        known = ~np.isnan(column)
        own, code = column[known], codes[known]
        counts = np.bincount(code)
        means = np.bincount(code, own) / np.maximum(counts, 1)
        left, total = ((own - means[code]) ** 2).sum(), ((own - own.mean()) ** 2).sum()
        freedom = max(len(own) - int((counts > 0).sum()), 1)
        shares.append(left / freedom / (total / max(len(own) - 1, 1)) if total > 0 else 1.0)
    return np.array(shares)
