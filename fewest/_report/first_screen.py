"""The first screen of the page: headline, large figures, sentences, warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .facts import facts, validation_of, warnings, weighed
from .units import unit
from .votes import Fact

if TYPE_CHECKING:
    from .._run.result import Result


#: Facts whose sentences are on the first screen of the page, in this order.
SAID = (
    "honest", "difference", "robust", "recalls", "corrected", "permutation", "stability",
    "evidence", "consensus", "proof", "ties", "stand-ins",
)  # fmt: skip
MOST_FIGURES = 4
#: Facts whose figures are printed large, as many as there is room for.
LARGE = {
    "honest": "{metric} on new data",
    "all": "with all features",
    "selection": "selection score (optimistic)",
    "corrected": "replayed score",
}


def answer(result: Result) -> dict[str, Any]:
    """Headline, sentences, warnings and the figures to print large.

    Examples
    --------
    >>> from fewest.testing._results import toy_result
    >>> answer(toy_result())["headline"]
    '2 of 6 features are kept, and the model gets better'
    """
    found = facts(result)
    return {
        "headline": _headline(result),
        "features": list(result.features),
        "figures": _figures(result, found),
        "sentences": _sentences(found),
        "warnings": [{"title": w.label, "text": w.text} for w in warnings(result)],
    }


def _sentences(found: list[Fact]) -> list[dict[str, str]]:
    said = sorted((fact for fact in found if fact.kind in SAID), key=lambda f: SAID.index(f.kind))
    return [{"label": fact.label, "text": fact.text} for fact in said]


def _headline(result: Result) -> str:
    """Return the answer in one line, and no more than the tests allow."""
    start = f"{result.n_features} of {result.n_features_in} {_what_became(result)}"
    validation = validation_of(result)
    if validation is None:
        return start
    if not result.features:
        return "No feature is kept: none predicts the target better than guessing"
    if validation.worthless:
        return f"{start}, and they are no better than guessing"
    verdict = validation.difference.verdict
    if verdict == "worse" and not weighed(result):
        return (
            f"Keep all {result.n_allowed} features: with {result.n_features} of them the "
            "model gets worse"
        )
    margin = unit(validation.metric).amount(validation.margin)
    endings = {
        "better": "and the model gets better",
        "worse": "but the model gets worse",
        "equal": "and the model stays as good",
        "equivalent": f"and the model stays as good to within {margin}",
        "not worse": f"and the model loses less than {margin}",
        "undecided": "but whether the model gets better or worse is undecided",
    }
    return f"{start}, {endings[verdict]}"


def _what_became(result: Result) -> str:
    one = result.n_features_in == 1
    if weighed(result):
        return "feature has a weight above 0" if one else "features have a weight above 0"
    return "feature is kept" if one else "features are kept"


def _figures(result: Result, found: list[Fact]) -> list[dict[str, str]]:
    """Return what is printed large: the size, then what to expect, then what not to believe."""
    size = f"{result.n_features} of {result.n_features_in}"
    kept = "features with a weight" if weighed(result) else "features kept"
    figures = [{"value": size, "label": kept, "role": "chosen"}]
    by_kind = {fact.kind: fact for fact in found}
    metric = unit(result.honest["metric"] if result.honest else None).name
    for kind, label in LARGE.items():
        if kind in by_kind and len(figures) < MOST_FIGURES:
            words = label.format(metric=metric)
            if kind == "all" and weighed(result):
                words = "with equal weights"
            if kind == "selection" and result.folds is None:
                words = result.measure
            figures.append({"value": by_kind[kind].value, "label": words, "role": kind})
    return figures
