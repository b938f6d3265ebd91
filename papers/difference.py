"""Agreement of a figure found here with the published one."""

from __future__ import annotations

import math

from .paper import Figure

#: Differences up to these are none, whatever the standard deviations: published figures are
#: rounded, and splits are drawn at random.
NEGLIGIBLE_DIFFERENCE = {
    "accuracy": 0.5,
    "error": 0.5,
    "size": 0.5,
    "generations": 0.5,
    "percent": 2.0,
    "bits": 0.02,
    "nodes": 0.5,
    "exact": 0.0,
    "count": 0.0,
    "ratio": 0.0,
    "seconds": 0.0,
    "draws": 0.0,
    "budget": 0.0,
    "fitness": 1.0,
    "curve": 0.0,
    "wins": 2.0,
    "rank": 0.5,
    "networks": 0.5,
    "network": 0.0,
}
#: How a verdict is shown.
SIGNS = {"same": "=", "near": "≈", "higher": "▲", "lower": "▼", "": ""}
TEST_LEVEL = 0.05

AGREEMENT_RULE = (
    "= within one standard deviation of the difference of two runs (√(s² + s²), of paper and "
    "here), or too small to matter; ≈ within two; ▲ ▼ higher or lower by more. p values agree "
    f"where both are below, or both above, {TEST_LEVEL}."
)


def verdict(kind: str, method: str, paper: Figure | None, here: float, std: float | None) -> str:
    """Return ``same``, ``near``, ``higher`` or ``lower``; empty where the paper has no figure.

    Examples
    --------
    >>> verdict("accuracy", "NB", (84.84, 3.12), 83.0, 2.0)
    'same'
    >>> verdict("exact", "M", (8.0, None), 9.0, None)
    'higher'
    """
    if paper is None or math.isnan(here):
        return ""
    mean, spread = paper
    side = "higher" if here > mean else "lower"
    if method == "p-value":
        return "same" if (mean < TEST_LEVEL) == (here < TEST_LEVEL) else side
    width = max(math.hypot(spread or 0.0, std or 0.0), NEGLIGIBLE_DIFFERENCE[kind])
    off = abs(here - mean)
    if off <= width + 1e-9:
        return "same"
    return "near" if off <= 2 * width else side


def claim_verdict(claim: tuple[float | None, float | None], here: float) -> str:
    """Return ``same`` where a figure is as large as the paper's text says, else its side.

    >>> claim_verdict((2, None), 3.1), claim_verdict((None, 1), 3.1)
    ('same', 'higher')
    """
    low, high = claim
    if low is not None and here <= low:
        return "lower"
    return "higher" if high is not None and here > high else "same"
