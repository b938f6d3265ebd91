"""Rules of runs that look for a network."""

from __future__ import annotations

import pytest

from fewest.errors import InputError
from fewest.fitting.network_runs import stop_rules
from fewest.run.stop import Generations, NoImprovement, Seconds


def test_auto_waits_for_generations_without_progress():
    assert stop_rules("auto", True) == (NoImprovement(20), Generations(500))
    assert stop_rules("auto", False) == ()


def test_other_rules_stand_beside_auto():
    assert stop_rules([Seconds(5), "auto"], True) == (
        Seconds(5),
        NoImprovement(20),
        Generations(500),
    )


def test_what_is_no_rule():
    with pytest.raises(InputError, match="`stop`"):
        stop_rules("soon", True)
