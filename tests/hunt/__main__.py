"""``python -m tests.hunt --cases N``: cases until N are done, then a table; 1 if any is wrong."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

FAILED = ("wrong", "traceback", "hang")
#: No case may take longer, in seconds; the first one of a model compiles its kernels.
LONGEST = 300.0
#: The table so far is printed after so many cases.
PROGRESS = 500
SCRIPT = """\
# Repeats the case; run it where `python -m tests.hunt` runs.
from {package}.case import draw
from {package}.judge import bind, judge, train

case = draw({name!r}, seed={seed}, number={number})
print(case)
print(case.table.columns(case.masks[0]), case.table.y)
print(bind(case).score(case.masks[:1]).folds)  # with routed weights: see judge
print(train(case, case.masks[0]))
print(judge(case).words)
"""


def main(arguments: list[str] | None = None) -> int:
    """Run cases of every model in turn."""
    parser = argparse.ArgumentParser(prog="python -m tests.hunt")
    parser.add_argument("--cases", type=int, default=1000, help="how many cases, all models")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", help="a model; can be repeated")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds a case may take")
    parser.add_argument("--show", type=int, default=20, help="how many failures are printed")
    given = parser.parse_args(arguments)
    from tests.hunt.models import MODELS

    names = given.only or list(MODELS)
    cases = [(names[i % len(names)], given.seed, given.first + i // len(names))
             for i in range(given.cases)]  # fmt: skip
    tallies: dict[str, Counter[str]] = {name: Counter() for name in names}
    shown = 0
    with suppress(KeyboardInterrupt):  # a signal ends the hunt with the table so far
        for done, (case, outcome, seconds) in enumerate(outcomes(cases, given.longest), 1):
            count(tallies[case[0]], outcome, seconds)
            if done % PROGRESS == 0 and done < len(cases):
                print(f"{done:,} of {len(cases):,} cases\n{table(tallies)}", flush=True)
            if outcome.status in FAILED and shown < given.show:
                shown += 1
                print(failure(case, outcome), flush=True)
    print(table(tallies), flush=True)
    return int(any(tally[status] for tally in tallies.values() for status in FAILED))


def outcomes(cases: list[Any], longest: float) -> Iterator[tuple[Any, Any, float]]:
    """Judge cases in a process of their own, which is ended and replaced if a case hangs."""
    from tests.hunt.judge import Outcome

    left = list(cases)
    while left:
        here, there = multiprocessing.Pipe(duplex=False)
        worker = multiprocessing.get_context("fork").Process(target=_work, args=(there, left))
        worker.start()
        there.close()
        try:
            while left:
                if not here.poll(longest):
                    yield left.pop(0), Outcome("hang", f"no answer in {longest:.0f} s"), longest
                    break
                outcome, seconds = here.recv()
                yield left.pop(0), outcome, seconds
        except EOFError:
            yield left.pop(0), Outcome("traceback", "the process ended"), 0.0
        finally:
            worker.kill()
            worker.join()


def _work(sink: Any, cases: Iterable[Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that prints decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from tests.hunt.case import draw
    from tests.hunt.judge import judge

    for case in cases:
        start = time.process_time()
        outcome = judge(draw(*case))
        sink.send((outcome, time.process_time() - start))


def failure(case: tuple[str, int, int], outcome: Any) -> str:
    """Return what was wrong, and a script that repeats it."""
    from tests.hunt.case import draw

    name, seed, number = case
    script = SCRIPT.format(package=__package__, name=name, seed=seed, number=number)
    return f"--- {outcome.status}: {draw(*case)}\n  {outcome.words}\n{script}"


#: Columns of the table: title, and the counter that it shows.
COLUMNS = {
    "cases": "cases", "fast": "fast", "wrong": "wrong", "tracebacks": "traceback",
    "hangs": "hang", "refused": "refused", "in doubt": "doubt", "folds": "folds",
    "trained": "trained", "rounding": "rounding", "ideal": "ideal", "CPU ms": "milliseconds",
}  # fmt: skip


def count(tally: Counter[str], outcome: Any, seconds: float) -> None:
    """Add a case to the row of its model."""
    tally.update(
        cases=1,
        fast=int(outcome.fast),
        doubt=int(outcome.trained > 0),
        folds=outcome.folds if outcome.fast else 0,
        trained=outcome.trained,
        rounding=outcome.rounding,
        ideal=outcome.ideal,
        milliseconds=round(1000 * seconds),
    )
    tally[outcome.status] += 1


def table(tallies: dict[str, Counter[str]]) -> str:
    """Return one row per model, and their sum."""
    rows = [f"{'model':<30}" + "".join(f"{title:>11}" for title in COLUMNS)]
    whole: Counter[str] = sum(tallies.values(), Counter())
    for name, tally in {**tallies, "all": whole}.items():
        rows.append(f"{name:<30}" + "".join(f"{tally[c]:>11,}" for c in COLUMNS.values()))
    return "\n".join(rows)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    sys.exit(main())
