"""A result at a glance: a short text, and its subsets as a data frame."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..data.loaders.frames import frame_of

if TYPE_CHECKING:
    from .result import Result

#: The text names no more features than this.
MOST_NAMED = 30


def summary_text(result: Result) -> str:
    """The answer, its scores, and how it was found, in a few lines.

    Examples
    --------
    >>> from fewest.testing.results import toy_result
    >>> print(summary_text(toy_result()).splitlines()[0])
    Chosen: 2 of 6 features
    """
    more = result.n_features - MOST_NAMED
    named = ", ".join(result.features[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    lines = [
        f"Chosen: {result.n_features} of {result.n_features_in} features",
        textwrap.fill(named, 96, initial_indent="  ", subsequent_indent="  "),
        *_scores(result),
        f"Stopped: {result.stopped}" + (" (partial)" if result.partial else ""),
        f"Search: {result.search} over {result.measure}, seed {result.seed}: "
        f"{result.evaluations:,} subsets, {result.seconds:.2f} s",
    ]
    return "\n".join(lines)


def _scores(result: Result) -> list[str]:
    """The selection score, then what corrects it, then the scores on new rows."""
    if result.curve is not None and result.honest is not None:
        return _honest_first(result.honest)
    spread = "" if result.score_std is None else f" ± {result.score_std:.4f} over the folds"
    guided = "" if result.folds is None else " (it guided the search and is optimistic)"
    lines = [f"Selection score: {result.score:.4f}{spread}{guided}"]
    if result.corrected_score is not None:
        lines.append(f"Replayed score: {result.corrected_score:.4f}")
    if result.honest is not None:
        honest = result.honest
        lines.append(
            f"On new data: {honest['metric']} {honest['accuracy']:.4f}, with all features "
            f"{honest['baseline']:.4f}"
        )
    return lines


def _honest_first(honest: dict[str, Any]) -> list[str]:
    """The honest score of the whole procedure beside that of all features, and the difference."""
    low, high = honest["interval"]
    gap = honest["difference"]
    return [
        f"Honest {honest['metric']}: {honest['accuracy']:.4f} (95 % interval {low:.4f} to "
        f"{high:.4f}), with all features {honest['baseline']:.4f}",
        f"Difference: {gap['mean']:+.4f} (95 % interval {gap['low']:+.4f} to {gap['high']:+.4f})",
    ]


def archive_frame(
    names: Sequence[str], archive: Sequence[dict[str, Any]], backend: str | None = None
) -> Any:
    """The subsets of an archive as a frame of pandas or polars, features by name."""
    rows = [
        {**{k: v for k, v in entry.items() if k != "goals"}, **entry.get("goals", {}),
         "features": [names[j] for j in entry["features"]]}
        for entry in archive
    ]  # fmt: skip
    keys = list(dict.fromkeys(key for row in rows for key in row))
    return frame_of({key: [row.get(key) for row in rows] for key in keys}, backend)
