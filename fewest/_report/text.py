"""Results in words, for the terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from .._run.result_format import METRIC_NOTE
from .._version import __version__
from ..data._as_table import as_target
from ..data._columns import is_frame
from ..data._engine.open import is_stored
from .facts import (
    facts,
    scheme_in_words,
    serious_notes,
    validation_facts,
    validation_of,
    warnings,
    weighed,
)
from .units import unit

if TYPE_CHECKING:
    from .._run.result import Result
    from .._validation.comparison import Comparison
    from .._validation.validation import Validation
    from ..data import Dataset
    from ..data._checking.finding import Note
    from ..measures._measure import Scores


_LABEL = 18
#: Kinds of facts on the first screen, beside the honest score and that of all features.
FIRST = {"robust", "permutation", "proof"}
#: Without an honest score, these are there too.
UNJUDGED = {"selection", "corrected"}
#: The first screen names no more features than this.
MOST_NAMED = 30
#: What adds the rest in Python.
DETAILS = "summary(details=True)"
#: How many of the features left out are explained on the terminal.
MOST_TOLD = 5


def describe_dataset(data: Dataset) -> str:
    """Describe the data in one line."""
    if is_stored(data.X):
        return (
            f"fewest {__version__} · {data.name}: {len(data.names)} features, rows stay where "
            "they are"
        )
    kinds = data.schema.kinds
    _, classes, _ = as_target(data.y, len(data.y), data.task)
    target = "a numeric target" if classes is None else f"{len(classes)} classes"
    share = _share_missing(data.X, len(kinds))
    missing = f", {share:.1%} missing" if share else ""
    return (
        f"fewest {__version__} · {data.name}: {len(data.y)} rows, {len(kinds)} features "
        f"({kinds.count('continuous')} continuous, {kinds.count('nominal')} nominal{missing}), "
        f"{target}"
    )


def _share_missing(X: Any, n_features: int) -> float:
    """Return the share of missing values of a frame, without encoding it."""
    if not is_frame(X):
        return 0.0
    counts = nw.from_native(X, eager_only=True).null_count().row(0)
    return sum(int(c) for c in counts) / max(len(X) * n_features, 1)


def _line(text: str, label: str = "") -> str:
    """Return a paragraph beside its label; without one, from the margin on."""
    start = f"{label:<{_LABEL}}" if len(label) < _LABEL else f"{label}  "
    wrapper = textwrap.TextWrapper(96, break_on_hyphens=False)
    if label:
        wrapper.initial_indent, wrapper.subsequent_indent = start, " " * _LABEL
    return wrapper.fill(text)


def _figure(mean: float, std: float | None) -> str:
    return f"{mean:.4f}" if std is None else f"{mean:.4f} ± {std:.4f}"


def describe(subject: Any, details: bool = False) -> str:
    """Describe a result, a validation or a comparison."""
    if hasattr(subject, "validations"):
        return describe_comparison(subject).strip()
    if hasattr(subject, "supports"):
        return describe_validation(subject)
    return describe_result(subject, details).strip()


def describe_validation(validation: Validation) -> str:
    """Describe what a selection is worth on rows that it has not seen."""
    sizes = sorted(validation.sizes)
    span = f"{sizes[0]}" if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]}"
    found = validation_facts(validation, len(validation.names), weights=False)
    warning = validation.warning()
    return "\n".join(
        [
            *([_line(warning, "Warning")] if warning else []),
            *(_line(fact.sentence(), fact.label) for fact in found),
            _line(f"{span} of {validation.supports.shape[1]} in {len(sizes)} folds", "Features"),
        ]
    )


def describe_result(result: Result, details: bool = True, *, shell: bool = False) -> str:
    """Describe the answer, what it is worth, and with ``details`` how it was found.

    With ``shell`` the next steps are options of the command line.
    """
    alarms = warnings(result)
    serious = serious_notes(result)
    faults = [w for w in alarms if w.text in serious]
    first = [w for w in alarms if w.kind == "keep-all"]
    lines = [
        "",
        *(_line(f"Warning: {w.text}") for w in faults),
        *(_line(f"{w.label}. {w.text}") for w in first),
        *("" for _ in [*faults, *first][:1]),
        *_chosen(result, None if details else MOST_NAMED),
        "",
        *(_line(f"Warning: {w.label}. {w.text}") for w in alarms if w not in [*first, *faults]),
        *(_details(result, serious) if details else _first_screen(result)),
        _line(_searched(result), "Search"),
        *([] if details else [_line(_next(result, shell), "Next")]),
    ]
    return "\n".join(lines)


def _first_screen(result: Result) -> list[str]:
    """Return the lines that a first look needs: what the answer is worth, and for which model."""
    validation = validation_of(result)
    wanted = FIRST if validation is not None else FIRST | UNJUDGED
    judged = [] if validation is None else [*_judged(validation, result), *_why(result)]
    rest = [_line(fact.sentence(), fact.label) for fact in facts(result) if fact.kind in wanted]
    return judged + rest


def _judged(v: Validation, result: Result) -> list[str]:
    """Return three lines: the honest score, that of all features, and the verdict."""
    words, d = unit(v.metric), v.difference
    lower = ", lower is better" if words.negative else ""
    what = "equal weights" if weighed(result) else "all features"
    verdict = {
        "equal": "the same score on every fold",
        "equivalent": f"equivalent, as it is within {words.amount(d.margin)}",
        "not worse": f"not worse by more than {words.amount(d.margin)}",
        "undecided": "undecided which are better",
    }.get(d.verdict, f"{d.verdict} than {what}")
    return [
        _line(
            f"{words.score(v.score)} on rows that the selection never saw (95 % interval "
            f"{words.span(*v.interval)}{lower})",
            f"Honest {words.name}",
        ),
        _line(
            f"{words.score(v.baseline)} by the same model ({scheme_in_words(v.scheme)})",
            what.capitalize(),
        ),
        _line(
            f"{words.gap(d.mean)}: {verdict} (95 % interval {words.gaps(d.low, d.high)})",
            "Difference",
        ),
    ]


def _why(result: Result) -> list[str]:
    """Say why the metric is not accuracy where fewest chose it."""
    for note in result.notes:
        if note.startswith(METRIC_NOTE) and result.honest is not None:
            why = note.partition(" because ")[2].partition(":")[0]
            label = f"Why {unit(result.honest['metric']).name}"
            return [_line(f"{why}, so accuracy says little", label)]
    return []


def _next(result: Result, shell: bool) -> str:
    """Return what a person may do next, on one line."""
    validation = validation_of(result)
    found = None if validation is None else validation.difference
    undecided = found is not None and found.verdict == "undecided"
    safe = undecided and bool(result.features) and not weighed(result)
    more = ["--details", "--report page.html"] if shell else [DETAILS, "write_page(path)"]
    advice = ['choose="safe" where nothing may be lost'] if safe else []
    if found is not None and found.more_rows is not None:
        advice.append(f"about {found.more_rows:,} more rows would decide")
    faults = (result.extra.get("check") or {}).get("findings", [])
    if not result.features and any(one["kind"] == "imbalance" for one in faults):
        advice = ['scoring="roc_auc", which a rare class needs']
    return "; ".join([*advice, *more])


def _details(result: Result, serious: list[Note]) -> list[str]:
    return [
        *(_line(fact.sentence(), fact.label) for fact in facts(result)),
        _line(result.stopped, "Stopped"),
        *(_line(note, "Note") for note in result.notes if note not in serious),
        *_left_out(result),
    ]


def _chosen(result: Result, most: int | None) -> list[str]:
    """Return how many features are chosen, and their names."""
    chosen = f"Chosen: {result.n_features} of {result.n_features_in} features"
    if result.features:
        return [chosen, _indented(_listed(result, most))]
    judged = validation_of(result) is not None
    return [f"{chosen}: none predicts the target better than guessing" if judged else chosen]


def _searched(result: Result) -> str:
    """Return how the answer was found, on one line; of a path, what its curve is made of."""
    done = f"{result.evaluations:,} subsets in {_steps(result.generations)}"
    curve = result.curve
    if curve is not None:
        done = f"{len(curve.sizes)} sizes on {curve.folds.shape[1]} folds"
    return (
        f"{result.search} over {result.measure}, seed {result.seed}: {done}, {result.seconds:.2f} s"
    )


def _indented(text: str) -> str:
    wrapper = textwrap.TextWrapper(96, initial_indent="  ", subsequent_indent="  ")
    wrapper.break_on_hyphens = False
    return wrapper.fill(text)


def _listed(result: Result, most: int | None = None) -> str:
    """Return the chosen features; where they were weighed, the largest weight first."""
    weights, named = result.extra.get("weights"), list(result.features)
    if weights is not None:
        found = sorted(zip(result.names, weights, strict=True), key=lambda pair: -pair[1])
        named = [f"{name} {weight:.2g}" for name, weight in found if weight > 0]
    more = 0 if most is None else len(named) - most
    return ", ".join(named[:most]) + (f" and {more} more" if more > 0 else "")


def _left_out(result: Result) -> list[str]:
    """Why the first few features are not in; the result file has all of them."""
    told = [f"`{name}`: {why}" for name, why in result.left_out.items()]
    lines = [_line(text, "Left out" if i == 0 else " ") for i, text in enumerate(told[:MOST_TOLD])]
    if len(told) > MOST_TOLD:
        lines.append(_line(f"and {len(told) - MOST_TOLD} more (in the result file)", " "))
    return lines


def describe_scores(measure: str, features: list[str], scores: Scores) -> str:
    """Return the score of one subset, beside that of all features."""
    lines = []
    for label, i in ((", ".join(features) or "no feature", 0), ("all features", 1)):
        std = None if scores.folds is None else float(scores.folds[i].std(ddof=1))
        lines.append(f"{measure}  {_figure(float(scores.value[i]), std)}  {label}")
    return "\n".join(lines)


def describe_comparison(comparison: Comparison) -> str:
    """Return the methods side by side, then what may be said of their differences."""
    from .method_comparison import comparison_answer

    lines = [
        "",
        f"{'method':<16}{'honest':>16}{'selection':>11}{'size':>7}{'stability':>11}{'p':>8}",
    ]
    for row in comparison.table:
        selection = "" if row["selection_score"] is None else f"{row['selection_score']:.4f}"
        p = "" if row["p_value"] is None else f"{row['p_value']:.3f}"
        lines.append(
            f"{row['method']:<16}{row['accuracy']:>8.4f} ± {row['std']:.3f}{selection:>11}"
            f"{row['size']:>7.1f}{row['stability']:>11.2f}{p:>8}"
        )
    first = next(iter(comparison.validations.values()))
    lines.append(f"honest: {first.metric} on new data; p: {first.test} against all features (Holm)")
    lines += [f"{a} against {b}: p = {p:.3f}" for (a, b), p in comparison.p_values.items()]
    told = comparison_answer(comparison)
    texts = [said["text"] for said in (*told["sentences"], *told["warnings"])]
    texts = [f"{told['headline']}.", *texts]
    return "\n".join([*lines, "", *(_line(text) for text in texts)])


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"
