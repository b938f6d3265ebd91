"""``python -m tests.campaign --minutes N``: faults until the time is over, then the table."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress

from tests.campaign.crowd import crowd
from tests.campaign.damage import damaged, whole_again
from tests.campaign.disk import full_disk
from tests.campaign.fuzz import fuzzed_options, fuzzed_table
from tests.campaign.hostile import hostile_file, hostile_network, hostile_table
from tests.campaign.interrupts import interrupted
from tests.campaign.kills import killed, killed_twice
from tests.campaign.trial import Tally, Trial, attempt, table

TRIALS: dict[str, Trial] = {
    "killed": killed,
    "killed twice": killed_twice,
    "damaged journal": damaged,
    "journal cut": whole_again,
    "hostile file": hostile_file,
    "hostile table": hostile_table,
    "hostile network": hostile_network,
    "fuzzed options": fuzzed_options,
    "fuzzed table": fuzzed_table,
    "interrupted": interrupted,
    "full disk": full_disk,
    "500 requests at once": crowd,
}


def main(arguments: list[str] | None = None) -> int:
    """Run trials of every kind in turn; 1 if any failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=TRIALS, help="one kind of trial")
    parser.add_argument("--first", type=int, default=0, help="the number of the first trial")
    parser.add_argument("--trials", type=int, default=10**9, help="at most so many of each kind")
    given = parser.parse_args(arguments)
    kinds = [given.only] if given.only else list(TRIALS)
    tallies = {kind: Tally() for kind in kinds}
    end, number = time.monotonic() + 60 * given.minutes, given.first
    with suppress(KeyboardInterrupt):  # Ctrl-C ends the campaign with the table so far
        while time.monotonic() < end and number < given.first + given.trials:
            for kind in kinds:
                if time.monotonic() < end:
                    _one(kind, given.seed, number, tallies[kind])
            number += 1
    print(table(tallies), flush=True)
    return int(any(tally.failures for tally in tallies.values()))


def _one(kind: str, seed: int, number: int, tally: Tally) -> None:
    before = len(tally.failures)
    attempt(kind, TRIALS[kind], seed, number, tally)
    for failure in tally.failures[before:]:
        print(failure, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
