"""``python -m tests.mutants``: draw changes by seed, run the nearest tests, print what they miss.

First the tests run once and it is recorded which functions each of them calls (kept beside the
compiled files, ``--record`` names another file). Then each change is made in a process of its own,
when its module is imported, so that no file is ever written; the cheapest tests that call the
changed function run until one fails. A change that no test notices is printed: it is a missing
test, or a change that makes no difference.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import json
import multiprocessing
import multiprocessing.pool
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mutants.callers import PACKAGE, RECORD
from tests.mutants.changes import Change, changes

ROOT = Path(PACKAGE).parent
#: What may be changed, and the tests that are recorded.
ROOMS = ("measures", "search", "_validation")
TESTS = ("measures", "search", "validation", "fitting", "test_select.py")
#: At most this many tests, and this many seconds of CPU as recorded, for one change.
MOST_TESTS, MOST_SECONDS = 40, 60.0
#: A change that loops is noticed after this many seconds.
LONGEST_SECONDS = 300.0


@dataclass(frozen=True)
class Mutant:
    """A change of a module, and the tests that call what it changes, the cheapest first."""

    path: str
    change: Change
    tests: tuple[str, ...]

    def __str__(self) -> str:
        """Return where the change is and what it does."""
        change = self.change
        return f"fewest/{self.path}:{change.line}  {change.before}  ->  {change.after}"


class _Changed(importlib.abc.MetaPathFinder):
    """Compile one module of the package from a changed text."""

    def __init__(self, path: str, text: str):
        self.module = ".".join(("fewest", *Path(path).with_suffix("").parts))
        self.module = self.module.removesuffix(".__init__")
        self.text = text

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """Find the module as always, but read the changed text."""
        if fullname != self.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert spec is not None
        assert isinstance(spec.loader, importlib.machinery.SourceFileLoader)
        text, place = self.text, spec.loader.path
        spec.loader.get_code = lambda name: compile(text, place, "exec")  # type: ignore
        return spec


def main(arguments: list[str] | None = None) -> int:
    """Record, draw, change and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--changes", type=int, default=300, help="how many changes are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--record", type=Path, help="file of recorded calls, made where missing")
    given = parser.parse_args(arguments)
    record = given.record or Path(tempfile.mkdtemp()) / "calls.json"
    if not record.exists():
        print("Recording which functions each test calls.", flush=True)
        record_calls(record)
    drawn = draw(json.loads(record.read_text(encoding="utf-8")), given.changes, given.seed)
    _import_libraries()
    caught: Counter[str] = Counter()
    with multiprocessing.pool.ThreadPool(given.jobs) as pool:
        for mutant, noticed in pool.imap(lambda m: (m, is_noticed(m)), drawn):
            room = mutant.path.split("/")[0]
            caught[room, noticed] += 1
            if not noticed:
                print(f"{mutant}" + ("" if mutant.tests else "  (no test calls it)"), flush=True)
    for room in ROOMS:
        good, bad = caught[room, True], caught[room, False]
        print(f"{room:12} {good} of {good + bad} noticed ({good / max(good + bad, 1):.0%})")
    good = sum(count for (_, noticed), count in caught.items() if noticed)
    print(f"all          {good} of {len(drawn)} noticed ({good / len(drawn):.0%})")
    return 0


def record_calls(record: Path) -> None:
    """Run the tests once under the plugin that records calls."""
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants.callers",
         *(f"tests/{name}" for name in TESTS)],
        cwd=ROOT, env={**os.environ, RECORD: str(record)}, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def draw(record: dict[str, dict[str, Any]], count: int, seed: int) -> list[Mutant]:
    """Draw changes, each function with the same chance whatever its length."""
    nearest: dict[tuple[str, int], list[tuple[float, str]]] = defaultdict(list)
    for name, test in record.items():
        for path, lines in test["calls"].items():
            for line in lines:
                nearest[path, line].append((test["seconds"], name))
    functions: dict[tuple[str, int], list[Change]] = defaultdict(list)
    for room in ROOMS:
        for file in sorted((ROOT / "fewest" / room).rglob("*.py")):
            path = str(file.relative_to(PACKAGE))
            for change in changes(file.read_text(encoding="utf-8")):
                functions[path, change.function].append(change)
    chance = random.Random(seed)
    keys = chance.sample(sorted(functions), min(count, len(functions)))
    return [
        Mutant(key[0], chance.choice(functions[key]), tuple(_cheapest(nearest[key])))
        for key in keys
    ]


def _cheapest(tests: list[tuple[float, str]]) -> list[str]:
    """Return the first cases of all test functions before the second of any, the cheapest first."""
    seen: Counter[str] = Counter()
    ranked, chosen, spent = [], [], 0.0
    for seconds, name in sorted(tests):
        function = name.split("[")[0]
        ranked.append((seen[function], seconds, name))
        seen[function] += 1
    for _, seconds, name in sorted(ranked)[:MOST_TESTS]:
        spent += seconds
        if chosen and spent > MOST_SECONDS:
            break
        chosen.append(name)
    return chosen


def _import_libraries() -> None:
    """Import what every test needs, so that the processes of the changes share it."""
    import numba  # noqa: F401
    import pandas  # noqa: F401
    import pytest  # noqa: F401
    import scipy.stats  # noqa: F401
    import sklearn.ensemble
    import sklearn.linear_model
    import sklearn.model_selection  # noqa: F401


def is_noticed(mutant: Mutant) -> bool:
    """Return whether a test fails, or never ends, with the change."""
    if not mutant.tests:
        return False
    process = multiprocessing.get_context("fork").Process(target=_run_tests, args=(mutant,))
    process.start()
    process.join(LONGEST_SECONDS)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode != 0


def _run_tests(mutant: Mutant) -> None:
    import pytest

    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    text = (Path(PACKAGE) / mutant.path).read_text(encoding="utf-8")
    sys.meta_path.insert(0, _Changed(mutant.path, mutant.change.apply(text)))
    os._exit(int(pytest.main(["-x", "-q", *mutant.tests])))


if __name__ == "__main__":
    sys.exit(main())
