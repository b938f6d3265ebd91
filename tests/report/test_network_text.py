"""A learned network on the terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fewest._report.network_report import certainty
from fewest.testing._results import toy_result


@pytest.mark.parametrize(
    ("optimal", "gap", "words"),
    [
        (True, 0.0, "proven: no network scores more."),
        (False, 0.25, "not proven: another network could score 0.2500 more at most."),
        (False, None, "not proven: the search gives no bound."),
    ],
)
def test_what_is_proven_is_said(optimal, gap, words):
    result = toy_result()
    result = replace(result, optimal=optimal, gap=gap)
    assert certainty(result) == words
