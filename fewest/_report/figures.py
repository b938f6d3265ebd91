"""Figures of results, to show, save or put into a paper.

Every function returns the figure: by matplotlib, or by plotly with ``interactive=True``. The
numbers are those of the page, from the same summary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from . import charts, honest, summary
from .chart import Chart

if TYPE_CHECKING:
    from .._run.result import Result
    from .._validation.comparison import Comparison
    from .._validation.validation import Validation


VALIDATED = "the result has no validation; see result.with_validation"


def draw(found: Any, kind: str, *, interactive: bool = False) -> Any:
    """Return the figure of that kind, such as ``"score-against-size"`` or ``"main"``."""
    kinds = {"main": plot, **{f.__name__.replace("_", "-"): f for f in KINDS}}
    if kind not in kinds:
        raise InputError(f"`kind` must be one of {', '.join(kinds)}, but is {kind!r}.")
    return kinds[kind](found, interactive=interactive)


def score_by_generation(result: Result, *, interactive: bool = False) -> Any:
    """Best, mean and spread of the selection score by generation.

    Examples
    --------
    >>> from fewest.testing._results import toy_result
    >>> score_by_generation(toy_result()).axes[0].get_xlabel()
    'generation'
    """
    part = summary.generations(result.history)
    return _draw(charts.generations(_there(part, "no generation was scored")), interactive)


def selection_against_honest(found: Result | Validation, *, interactive: bool = False) -> Any:
    """Return what the search believed of its best subset, and what that was worth, by generation.

    Notes
    -----
    The picture of Inza et al. (2000, fig. 7), the mean over the external folds.
    """
    part = honest.by_generation(_honest(found))
    why = VALIDATED if _honest(found) is None else "the searches had one generation only"
    return _draw(charts.by_generation(_there(part, why)), interactive)


def plot(found: Result | Validation, *, interactive: bool = False) -> Any:
    """Draw the main figure: the honest curve of score against size, where the search has one.

    Else it is what to expect on new rows, and without a validation the scored subsets by size.

    Examples
    --------
    >>> from fewest._report import figures
    >>> from fewest.testing._results import toy_result
    >>> figures.plot(toy_result()).axes[0].get_title(loc="left")
    'What to expect on new data'
    """
    if getattr(found, "curve", None) is not None:
        return curve(found, interactive=interactive)  # type: ignore[arg-type]
    if _honest(found) is None:
        return score_against_size(found, interactive=interactive)  # type: ignore[arg-type]
    return worth(found, interactive=interactive)


def curve(result: Result, *, interactive: bool = False) -> Any:
    """Draw the honest score against the number of features, with 95 % intervals."""
    part = honest.curve(result)
    why = 'only the search "path" has a curve'
    return _draw(charts.curve(_there(part, why)), interactive)


def worth(found: Result | Validation, *, interactive: bool = False) -> Any:
    """Selection score, honest score and all features, with folds and 95 % intervals."""
    alone = not hasattr(found, "honest")
    part = honest.worth_of(found) if alone else honest.worth(found)  # type: ignore[arg-type]
    return _draw(charts.worth(_there(part, VALIDATED)), interactive)


def feature_frequency(result: Result, *, interactive: bool = False) -> Any:
    """Return how often each feature is in the candidates, by generation, as a heat map."""
    part = summary.frequency(result)
    why = "it takes at least two generations and at most 400 features"
    return _draw(charts.frequency(_there(part, why)), interactive)


def score_against_size(result: Result, *, interactive: bool = False) -> Any:
    """Return the scored subsets by size, their front, the choice and its ties."""
    part = summary.sizes(result)
    return _draw(charts.sizes(_there(part, "no subset was scored")), interactive)


def stability(found: Result | Validation, *, interactive: bool = False) -> Any:
    """In how many external folds each feature was selected."""
    features = getattr(found, "features", ())
    part = honest.stability(_honest(found), features)
    return _draw(charts.stability(_there(part, VALIDATED)), interactive)


def time_spent(result: Result, *, interactive: bool = False) -> Any:
    """Seconds in scoring, in the search and its models, and elsewhere."""
    return _draw(charts.time_spent(summary.time_spent(result)), interactive)


def comparison(compared: Comparison, *, interactive: bool = False) -> Any:
    """Methods on new data with 95 % intervals and marks of the test against all features."""
    from .method_comparison import methods_chart, summarize_comparison

    return _draw(methods_chart(summarize_comparison(compared)), interactive)


def network(
    names: Sequence[str],
    arcs: Sequence[Sequence[int]],
    *,
    chosen: Sequence[str] = (),
    title: str = "The learned network",
    interactive: bool = False,
) -> Any:
    """Return a Bayesian network, a TAN or a tree as a graph in layers.

    Parameters
    ----------
    names : the nodes
    arcs : pairs of positions in ``names``, parent first
    chosen : names that are marked

    Examples
    --------
    >>> figure = network(["class", "a", "b"], [(0, 1), (0, 2), (1, 2)])
    >>> len(figure.axes[0].texts)
    6
    """
    from .network_report import network_chart as chart

    return _draw(chart(names, arcs, chosen, title), interactive)


KINDS: tuple[Callable[..., Any], ...] = (
    score_by_generation,
    selection_against_honest,
    worth,
    feature_frequency,
    score_against_size,
    stability,
    time_spent,
    comparison,
)


def _honest(found: Any) -> Any:
    """Return the plain validation of a result, or of a validation itself."""
    return found.honest if hasattr(found, "honest") else found.to_dict()


def _there(part: dict[str, Any] | None, why: str) -> dict[str, Any]:
    if part is None:
        raise InputError(f"This figure cannot be drawn: {why}.")
    return part


def _draw(chart: Chart, interactive: bool) -> Any:
    if interactive:
        from .draw_plotly import draw
    else:
        from .draw_matplotlib import draw
    return draw(chart)
