"""Verdicts: from the standard deviations, by hand."""

import pytest

from papers.difference import claim_verdict, verdict


@pytest.mark.parametrize(
    ("kind", "method", "paper", "here", "std", "expected"),
    [
        ("accuracy", "NB", (80.0, 3.0), 75.1, 4.0, "same"),
        ("accuracy", "NB", (80.0, 3.0), 74.9, 4.0, "near"),
        ("accuracy", "NB", (80.0, 3.0), 69.9, 4.0, "lower"),
        ("accuracy", "NB", (80.0, 3.0), 90.1, 4.0, "higher"),
        ("accuracy", "NB", (80.0, 0.0), 80.4, 0.0, "same"),
        ("exact", "M", (8.0, None), 8.0, None, "same"),
        ("exact", "M", (8.0, None), 7.0, None, "lower"),
        ("accuracy", "p-value", (0.01, None), 0.04, None, "same"),
        ("accuracy", "p-value", (0.01, None), 0.06, None, "higher"),
        ("accuracy", "p-value", (0.9, None), 0.2, None, "same"),
        ("accuracy", "NB", None, 80.0, 1.0, ""),
        ("accuracy", "NB", (80.0, 1.0), float("nan"), None, ""),
    ],
)
def test_verdicts(kind, method, paper, here, std, expected):
    assert verdict(kind, method, paper, here, std) == expected


@pytest.mark.parametrize(
    ("claim", "here", "expected"),
    [
        ((2, None), 2.1, "same"),
        ((2, None), 2.0, "lower"),
        ((None, 1), 1.0, "same"),
        ((None, 1), 1.1, "higher"),
        ((1, 2), 0.5, "lower"),
    ],
)
def test_claims_of_a_text(claim, here, expected):
    assert claim_verdict(claim, here) == expected
