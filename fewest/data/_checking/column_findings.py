"""Findings in single columns, and columns that are copies of others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._table import Table
from .finding import UNLEARNABLE, Finding, finding
from .look import Floats, Look

#: Strings are identifiers from so many rows on, numbers from more: a few may differ by chance.
FEWEST_LABELS, FEWEST_NUMBERS = 10, 50
#: Share of different values from which a column is an identifier; of hashes and text less.
UNIQUE, HALF_UNIQUE = 0.95, 0.5
#: Words per value from which strings are text.
WORDS = 3.0
#: The first rows tell most columns from constants.
HEAD = 1024
#: So many levels of a column are read at most.
MOST_READ = 2000
#: Share of rows with one value from which a column is nearly constant.
NEARLY = 0.99
#: A category has many levels from here on, if they have fewer rows than this on average.
MANY_LEVELS, ROWS_PER_LEVEL = 30, 50
#: Whole numbers may be codes where they have from 3 to so many values, in enough rows each.
FEW_VALUES, ROWS_PER_VALUE = 10, 10
#: Values are outliers beyond so many interquartile ranges, if they make most of the variance.
FAR, MOST_VARIANCE = 10.0, 0.5
#: Seconds since 1970 of 1980 and 2100.
FIRST_MOMENT, LAST_MOMENT = 315_532_800.0, 4_102_444_800.0

_NAMED = re.compile(r"(^|[^a-z])(id|uuid|guid|key|index|idx|nr|number)$")
_HASH = re.compile(r"(?=.*\d)(?=.*[a-fA-F])[0-9a-fA-F]{4,}(-?[0-9a-fA-F]{4,})+")
_PLAIN = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_COMMA = re.compile(r"[-+]?\d[\d.]*,\d+")
_WRITTEN = re.compile(
    r"([€$£¥]|[A-Za-z]{2,3} )?\s*[-+]?(\d{1,3}([ ,.'’]\d{3})+|\d+)([.,]\d+)?"
    r"\s*(%|[€$£¥]|[A-Za-zµ°²³/]{1,5}[23²³]?)?"
)
_DATE = re.compile(
    r"\d{4}[-/.](0?[1-9]|1[0-2])[-/.](0?[1-9]|[12]\d|3[01])([ T]\d{1,2}:\d{2}.*)?"
    r"|(0?[1-9]|[12]\d|3[01])[-/.](0?[1-9]|1[0-2])[-/.](\d{4}|\d{2})([ T]\d{1,2}:\d{2}.*)?"
    r"|(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])/(\d{4}|\d{2})([ T]\d{1,2}:\d{2}.*)?"
)


def about_columns(look: Look) -> Iterator[Finding]:
    """Find what a column shows by itself; identifiers and text have no other finding."""
    constant = constant_columns(look.table)
    for j in np.flatnonzero(constant).tolist():
        value = "every value is unknown" if not look.known[j] else "the same value in every row"
        yield finding("constant", (look.names[j],), value)
    named = set()
    for j in np.flatnonzero(~constant).tolist():
        found = _look_at(look, j)
        if found is not None:
            named.add(j)
            yield found
    rest = np.array([j for j in np.flatnonzero(~constant) if j not in named], dtype=np.intp)
    yield from _nearly_constant(look, rest)
    yield from _outliers(look, rest[~look.table.nominal[rest]])


def named_like_identifier(name: str) -> bool:
    """Whether a name ends in a word for identifiers.

    >>> named_like_identifier("customerId"), named_like_identifier("paid")
    (True, False)
    """
    return _NAMED.search(re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()) is not None


def is_moment(values: NDArray[np.float64]) -> bool:
    """Whether known numbers are whole minutes since 1970, between 1980 and 2100."""
    within = len(values) > 0 and values[0] >= FIRST_MOMENT and values[-1] <= LAST_MOMENT
    return within and bool((values % 60.0 == 0.0).all())


def constant_columns(table: Table) -> NDArray[np.bool_]:
    """Which columns have one value only, or none; the first rows rule out nearly all others."""
    values = table.values
    if table.sparse is not None:
        matrix = table.sparse.csc
        parts = (matrix.data[a:b] for a, b in pairwise(matrix.indptr))
        full = [len(p) == 0 or (len(p) == len(values) and bool((p == p[0]).all())) for p in parts]
        return np.array(full, dtype=bool)
    constant = _one_value(values[:HEAD], values[0])
    likely = np.flatnonzero(constant)
    constant[likely] = _one_value(values[:, likely], values[0, likely])
    return constant


def _one_value(values: NDArray[Any], first: NDArray[Any]) -> NDArray[np.bool_]:
    constant = (values == first).all(axis=0)
    unknown = np.flatnonzero(np.isnan(first))
    constant[unknown] = np.isnan(values[:, unknown]).all(axis=0)
    return np.asarray(constant)


def set_aside(table: Table) -> tuple[int, ...]:
    """Return the columns that look like identifiers or text, from which nothing can be learned."""
    if table.sparse is not None or table.n_rows < FEWEST_LABELS:
        return ()
    many = HALF_UNIQUE / 4 * table.n_rows
    likely = [
        j
        for j, (name, levels) in enumerate(zip(table.names, table.levels, strict=True))
        if (named_like_identifier(name) if levels is None else len(levels) >= many)
    ]
    look = Look(table)
    found = {j: _look_at(look, j) for j in likely}
    return tuple(j for j, one in found.items() if one is not None and one.kind in UNLEARNABLE)


def _look_at(look: Look, j: int) -> Finding | None:
    return _label_column(look, j) if look.table.nominal[j] else _number_column(look, j)


def _label_column(look: Look, j: int) -> Finding | None:
    """Find what the labels of a nominal column are, if they are no plain categories."""
    share = look.distinct[j] / max(look.known[j], 1)
    texts = _texts(look, j)
    name = (look.names[j],)
    if share >= HALF_UNIQUE / 2 and look.n_rows >= FEWEST_LABELS:
        own = look.table.column(j)[look.first]
        own = own[~np.isnan(own)]
        found = unique_labels(look.names[j], texts, len(np.unique(own)), len(own))
        if found is not None:
            return found
    if texts and all(map(_DATE.fullmatch, texts)):
        return finding("date", name, f"text such as {texts[0]!r}")
    enough = len(texts) >= FEW_VALUES or any(map(_COMMA.fullmatch, texts))
    if enough and all(map(_WRITTEN.fullmatch, texts)) and not _codes(texts):
        return finding("number-as-text", name, f"text such as {texts[0]!r}")
    words = [text for text in texts if not _PLAIN.fullmatch(text)]
    if words and _share_of_numbers(look, j) >= 0.8:
        return finding("mixed-types", name, f"numbers, and {_some(words)}")
    levels = int(look.distinct[j])
    alike = spellings(_labels(look, j))
    if alike:
        return finding("spellings", name, alike)
    if levels > MANY_LEVELS and look.n_rows / levels < ROWS_PER_LEVEL:
        return finding(
            "many-levels", name, f"{levels} values, {look.n_rows / levels:.0f} rows each on average"
        )
    return None


def unique_labels(
    name: str, texts: Sequence[str], different: float, known: float
) -> Finding | None:
    """Find identifiers and text: nearly every row that is no duplicate has another value."""
    if known < FEWEST_LABELS:
        return None
    share = different / known
    evidence = f"{share:.0%} of the values differ"
    words = float(np.mean([text.count(" ") + 1 for text in texts])) if texts else 0.0
    if share >= HALF_UNIQUE and words >= WORDS and not all(map(_WRITTEN.fullmatch, texts)):
        return finding("free-text", (name,), f"{evidence}, {words:.0f} words on average")
    if texts and (all(map(_DATE.fullmatch, texts)) or _amounts(texts)):
        return None
    hashes = share >= HALF_UNIQUE and bool(texts) and all(map(_HASH.fullmatch, texts))
    if share < UNIQUE and not hashes:
        return None
    kind = ", and they are hashes" if hashes else ""
    return finding("identifier", (name,), f"{evidence}{kind}")


def _amounts(texts: Sequence[str]) -> bool:
    """Whether texts are numbers with commas, units, signs and the like, not only digits."""
    return all(map(_WRITTEN.fullmatch, texts)) and not all(text.isdigit() for text in texts)


def _codes(texts: Sequence[str]) -> bool:
    """Whether numbers are written as codes are: with leading zeros, or all in the same length."""
    plain = all(text.isdigit() for text in texts)
    return plain and (any(t[0] == "0" for t in texts) or len({len(t) for t in texts}) == 1)


def _number_column(look: Look, j: int) -> Finding | None:
    """Find moments, row numbers and codes among the numbers of a column."""
    values, name = look.ordered[j, : look.known[j]], (look.names[j],)
    if not look.whole[j]:
        return None
    if is_moment(values):
        return finding("date", name, "whole minutes since 1970")
    if look.distinct[j] >= UNIQUE * look.known[j] and look.n_rows >= FEWEST_LABELS:
        found = _unique_numbers(look, j)
        if found is not None:
            return found
    few = 3 <= look.distinct[j] <= FEW_VALUES
    if few and look.n_rows >= ROWS_PER_VALUE * look.distinct[j]:
        text = f"{look.distinct[j]} whole numbers from {values[0]:.0f} to {values[-1]:.0f}"
        return finding("few-values", name, text)
    return None


def _unique_numbers(look: Look, j: int) -> Finding | None:
    """Find row numbers, and whole numbers that differ in every row and are named so."""
    column, name = look.table.column(j), (look.names[j],)
    steps = np.diff(column)
    if len(steps) and steps[0] > 0 and (steps == steps[0]).all():
        kind = "identifier" if named_like_identifier(look.names[j]) else "row-number"
        return finding(kind, name, f"it grows by {steps[0]:g} from row to row")
    own = column[look.first]
    own = own[~np.isnan(own)]
    if len(own) < FEWEST_NUMBERS:
        return None
    share = len(np.unique(own)) / len(own)
    if share >= UNIQUE and named_like_identifier(look.names[j]):
        return finding("identifier", name, f"{share:.0%} of the values differ")
    if share == 1.0 and own.max() - own.min() == len(own) - 1:
        return finding("row-number", name, f"all numbers from {own.min():g} to {own.max():g}")
    return None


def _nearly_constant(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find columns whose median is the value of nearly all rows."""
    middle = look.ordered[columns, np.maximum(look.known[columns] // 2, 0)]
    at = np.arange(len(columns))
    # The value of 99 % of the rows is also that of the 1st and 99th percentile.
    low = look.ordered[columns, (look.known[columns] * (1 - NEARLY) / 2).astype(np.intp)]
    high = look.ordered[columns, np.maximum((look.known[columns] * NEARLY).astype(np.intp) - 1, 0)]
    for i in at[(low == middle) | (high == middle)]:
        j = columns[i]
        share = float((look.across[j] == middle[i]).sum() / max(look.known[j], 1))
        if NEARLY <= share < 1.0:
            yield finding("nearly-constant", (look.names[j],), f"{share:.2%} of the rows")


def _outliers(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find continuous columns of which a few values make most of the variance."""
    known = look.known[columns]
    low, middle, high = (look.ordered[columns, known * q // 4] for q in (1, 2, 3))
    width = FAR * (high - low)
    first, last = look.ordered[columns, 0], look.ordered[columns, known - 1]
    beyond = (width > 0) & ((last > middle + width) | (first < middle - width))
    for j, centre, reach in zip(columns[beyond], middle[beyond], width[beyond], strict=True):
        found = far_values(look.ordered[j, : look.known[j]], centre, reach)
        if found is not None:
            yield finding("outliers", (look.names[j],), found)


def far_values(values: NDArray[np.float64], centre: float, reach: float) -> str | None:
    """Describe the values beyond the reach, where they are few and make most of the variance."""
    squares = (values - centre) ** 2
    far = np.abs(values - centre) > reach
    if not far.any() or far.mean() > 0.05 or squares[far].sum() < MOST_VARIANCE * squares.sum():
        return None
    return (
        f"{int(far.sum())} of {len(values):,} values are more than {FAR:.0f} interquartile ranges "
        f"from the median ({centre:g}), up to {values[np.argmax(squares)]:g}"
    )


def _texts(look: Look, j: int) -> list[str]:
    """Return some of the levels that occur, as text; none where a level is no string."""
    return some_texts(_labels(look, j))


def _labels(look: Look, j: int) -> list[object]:
    """Return the levels that occur."""
    levels = look.table.levels[j] or ()
    used = np.unique(look.ordered[j, : look.known[j]]).astype(np.intp)
    return [levels[i] for i in used.tolist()]


def spellings(labels: Sequence[object]) -> str:
    """Name the labels that differ only in case or spaces; nothing where none do.

    Single letters are codes, whose case may mean something.

    >>> spellings(["yes", "no", "Yes", "no ", "a", "A"])
    "'Yes' and 'yes', 'no' and 'no '"
    """
    groups: dict[str, list[str]] = {}
    for text in sorted(str(label) for label in labels if isinstance(label, str)):
        groups.setdefault("".join(text.casefold().split()), []).append(text)
    alike = [
        " and ".join(map(repr, group))
        for plain, group in groups.items()
        if len(group) > 1 and len(plain) > 1
    ]
    return ", ".join(alike[:3]) + (f" and {len(alike) - 3} more" if len(alike) > 3 else "")


def some_texts(levels: Sequence[object]) -> list[str]:
    """Return at most about 2,000 of these labels, as text; none where one is no string."""
    some = levels[:: max(1, len(levels) // MOST_READ)]
    texts = [text.strip() for text in some if isinstance(text, str)]
    return texts if len(texts) == len(some) else []


def _share_of_numbers(look: Look, j: int) -> float:
    """Return the share of the known values of a nominal column that are plain numbers."""
    levels = look.table.levels[j] or ()
    if len(levels) > MOST_READ:
        return 0.0
    plain = np.array([_PLAIN.fullmatch(str(level).strip()) is not None for level in levels])
    values = look.ordered[j, : look.known[j]].astype(np.intp)
    return float(plain[values].mean()) if plain.sum() > 1 else 0.0


def _some(words: Sequence[str]) -> str:
    shown = ", ".join(map(repr, words[:3]))
    return shown if len(words) <= 3 else f"{shown} and {len(words) - 3} more"


#: Columns are the same in another unit where 1 minus their correlation is below this.
UNLIKE = 1e-6
#: The number of projections that tell columns apart, and how far those of copies differ at most.
PROJECTIONS, NEAR = 3, 4.0
#: Fewer different values than this are in the same order by chance.
FEWEST_RANKS = 16
#: So many rows tell most columns apart.
FIRST_ROWS = 256


def about_copies(look: Look, columns: NDArray[np.intp]) -> Iterator[Finding]:
    """Find pairs among the columns, each with the first column that says the same."""
    told: set[int] = set()
    numbers = columns[~look.table.nominal[columns]]
    ways = (
        ("copy", _equal(look, columns), "equals {}"),
        ("affine-copy", _affine(look, numbers), "is a multiple of {} plus a constant"),
        ("one-to-one", _same_parts(look, columns), "each of its values goes with one of {}"),
    )
    for kind, pairs, words in ways:
        for first, j in sorted(pairs, key=lambda pair: (pair[1], pair[0])):
            if j not in told:
                told.add(j)
                names = (look.names[j], look.names[first])
                yield finding(kind, names, words.format(names[1]))


def about_sparse(look: Look) -> Iterator[Finding]:
    """Find constants and copies in a sparse table, from what is stored."""
    values, constant = look.table.sparse, constant_columns(look.table)
    assert values is not None
    matrix, first = values.csc, dict[tuple[bytes, bytes], int]()
    for j, name in enumerate(look.names):
        if constant[j]:
            yield finding("constant", (name,), "the same value in every row")
            continue
        part = slice(matrix.indptr[j], matrix.indptr[j + 1])
        data, rows = matrix.data[part], matrix.indices[part]
        earlier = first.setdefault((rows.tobytes(), data.tobytes()), j)
        if earlier != j:
            yield finding("copy", (name, look.names[earlier]), f"equals {look.names[earlier]}")


def _grouped(keys: Iterable[tuple[int, bytes]]) -> Iterator[list[int]]:
    """Return the columns with the same key."""
    groups: dict[bytes, list[int]] = {}
    for j, key in keys:
        groups.setdefault(key, []).append(j)
    return (group for group in groups.values() if len(group) > 1)


def _equal(look: Look, columns: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Pairs with the same values and levels in all rows."""
    across = look.across[:, :FIRST_ROWS]
    for likely in _grouped((int(j), across[j].tobytes()) for j in columns):
        first: dict[tuple[object, bytes], int] = {}
        for j in likely:
            key = (look.table.levels[j], look.table.column(j).tobytes())
            earlier = first.setdefault(key, j)
            if earlier != j:
                yield earlier, j


def _affine(look: Look, columns: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Pairs of numbers whose correlation is 1 or -1, up to rounding.

    Columns are projected on a few random directions; only those that fall on nearly the same
    place are compared, so that the work does not grow with the number of pairs.
    """
    columns = columns[look.distinct[columns] > 2]
    if len(columns) < 2:
        return
    z = _standardised(look.across[columns])
    directions = np.random.default_rng(0).normal(size=(z.shape[1], PROJECTIONS))
    places = z @ directions / np.sqrt(z.shape[1])
    places *= np.where(places[:, :1] < 0, -1.0, 1.0)
    order = np.argsort(places[:, 0], kind="stable")
    places, near = places[order], NEAR * np.sqrt(2 * UNLIKE)
    found: dict[int, int] = {}
    for shift in range(1, len(order)):
        close = np.abs(places[shift:] - places[:-shift]) < near
        if not close[:, 0].any():
            break
        for i in np.flatnonzero(close.all(axis=1)):
            a, b = sorted((int(order[i]), int(order[i + shift])))
            if 1 - abs(float(z[a] @ z[b])) / z.shape[1] < UNLIKE:
                found[b] = min(a, found.get(b, a))
    yield from ((int(columns[a]), int(columns[b])) for b, a in found.items())


def _standardised(values: Floats) -> Floats:
    """Rows with mean 0 and variance 1; unknown values are 0, so that gaps must agree too."""
    unknown = np.isnan(values)
    counts = np.maximum((~unknown).sum(axis=1, keepdims=True), 1)
    filled = np.where(unknown, 0.0, values)
    centred = np.where(unknown, 0.0, filled - filled.sum(axis=1, keepdims=True) / counts)
    norms = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    return np.asarray(centred / np.where(norms > 0, norms, 1.0) * np.sqrt(values.shape[1]))


def _same_parts(look: Look, columns: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Pairs that part the rows in the same way, or put them into the same or reverse order."""
    for likely in _grouped(_keys(look, columns, FIRST_ROWS)):
        for group in _grouped(_keys(look, likely, len(look.rows))):
            yield from ((group[0], j) for j in group[1:])


def _keys(
    look: Look, columns: Iterable[int] | NDArray[np.intp], n_rows: int
) -> Iterator[tuple[int, bytes]]:
    """Return what a column has in common with its one-to-one copies, in the first rows."""
    for j in columns:
        values = look.across[j, :n_rows]
        if look.table.nominal[j] or look.distinct[j] <= FEWEST_RANKS:
            yield int(j), _renumbered(values).tobytes()
            continue
        ranks = np.unique(values, return_inverse=True)[1].astype(np.int32)
        top = ranks.max(initial=0)
        if top >= FEWEST_RANKS:
            yield int(j), min(ranks.tobytes(), (top - ranks).tobytes())


def _renumbered(values: Floats) -> NDArray[np.int32]:
    """Return the values as numbers in the order in which they first occur."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int32)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    return place[codes]
