"""A damaged journal is refused, or what is left of it leads to the same result."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fewest._errors import InputError
from fewest._run.journal import read_lines
from tests.campaign.runs import expect_no_internal_error, random_run, within
from tests.campaign.trial import expect
from tests.cli.calls import without_times


def damaged(rng: np.random.Generator, folder: Path) -> None:
    """A few bits flipped, bytes changed, lines exchanged, doubled or left out."""
    arguments = _in_process(random_run(rng))
    journal, part = folder / "run.jsonl", folder / "part.json"
    done = within(*arguments, "--journal", journal, "--json", part)
    expect(done.exit_code == 0, f"{arguments}: {done.exception}")
    whole, lines = without_times(part), read_lines(journal)[0]
    raw = journal.read_bytes()
    for _ in range(20):
        bad = _damage(raw, rng)
        journal.write_bytes(bad)
        _expect_found_or_harmless(journal, lines, bad == raw)
    done = within("resume", journal, "--json", part)
    expect_no_internal_error(done, "resume")
    if done.exit_code == 0:
        expect(without_times(part) == whole, f"{arguments} ended with another result")
        return
    done = within("resume", journal, "--salvage", "--json", part)
    expect_no_internal_error(done, "resume --salvage")
    if done.exit_code == 0:
        expect(without_times(part) == whole, f"{arguments}, salvaged, ended with another result")


def _in_process(arguments: list[str]) -> list[str]:
    return [*arguments[: arguments.index("--jobs")], "--jobs", "1", "--no-validate"]


def _expect_found_or_harmless(journal: Path, lines: list[object], same: bool) -> None:
    try:
        found = read_lines(journal)[0]
    except InputError as error:
        expect(not same, f"an intact journal was refused: {error}")
        return
    expect(found == lines[: len(found)], "damage was read as if it were right")


def _damage(raw: bytes, rng: np.random.Generator) -> bytes:
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
    lines = raw.splitlines(keepends=True)
    i, j = rng.integers(1, len(lines), 2) if len(lines) > 1 else (0, 0)
    if kind == 4:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines.insert(int(i), lines.pop(int(j))) if rng.random() < 0.5 else lines.pop(int(i))
    return b"".join(lines)


def whole_again(rng: np.random.Generator, folder: Path) -> None:
    """A journal cut at any byte after its first line leads to the same result."""
    arguments = _in_process(random_run(rng))
    journal, part = folder / "run.jsonl", folder / "part.json"
    done = within(*arguments, "--journal", journal, "--json", part)
    expect(done.exit_code == 0, f"{arguments}: {done.exception}")
    whole, raw = without_times(part), journal.read_bytes()
    first = raw.index(b"\n") + 1
    for _ in range(3):
        journal.write_bytes(raw[: int(rng.integers(first, len(raw) + 1))])
        done = within("resume", journal, "--json", part)
        expect(done.exit_code == 0, f"{arguments}: {done.exception}")
        expect(without_times(part) == whole, f"{arguments}, cut, ended with another result")
        expect(journal.read_bytes() == raw, f"{arguments}, cut, wrote another journal")
