"""Findings in the rows, and in the target."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from .._rows import row_blocks
from .alike_rows import about_alike_rows
from .column_findings import FAR, far_values, is_moment, named_like_identifier, spellings
from .finding import Finding, finding
from .look import BINS, Floats, Look

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
#: From this share on, scores say nothing about new rows.
MANY_COPIES = 0.2
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
        named = list(_groups(look, columns))
        yield from named or about_alike_rows(look, columns)


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
    rows = 0
    if look.table.n_targets == 1:
        _, codes, counts = np.unique(look.keys, return_inverse=True, return_counts=True)
        target = look.table.target
        first = np.zeros(len(counts), dtype=target.dtype)
        first[codes] = target
        differs = np.zeros(len(counts), dtype=bool)
        differs[codes[target != first[codes]]] = True
        rows = int(counts[differs].sum())
    yield from copy_findings(look, look.n_rows, copies, rows)


def copy_findings(look: Look, n_rows: int, copies: int, conflicting: int) -> Iterator[Finding]:
    """Return what copies of rows are worth saying, of so many rows."""
    # Categories in few combinations repeat by themselves; a column of measurements does not.
    different = 0.5 * (1 - copies / n_rows)
    fine = bool((look.distinct >= different * np.maximum(look.known, 1)).any())
    severity = "" if fine and copies >= COPIES * n_rows else "note"
    if copies:
        text = f"{copies:,} of {n_rows:,} rows are copies of another row"
        many = fine and copies >= MANY_COPIES * n_rows
        yield finding("duplicate-rows", (), text, "serious" if many else severity)
    if conflicting:
        text = f"{conflicting:,} rows have the values of a row with another target"
        yield finding("conflicting-rows", (), text, severity)


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
    """Return the rows of some groups of at least two rows, and the group of each."""
    known = np.flatnonzero(~np.isnan(column))
    _, codes, counts = np.unique(column[known], return_inverse=True, return_counts=True)
    large = np.flatnonzero(counts > 1)
    if len(large) < FEWEST_GROUPS:
        return known[:0], known[:0]
    large = large[:: max(1, len(large) // MOST_GROUPS)]
    rows = np.isin(codes, large)
    return known[rows], codes[rows]


def _within(values: Floats, codes: NDArray[np.intp]) -> Floats:
    """Return the variance within groups as a share of that of all rows, for each column."""
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


#: The skill of a single column from which it is suspicious, and what the others must lack.
SUSPICIOUS, LACK = 0.9, 0.1
#: The others are judged together, the best of them.
BEST_OTHERS = 20
#: Gaps depend on the target where the shares of classes differ by this, beyond chance.
GAP, CHANCE = 0.1, 1e-6
#: The largest class has so many times the rows of the smallest; fewer rows than this are few.
IMBALANCE, FEW_ROWS = 4.0, 10


def about_target(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find what the target shows by itself, and with each of the columns."""
    if look.table.n_targets > 1:
        return
    yield from about_classes(look) if look.table.classes is not None else _far_targets(look)
    yield from _leaks(look, columns)
    yield from _gaps(look, columns)


def about_classes(look: Look) -> Iterator[Finding]:
    """Find imbalance and rare classes."""
    classes = look.table.classes
    if classes is None:
        return
    counts = np.bincount(look.table.target, minlength=len(classes))
    yield from class_findings(list(classes), counts)


def class_findings(classes: Sequence[object], counts: NDArray[np.intp]) -> Iterator[Finding]:
    """Find imbalance, rare classes and spellings in the numbers of rows of each class."""
    order = np.argsort(counts, kind="stable")
    # A rare class is a finding of its own, with a remedy of its own.
    enough = [c for c in order if counts[c] >= FEW_ROWS] or [order[0]]
    few, most = enough[0], order[-1]
    if counts[most] > IMBALANCE * counts[few]:
        yield finding(
            "imbalance",
            (),
            f"{counts[most]:,} of {counts.sum():,} rows are {classes[most]!s}, "
            f"{counts[few]:,} are {classes[few]!s}",
        )
    alike = spellings(classes)
    if alike:
        yield finding("spellings", (), f"classes {alike}", "serious")
    rare = [f"{classes[c]!s} ({counts[c]})" for c in order if counts[c] < FEW_ROWS]
    if rare:
        shown = ", ".join(rare[:5]) + (f" and {len(rare) - 5} more" if len(rare) > 5 else "")
        yield finding("rare-class", (), f"fewer than {FEW_ROWS} rows: {shown}")


def _far_targets(look: Look) -> Iterator[Finding]:
    values = np.sort(look.table.target[look.rows].astype(np.float64))
    low, middle, high = (values[len(values) * q // 4] for q in (1, 2, 3))
    found = far_values(values, middle, FAR * (high - low)) if high > low else None
    if found is not None:
        yield finding("target-outliers", (), found)


def _leaks(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find columns that predict the target nearly as well as anything can, where others do not.

    The skill of a column is how well its bins predict the rows of the other half: 0 is guessing,
    1 is perfect (balanced accuracy, or R² of the ranks of a numeric target).
    """
    if len(look.cut_rows) < FEW_ROWS or not len(columns):
        return
    halves = np.random.default_rng(0).permutation(len(look.cut_rows)) % 2
    skill, sure = _skills(look, columns, halves)
    suspects = sure >= SUSPICIOUS
    if not suspects.any():
        return
    others = columns[~suspects]
    best = others[np.argsort(-skill[~suspects], kind="stable")[:BEST_OTHERS]]
    together = _together(look, best, halves)
    next_best = float(skill[~suspects].max(initial=0.0))
    for j, own in zip(columns[suspects], skill[suspects], strict=True):
        if max(together, next_best) < own - LACK:
            yield finding(
                "leak",
                (look.names[j],),
                f"skill {own:.2f} alone (1 is perfect, 0 is guessing); the next best column has "
                f"{next_best:.2f}, the best others together have {max(together, 0):.2f}",
            )


def _skills(
    look: Look, columns: NDArray[np.intp], halves: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """Return the skill of each column on the other half of the rows, and what it is at least."""
    skill, error = np.empty(len(columns)), np.empty(len(columns))
    numeric = look.table.classes is None
    kinds = 1 if numeric else look.table.n_classes
    for part in row_blocks(len(columns), max(1, 500_000 // (BINS * kinds))):
        counts = [_counts(look, columns[part], halves == half) for half in (0, 1)]
        judge = _explained if numeric else _recognised
        both = [judge(counts[a], counts[1 - a]) for a in (0, 1)]
        skill[part] = (both[0][0] + both[1][0]) / 2
        error[part] = np.sqrt(both[0][1] + both[1][1]) / 2
    return skill, skill - 2 * error


def _counts(look: Look, columns: NDArray[np.intp], rows: NDArray[np.bool_]) -> Floats:
    """Rows by column, bin and class; or rows, sum and sum of squares by column and bin."""
    bins = look.bins[columns][:, rows].astype(np.intp)
    cells = bins + (np.arange(len(columns)) * BINS)[:, None]
    target = look.target[rows]
    if look.table.classes is None:
        weights = [np.ones(len(target)), target, target**2]
        sums = [
            np.bincount(cells.ravel(), np.tile(w, len(columns)), len(columns) * BINS)
            for w in weights
        ]
        return np.asarray(np.stack(sums, axis=-1).reshape(len(columns), BINS, 3), np.float64)
    kinds = look.table.n_classes
    flat = np.bincount((cells * kinds + target).ravel(), minlength=len(columns) * BINS * kinds)
    return flat.reshape(len(columns), BINS, kinds).astype(np.float64)


def _recognised(seen: Floats, new: Floats) -> tuple[Floats, Floats]:
    """Return the share of each class that the most typical class of the bins recognises."""
    own = seen.sum(axis=1, keepdims=True)
    typical = np.argmax(seen / np.maximum(own, 1), axis=2)
    hits = np.take_along_axis(new, typical[:, :, None], axis=2)[:, :, 0]
    totals, kinds = new.sum(axis=1), new.shape[2]
    right = np.zeros(totals.shape)
    for c in range(kinds):
        right[:, c] = np.where(typical == c, hits, 0).sum(axis=1)
    recall = right / np.maximum(totals, 1)
    # With two hits and two misses more, the variance of a perfect recall is not 0.
    share = (right + 2) / (totals + 4)
    variance = (share * (1 - share) / (totals + 4)).sum(axis=1) / kinds**2
    chance = 1 / kinds
    return (recall.mean(axis=1) - chance) / (1 - chance), variance / (1 - chance) ** 2


def _explained(seen: Floats, new: Floats) -> tuple[Floats, Floats]:
    """R² of the means of the bins on new rows."""
    overall = seen[..., 1].sum(axis=1, keepdims=True) / seen[..., 0].sum(axis=1, keepdims=True)
    mean = np.where(seen[..., 0] > 0, seen[..., 1] / np.maximum(seen[..., 0], 1), overall)
    rows, sums, squares = new[..., 0], new[..., 1], new[..., 2]
    errors = (squares - 2 * mean * sums + rows * mean**2).sum(axis=1)
    n = rows.sum(axis=1)
    spread = squares.sum(axis=1) - sums.sum(axis=1) ** 2 / n
    explained = 1 - errors / np.where(spread > 0, spread, 1)
    return explained, 4 * np.maximum(explained, 0) * (1 - explained) ** 2 / n


def _together(look: Look, columns: NDArray[np.intp], halves: NDArray[np.intp]) -> float:
    """Return the skill of columns together: naive Bayes, or least squares on means of bins."""
    if not len(columns):
        return 0.0
    numeric = look.table.classes is None
    found = []
    for half in (0, 1):
        seen, rows = halves == half, halves != half
        counts = _counts(look, columns, seen)
        bins, target = look.bins[columns].astype(np.intp), look.target
        at = np.arange(len(columns))[:, None]
        if numeric:
            means = counts[..., 1] / np.maximum(counts[..., 0], 1)
            X = np.vstack([means[at, bins], np.ones(bins.shape[1])]).T
            beta = np.linalg.lstsq(X[seen], target[seen], rcond=None)[0]
            left = target[rows] - X[rows] @ beta
            found.append(1 - float(left @ left) / max(float(((target[rows]) ** 2).sum()), 1e-12))
            continue
        logs = np.log((counts + 0.5) / (counts.sum(axis=1, keepdims=True) + 0.5 * BINS))
        guess = np.argmax(logs[at, bins[:, rows]].sum(axis=0), axis=1)
        kinds = look.table.n_classes
        totals = np.bincount(target[rows], minlength=kinds)
        right = np.bincount(target[rows][guess == target[rows]], minlength=kinds)
        recall = float((right / np.maximum(totals, 1)).mean())
        found.append((recall - 1 / kinds) / (1 - 1 / kinds))
    return float(np.mean(found))


def _gaps(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find columns whose values are missing more often with some targets than with others."""
    missing = len(look.rows) - look.known[columns]
    some = columns[(missing >= FEW_ROWS) & (look.known[columns] >= FEW_ROWS)]
    target = look.table.target[look.rows]
    classes = look.table.classes
    if classes is None:
        high = np.searchsorted(np.sort(target), target, side="right") * 2 > len(target)
        target, labels = high.astype(np.intp), ["the lower half", "the upper half"]
    else:
        labels = [str(c) for c in classes]
    totals = np.bincount(target, minlength=len(labels))
    enough = totals >= FEW_ROWS
    for j in some:
        gaps = np.bincount(target[np.isnan(look.across[j])], minlength=len(labels))
        share = np.where(enough, gaps / np.maximum(totals, 1), np.nan)
        low, high_ = int(np.nanargmin(share)), int(np.nanargmax(share))
        table = np.array([gaps[enough], (totals - gaps)[enough]])
        if share[high_] - share[low] < GAP or (table.sum(axis=1) == 0).any():
            continue
        if stats.chi2_contingency(table).pvalue * look.n_features < CHANCE:
            text = (
                f"missing in {share[high_]:.0%} of {labels[high_]}, {share[low]:.0%} of "
                f"{labels[low]}"
            )
            yield finding("missing-by-target", (look.names[j],), text)
