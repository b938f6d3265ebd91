"""Figures of results, to show, save or put into a paper: the charts of the page, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._errors import InputError
from . import charts, honest, summary
from .chart import Chart

VALIDATED = "the result has no validation; see result.with_validation"


def draw(found: Any, kind: str, *, interactive: bool = False) -> Any:
    """Return a figure by matplotlib, or by plotly if it is to be interactive.

    Parameters
    ----------
    found : Result, Validation or Comparison
    kind : str
        ``"main"`` or one of ``KINDS``.

    Examples
    --------
    >>> from fewest.testing._results import toy_result
    >>> draw(toy_result(), "main").axes[0].get_title(loc="left")
    'What to expect on new data'
    """
    if kind not in KINDS:
        raise InputError(f"`kind` must be one of {', '.join(KINDS)}, but is {kind!r}.")
    chart = KINDS[kind](found)
    if interactive:
        from .draw_plotly import draw as drawn
    else:
        from .draw_matplotlib import draw as drawn
    return drawn(chart)


def _main(found: Any) -> Chart:
    """Return the honest curve, else what to expect on new rows, else the scored subsets by size."""
    if getattr(found, "curve", None) is not None:
        return charts.curve(_there(honest.curve(found), 'only the search "path" has a curve'))
    return _score_against_size(found) if _honest(found) is None else _worth(found)


def _score_by_generation(found: Any) -> Chart:
    return charts.generations(_there(summary.generations(found.history), "nothing was scored"))


def _selection_against_honest(found: Any) -> Chart:
    """Return what the search believed of its best subset, and what that was worth.

    Notes
    -----
    The picture of Inza et al. (2000, fig. 7), the mean over the external folds.
    """
    why = VALIDATED if _honest(found) is None else "the searches had one generation only"
    return charts.by_generation(_there(honest.by_generation(_honest(found)), why))


def _worth(found: Any) -> Chart:
    part = honest.worth(found) if hasattr(found, "honest") else honest.worth_of(found)
    return charts.worth(_there(part, VALIDATED))


def _feature_frequency(found: Any) -> Chart:
    why = "it takes at least two generations and at most 400 features"
    return charts.frequency(_there(summary.frequency(found), why))


def _score_against_size(found: Any) -> Chart:
    return charts.sizes(_there(summary.sizes(found), "no subset was scored"))


def _stability(found: Any) -> Chart:
    part = honest.stability(_honest(found), getattr(found, "features", ()))
    return charts.stability(_there(part, VALIDATED))


def _comparison(found: Any) -> Chart:
    from .method_comparison import methods_chart, summarize_comparison

    return methods_chart(summarize_comparison(found))


KINDS: dict[str, Callable[[Any], Chart]] = {
    "main": _main,
    "score-by-generation": _score_by_generation,
    "selection-against-honest": _selection_against_honest,
    "worth": _worth,
    "feature-frequency": _feature_frequency,
    "score-against-size": _score_against_size,
    "stability": _stability,
    "time-spent": lambda found: charts.time_spent(summary.time_spent(found)),
    "comparison": _comparison,
}


def _honest(found: Any) -> Any:
    """Return the plain validation of a result, or of a validation itself."""
    return found.honest if hasattr(found, "honest") else found.to_dict()


def _there(part: dict[str, Any] | None, why: str) -> dict[str, Any]:
    if part is None:
        raise InputError(f"This figure cannot be drawn: {why}.")
    return part
