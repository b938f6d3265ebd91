"""``python -m tests.campaign --seconds N``: faults until the time is over, then the table."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.campaign import faults, hostile, options, processes
from tests.campaign.crowd import crowd
from tests.campaign.trial import Tally, Trial, attempt, table

#: The kinds of trials, with their shares of the time.
KINDS: dict[str, tuple[Trial, float]] = {
    "crash inside": (faults.crashed, 1),
    "interrupt inside": (faults.interrupted_inside, 2),
    "full disk inside": (faults.full_disk, 1),
    "damaged journal": (faults.damaged, 1),
    "clock that jumps": (faults.clock_jumps, 1),
    "long run": (faults.long_run, 0.5),
    "hostile file": (hostile.hostile_file, 1),
    "hostile table": (hostile.hostile_table, 2),
    "hostile network": (hostile.hostile_network, 2),
    "odd table": (hostile.odd_table, 1),
    "odd options": (options.odd_options, 1),
    "odd command": (options.odd_command, 1),
    "500 requests at once": (crowd, 0.5),
    "kill": (processes.killed, 9),
    "kill with workers": (processes.killed_with_workers, 1.5),
    "interrupt": (processes.interrupted, 3),
    "interrupt other commands": (processes.other_commands, 1),
    "full disk": (processes.full_disk_outside, 1),
    "odd environment": (processes.odd_environment, 0.5),
    "two compile at once": (processes.busy_cache, 0.5),
}
#: Those that start processes of their own, which takes seconds each.
REAL = tuple(kind for kind, (trial, _) in KINDS.items() if trial.__module__ == processes.__name__)
#: Where the scripts of failures go.
SCRIPTS = Path("campaign-failures")


def main(arguments: list[str] | None = None) -> int:
    """Give every kind its share of the time; 1 if any trial failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=KINDS, action="append", help="kinds of trials")
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    parser.add_argument("--trials", type=int, default=10**9, help="at most so many of each kind")
    parser.add_argument("--scripts", type=Path, default=SCRIPTS, help="folder for failures")
    given = parser.parse_args(arguments)
    tallies = {kind: Tally() for kind in given.only or KINDS}
    end = time.monotonic() + given.seconds
    with suppress(KeyboardInterrupt):  # Ctrl-C ends the campaign with the table so far
        while time.monotonic() < end:
            left = [kind for kind, tally in tallies.items() if tally.tried < given.trials]
            if not left:
                break
            # The kind that had the least time is next, so a slow one cannot crowd out the others.
            kind = min(left, key=lambda name: tallies[name].seconds / KINDS[name][1])
            _one(kind, given.seed, given.first + tallies[kind].tried, tallies[kind], given.scripts)
    print(table(tallies), flush=True)
    return int(any(tally.failures for tally in tallies.values()))


def _one(kind: str, seed: int, number: int, tally: Tally, scripts: Path) -> None:
    before = len(tally.failures)
    attempt(kind, KINDS[kind][0], seed, number, tally, scripts)
    for failure in tally.failures[before:]:
        print(failure, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
