"""Faults inside this process, at chosen points: hundreds in the time of one real kill."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import fewest
from fewest import _interrupts
from fewest._errors import InputError
from fewest._run import journal_format as lines
from fewest._run import whole_files as files
from fewest._run.journal import read_lines, salvage
from fewest._run.result import Result
from fewest.search._search_names import list_searches, resolve_search
from tests.campaign.options import small
from tests.campaign.runs import short
from tests.campaign.trial import FailedError, expect

TIMES = ("seconds", "scoring_seconds", "search_seconds")


class Crash(BaseException):
    """As if the process had ended here."""


@lru_cache(maxsize=1)
def searches() -> list[tuple[str, bool]]:
    """The searches over subsets, and whether each needs a monotone measure."""
    rows = [row for row in list_searches() if "subsets" in str(row["spaces"])]
    return [(str(row["name"]), bool(row["needs_monotone"])) for row in rows]


def random_selector(rng: np.random.Generator) -> tuple[str, fewest.SubsetSelector]:
    """Any search with a measure that suits, and how to call it in a message."""
    name, monotone = searches()[int(rng.integers(len(searches())))]
    measures = ["inconsistency"] if monotone else ["naive-bayes", "nearest-neighbor"]
    measure, seed = str(rng.choice(measures)), int(rng.integers(3))
    search = resolve_search(name)
    search.set_params(**short(search))
    rules: Any = fewest._run.stop_rules.Generations(5) if search.generational else "auto"
    return f"{name} over {measure}, seed {seed}", fewest.SubsetSelector(
        measure, search=search, cv=3, stop=rules, random_state=seed, audit=False, consensus=None
    )


_whole: dict[str, dict[str, Any]] = {}


def whole(what: str, selector: fewest.SubsetSelector) -> dict[str, Any]:
    """The result of the run without any fault."""
    if what not in _whole:
        _whole[what] = answer(selector.set_params(journal=None))
    return _whole[what]


def answer(selector: fewest.SubsetSelector) -> dict[str, Any]:
    """The result of a run as plain data, without times."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = json.loads(json.dumps(selector.fit(*small()).result_.to_dict()))
    plain.pop("seconds")
    plain["extra"].pop("phase_seconds", None)
    plain["history"] = [
        {k: v for k, v in row.items() if k not in TIMES} for row in plain["history"]
    ]
    return plain


@contextmanager
def at_write(number: int, share: float, fault: Callable[[], BaseException]) -> Iterator[None]:
    """At this call of ``os.write``, write a share of the bytes and raise."""
    real, count = os.write, [0]

    def write(descriptor: int, text: bytes) -> int:
        count[0] += 1
        if count[0] == number:
            real(descriptor, bytes(text)[: int(share * len(text))])
            raise fault()
        return real(descriptor, text)

    class Faulty:
        """The module os with this one function replaced."""

        def __getattr__(self, name: str) -> Any:
            return write if name == "write" else getattr(os, name)

    before = lines.os, files.os
    lines.os = files.os = Faulty()  # type: ignore[misc, attr-defined]
    try:
        yield
    finally:
        lines.os, files.os = before  # type: ignore[misc]


def crashed(rng: np.random.Generator, folder: Path) -> None:
    """The process ends inside a write, once or several times; then it goes on."""
    what, selector = random_selector(rng)
    expected = whole(what, selector)
    journal = folder / "run.jsonl"
    selector.set_params(journal=journal)
    for _ in range(1 + int(rng.integers(3))):
        with suppress(Crash), at_write(1 + int(rng.integers(8)), float(rng.random()), Crash):
            answer(selector)
    expect(answer(selector) == expected, f"{what} ended with another result")
    expect(not list(folder.glob(".*.part")), f"{what} left a partial file")


def full_disk(rng: np.random.Generator, folder: Path) -> None:
    """A write fails: one sentence, no half line, and the run goes on when there is room."""
    what, selector = random_selector(rng)
    expected = whole(what, selector)
    journal = folder / "run.jsonl"
    selector.set_params(journal=journal)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    try:
        with at_write(1 + int(rng.integers(8)), float(rng.random()), lambda: full):
            answer(selector)
    except InputError as error:
        expect("No space left" in str(error), f"{what}: {error}")
        expect(not journal.exists() or journal.read_bytes().endswith(b"\n"), "half a line")
    expect(answer(selector) == expected, f"{what} ended with another result")


def interrupted_inside(rng: np.random.Generator, folder: Path) -> int:
    """Ctrl-C at random lines of the code: a result that is whole, and a run that goes on."""
    what, selector = random_selector(rng)
    expected = whole(what, selector)
    for turn in range(4):
        journal = folder / f"{turn}.jsonl"
        selector.set_params(journal=journal)
        result = _cut(selector, int(10 ** rng.uniform(1.5, 4.3)))
        _expect_whole(result, journal, what)
        expect(not _interrupts._ACTIVE, f"{what}: an interrupt left a listener behind")
        expect(answer(selector) == expected, f"{what} went on to another result")
    return 4


def _cut(selector: fewest.SubsetSelector, line: int) -> Result | None:
    """Fit with an interrupt at this line; None where nothing was found yet."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.settrace(_interrupting(line))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return selector.fit(*small()).result_
    except KeyboardInterrupt:
        return None
    finally:
        sys.settrace(None)
        signal.signal(signal.SIGINT, before)


def _expect_whole(result: Result | None, journal: Path, what: str) -> None:
    if result is None:
        scored = journal.exists() and len([x for x in read_lines(journal)[0] if "keys" in x]) > 1
        # One batch may be the empty subset alone, which keeps no constraint.
        expect(not scored, f"{what}: scores were made, but no result")
        return
    path = journal.with_suffix(".json")
    result.save(path)
    expect(Result.load(path).features == result.features, f"{what}: another result from disk")
    expect(result.partial or result.stop_kind != "interrupt", f"{what}: cut, but not partial")


def clock_jumps(rng: np.random.Generator, folder: Path) -> None:
    """The clock of the wall jumps about, as do the others forwards: the answer stays the same."""
    what, selector = random_selector(rng)
    expected = whole(what, selector)
    selector.set_params(journal=folder / "run.jsonl")
    before = {name: getattr(time, name) for name in ("time", "monotonic", "perf_counter")}
    ahead = dict.fromkeys(before, 0.0)

    def jumping(name: str) -> float:
        if rng.random() < 0.1:
            far = float(rng.exponential(1e6))
            ahead[name] = rng.choice([-far, far]) if name == "time" else ahead[name] + far
        return float(before[name]() + ahead[name])

    try:
        for name in before:
            setattr(time, name, partial(jumping, name))
        found = answer(selector), answer(selector)
    finally:
        for name, own in before.items():
            setattr(time, name, own)
    expect(found == (expected, expected), f"{what} depends on the clock")


def long_run(rng: np.random.Generator, folder: Path) -> None:
    """Many evaluations in one run: what is kept of them stays small."""
    del folder
    X = rng.integers(0, 2, (60, 40)).astype(float)
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    draws = 1_000_000 if rng.random() < 0.1 else 100_000
    search: Any = fewest.search.RandomSearch(draws=draws)
    selector = fewest.SubsetSelector(
        "naive-bayes", search=search, cv=2, random_state=0, audit=False
    )
    before = psutil.Process().memory_info().rss
    result = selector.fit(X, y).result_
    grown = (psutil.Process().memory_info().rss - before) / 1e6
    expect(result.evaluations > 0.9 * draws, f"{result.evaluations} evaluations")
    expect(grown < 300 + draws / 1000, f"{grown:.0f} MB after {result.evaluations} evaluations")


def _interrupting(number: int) -> Callable[..., Any]:
    """A trace function that sends the signal at this line of fewest."""
    package, count = os.path.dirname(fewest.__file__), [0]

    def trace(frame: Any, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(package):
            return None
        if event == "line":
            count[0] += 1
            if count[0] == number:
                sys.settrace(None)
                signal.raise_signal(signal.SIGINT)
        return trace

    return trace


def damaged(rng: np.random.Generator, folder: Path) -> int:
    """Bits flipped, bytes changed, lines exchanged or left out: found, or harmless."""
    what, selector = random_selector(rng)
    expected = whole(what, selector)
    journal = folder / "run.jsonl"
    selector.set_params(journal=journal)
    answer(selector)
    raw, own = journal.read_bytes(), read_lines(journal)[0]
    for _ in range(20):
        bad = damage(raw, rng)
        _expect_found_or_harmless(journal, bad, own, bad == raw)
    with suppress(InputError):
        expect(answer(selector) == expected, f"{what} ended with another result")
        return 20
    with suppress(InputError):
        kept = salvage(journal)[0]
        expect(answer(selector.set_params(journal=kept)) == expected, f"{what}, salvaged")
    return 20


def _expect_found_or_harmless(journal: Path, bad: bytes, own: list[Any], same: bool) -> None:
    journal.write_bytes(bad)
    try:
        found = read_lines(journal)[0]
    except InputError as error:
        expect(not same, f"an intact journal was refused: {error}")
        return
    if found != own[: len(found)]:
        raise FailedError("damage was read as if it were right")


def damage(raw: bytes, rng: np.random.Generator) -> bytes:
    """The journal with one kind of damage."""
    kind = rng.integers(6)
    if kind < 2:
        bad = bytearray(raw)
        for _ in range(1 + int(rng.integers(3))):
            bad[int(rng.integers(len(bad)))] ^= 1 << int(rng.integers(8))
        return bytes(bad)
    if kind == 2:
        at, n = int(rng.integers(len(raw))), int(rng.integers(1, 200))
        return raw[:at] + rng.bytes(n) + raw[at + n :]
    if kind == 3:
        return raw[: int(rng.integers(len(raw) + 1))]
    parts = raw.splitlines(keepends=True)
    i, j = rng.integers(1, len(parts), 2) if len(parts) > 1 else (0, 0)
    if kind == 4:
        parts[i], parts[j] = parts[j], parts[i]
    else:
        parts.insert(int(i), parts.pop(int(j))) if rng.random() < 0.5 else parts.pop(int(i))
    return b"".join(parts)
