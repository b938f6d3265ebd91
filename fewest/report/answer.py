"""The answer in plain words: what was kept, what to expect, and what not to believe."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .honest import interval

if TYPE_CHECKING:
    from ..run.result import Result

#: Below this p value a difference is called more than chance.
LEVEL = 0.05


def answer(result: Result) -> dict[str, Any]:
    """Headline, sentences, warnings and the figures to print large.

    Examples
    --------
    >>> from fewest.testing.results import toy_result
    >>> answer(toy_result())["headline"]
    '2 of 6 features are kept'
    """
    kept = "feature is" if result.n_features_in == 1 else "features are"
    count = f"{result.n_features} of {result.n_features_in}"
    return {
        "headline": f"{count} {kept} kept{_worthless_clause(result)}",
        "features": list(result.features),
        "figures": _figures(result),
        "sentences": _sentences(result),
        "warnings": _warnings(result),
    }


def _worthless_clause(result: Result) -> str:
    return ", and do no better than guessing" if _is_worthless(result.honest) else ""


def _is_worthless(honest: dict[str, Any] | None) -> bool:
    """Whether the validation says that the kept features are worth nothing."""
    return honest is not None and "no better than guessing" in str(honest.get("warning"))


def score(value: float | None, metric: str = "") -> str:
    """A score as people read it: accuracy in per cent, anything else with three decimals."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{100 * value:.1f} %" if metric == "accuracy" else f"{value:.4g}"


def _figures(result: Result) -> list[dict[str, str]]:
    """What is printed large: at most four figures with a word each."""
    honest, figures = result.honest, []
    size = f"{result.n_features} of {result.n_features_in}"
    figures.append({"value": size, "label": "features kept", "role": "chosen"})
    if honest is None:
        label = "selection score (optimistic)" if result.folds is not None else result.measure
        figures.append({"value": score(result.score), "label": label, "role": "selection"})
        return figures
    metric = honest["metric"]
    figures.append(
        {
            "value": score(honest["accuracy"], metric),
            "label": f"{metric} on new data",
            "role": "honest",
        }
    )
    figures.append(
        {"value": score(honest["baseline"], metric), "label": "with all features", "role": "all"}
    )
    if honest["selection_score"] is not None:
        figures.append(
            {
                "value": score(honest["selection_score"], metric),
                "label": "selection score (optimistic)",
                "role": "selection",
            }
        )
    return figures


def _sentences(result: Result) -> list[str]:
    lines = [] if result.honest is None else [_expect(result.honest), _against_all(result)]
    if result.honest is not None:
        lines.append(_stability(result.honest["stability"]))
    return [*lines, *_proof(result), *_ties(result)]


def _expect(honest: dict[str, Any]) -> str:
    metric = honest["metric"]
    low, high = interval(honest["scores"], honest["scheme"])
    within = f"(95 % interval {score(low, metric)} to {score(high, metric)})"
    if metric == "accuracy":
        low, high = max(low, 0.0), min(high, 1.0)
        within = f"(95 % interval {100 * low:.1f} to {100 * high:.1f} %)"
        return (
            f"On new data, expect about {score(honest['accuracy'], metric)} of the cases to be "
            f"classified correctly {within}: measured on rows that the selection never saw "
            f"({_scheme(honest['scheme'])})."
        )
    return (
        f"On new data, expect {metric} = {score(honest['accuracy'])} {within}: measured on rows "
        f"that the selection never saw ({_scheme(honest['scheme'])})."
    )


def _scheme(scheme: str) -> str:
    """The external loop in words.

    >>> _scheme("5x2cv"), _scheme("KFold(3)")
    ('5 times 2-fold cross-validation', 'KFold(3)')
    """
    times, _, folds = scheme.removesuffix("cv").partition("x")
    if not (times.isdigit() and folds.isdigit()):
        return scheme
    repeated = "" if times == "1" else f"{times} times "
    return f"{repeated}{folds}-fold cross-validation"


def _against_all(result: Result) -> str:
    honest = result.honest or {}
    metric, p = honest["metric"], honest["p_value"]
    difference = honest["accuracy"] - honest["baseline"]
    test = f"{honest['test']}, p = {p:.3f}"
    guess = honest.get("guessing")
    none = "" if guess is None else f", with none at all (guessing) {score(guess, metric)}"
    every = score(honest["baseline"], metric)
    start = f"With all {result.n_features_in} features it is {every}{none}. "
    if difference == 0:
        return f"{start}There is no difference."
    way = "better" if difference > 0 else "worse"
    if p < LEVEL:
        return f"{start}The kept ones do {way}, and the difference is more than chance ({test})."
    so = "the kept features do as well as far as one can tell, and there are fewer of them."
    if _is_worthless(honest):
        so = "keeping them or not makes no difference that one can tell."
    return f"{start}The difference is no more than chance can do ({test}): {so}"


def _stability(value: float) -> str:
    word = "much the same" if value >= 0.75 else "partly the same" if value >= 0.4 else "different"
    ending = "." if value >= 0.4 else ": other features may serve as well as these."
    return (
        f"On other samples of the rows the selection picked {word} features "
        f"(stability {value:.2f}; 1 is always the same, 0 is chance){ending}"
    )


def _proof(result: Result) -> list[str]:
    if result.optimal:
        return ["It is proven that no subset is better."]
    if result.bound is None:
        return []
    gap = "" if not result.gap else f"; the answer is at most {result.gap:g} above the best"
    return [f"It is proven that no answer is below {result.bound:g}{gap}."]


def _ties(result: Result) -> list[str]:
    if not result.ties:
        return []
    if result.ties == 1:
        return ["One other subset is exactly as good and as small; it is listed below."]
    return [f"{result.ties:,} other subsets are exactly as good and as small, listed below."]


def _warnings(result: Result) -> list[dict[str, str]]:
    found = []
    honest = result.honest
    if honest is not None and honest.get("warning"):
        found.append({"title": "Do not believe the selection score", "text": _illusion(honest)})
    if honest is None and result.folds is not None:
        found.append(
            {
                "title": "No honest accuracy yet",
                "text": f"The selection score {score(result.score)} guided the search, so it is "
                "optimistic, sometimes wildly. Validate the selection (fewest.validate, or "
                "`fewest select` without --no-validate) before you rely on it.",
            }
        )
    if result.partial:
        text = f"The run was cut short: {result.stopped}. This is the best it found so far."
        found.append({"title": "Partial result", "text": text})
    return found


def _illusion(honest: dict[str, Any]) -> str:
    metric, optimism = honest["metric"], honest["optimism"]
    less = f"{100 * optimism:.1f} points" if metric == "accuracy" else f"{optimism:.3g}"
    worth = " That is no better than guessing without any feature." if _is_worthless(honest) else ""
    return (
        f"The search promised {score(honest['selection_score'], metric)}, but that is an illusion: "
        "it tried many subsets and kept the one that flattered these rows most. On rows it has "
        f"not seen, expect {score(honest['accuracy'], metric)}, {less} less.{worth}"
    )
