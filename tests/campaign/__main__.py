"""``python -m tests.campaign --seconds N``: faults until the time is over, then the table."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.campaign.crowd import crowd
from tests.campaign.faults import (
    clock_jumps,
    crashed,
    damaged,
    full_disk,
    interrupted_inside,
)
from tests.campaign.hostile import hostile_file, hostile_network, hostile_table, odd_table
from tests.campaign.options import odd_command, odd_options
from tests.campaign.processes import (
    busy_cache,
    full_disk_outside,
    interrupted,
    killed,
    long_run,
    odd_environment,
    other_commands,
)
from tests.campaign.trial import Tally, Trial, attempt, table

TRIALS: dict[str, Trial] = {
    "crash inside": crashed,
    "interrupt inside": interrupted_inside,
    "full disk inside": full_disk,
    "damaged journal": damaged,
    "clock that jumps": clock_jumps,
    "kill": killed,
    "interrupt": interrupted,
    "interrupt other commands": other_commands,
    "full disk": full_disk_outside,
    "odd environment": odd_environment,
    "two compile at once": busy_cache,
    "long run": long_run,
    "hostile file": hostile_file,
    "hostile table": hostile_table,
    "hostile network": hostile_network,
    "odd table": odd_table,
    "odd options": odd_options,
    "odd command": odd_command,
    "500 requests at once": crowd,
}
#: The kinds that start processes of their own, which takes seconds each.
REAL = (
    "kill", "interrupt", "interrupt other commands", "full disk",
    "odd environment", "two compile at once",
)  # fmt: skip
#: Kinds that get a larger share of the time than the others.
SHARES = {
    "kill": 3, "interrupt": 3, "interrupt inside": 2, "hostile table": 2, "hostile network": 2,
}  # fmt: skip
#: Where the scripts of failures go.
SCRIPTS = Path("campaign-failures")


def main(arguments: list[str] | None = None) -> int:
    """Give every kind its share of the time; 1 if any trial failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign")
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=TRIALS, action="append", help="kinds of trials")
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    parser.add_argument("--trials", type=int, default=10**9, help="at most so many of each kind")
    parser.add_argument("--scripts", type=Path, default=SCRIPTS, help="folder for failures")
    given = parser.parse_args(arguments)
    tallies = {kind: Tally() for kind in given.only or TRIALS}
    end = time.monotonic() + given.seconds
    with suppress(KeyboardInterrupt):  # Ctrl-C ends the campaign with the table so far
        while time.monotonic() < end:
            left = [kind for kind, tally in tallies.items() if tally.tried < given.trials]
            if not left:
                break
            # The kind that had the least time is next, so a slow one cannot crowd out the others.
            kind = min(left, key=lambda name: tallies[name].seconds / SHARES.get(name, 1))
            _one(kind, given.seed, given.first + tallies[kind].tried, tallies[kind], given.scripts)
    print(table(tallies), flush=True)
    return int(any(tally.failures for tally in tallies.values()))


def _one(kind: str, seed: int, number: int, tally: Tally, scripts: Path) -> None:
    before = len(tally.failures)
    attempt(kind, TRIALS[kind], seed, number, tally, scripts)
    for failure in tally.failures[before:]:
        print(failure, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
