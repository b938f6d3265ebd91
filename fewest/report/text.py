"""Results in words, for the terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from .._version import __version__

if TYPE_CHECKING:
    from ..data import Dataset
    from ..measures.base import Scores
    from ..run.result import Result
    from ..validation.compare import Comparison
    from ..validation.external import Validation

_LABEL = 18
#: How many of the features left out are explained on the terminal.
MOST_TOLD = 5


def describe_dataset(data: Dataset) -> str:
    """One line: what the data are."""
    table = data.table()
    kinds = int(table.nominal.sum())
    classes = f"{table.n_classes} classes" if table.classes is not None else "a numeric target"
    missing = float(table.missing.mean())
    unknown = f", {missing:.1%} unknown" if missing else ""
    return (
        f"fewest {__version__} · {data.name}: {table.n_rows} rows, {table.n_features} features "
        f"({table.n_features - kinds} continuous, {kinds} nominal{unknown}), {classes}"
    )


def _line(label: str, text: str) -> str:
    return textwrap.fill(
        text, 96, initial_indent=f"{label:<{_LABEL}}", subsequent_indent=" " * _LABEL
    )


def _figure(mean: float, std: float | None) -> str:
    return f"{mean:.4f}" if std is None else f"{mean:.4f} ± {std:.4f}"


def describe_result(result: Result, validation: Validation | None = None) -> str:
    """The answer first, then what it is worth, then how it was found."""
    lines = [
        "",
        f"Chosen: {result.n_features} of {result.n_features_in} features",
        textwrap.fill(", ".join(result.features), 96, initial_indent="  ", subsequent_indent="  "),
        "",
        _line(
            "Selection score",
            f"{_figure(result.score, result.score_std)}  (it guided the search"
            + ("; optimistic)" if result.folds is not None else ")"),
        ),
    ]
    if validation is not None:
        lines += _honest(validation)
    lines += _proof(result) + _ties(result)
    if result.partial:
        lines.append(_line("Partial", "cut short; this is the best so far"))
    lines.append(_line("Stopped", result.stopped))
    lines += [_line("Note", note) for note in result.notes]
    lines += _left_out(result)
    lines.append(
        _line(
            "Search",
            f"{result.search} over {result.measure}, seed {result.seed}: {result.evaluations:,} "
            f"subsets in {result.generations} steps, {result.seconds:.2f} s",
        )
    )
    return "\n".join(lines)


def _honest(v: Validation) -> list[str]:
    difference = "more than chance" if v.p_value < 0.05 else "no more than chance can do"
    lines = [
        _line(
            "Honest " + v.metric,
            f"{_figure(v.accuracy, v.std)}  ({v.scheme}: on rows the selection has not seen)",
        ),
        _line("All features", _figure(v.baseline, v.baseline_std)),
        *([] if v.guessing is None else [_line("No feature", f"{v.guessing:.4f}  (guessing)")]),
        _line(v.test, f"p = {v.p_value:.3f}: the difference is {difference}"),
        _line("Stability", f"{v.stability:.2f}  (1: the same subset every time, 0: chance)"),
    ]
    warning = v.warning()
    return [*lines, _line("Warning", warning)] if warning else lines


def _proof(result: Result) -> list[str]:
    if result.optimal:
        return [_line("Proof", "no subset is better: this is the optimum")]
    if result.bound is not None:
        return [_line("Bound", f"no answer below {result.bound:g}; the gap is {result.gap:g}")]
    return []


def _left_out(result: Result) -> list[str]:
    """Why the first few features are not in; the result file has all of them."""
    told = [f"`{name}`: {why}" for name, why in result.left_out.items()]
    lines = [_line("Left out" if i == 0 else "", text) for i, text in enumerate(told[:MOST_TOLD])]
    if len(told) > MOST_TOLD:
        lines.append(_line("", f"and {len(told) - MOST_TOLD} more (in the result file)"))
    return lines


def _ties(result: Result) -> list[str]:
    if not result.ties:
        return []
    others = "subset is" if result.ties == 1 else "subsets are"
    first = ", ".join(result.alternatives[0][:8])
    more = ", …" if len(result.alternatives[0]) > 8 else ""
    return [
        _line(
            "Ties",
            f"{result.ties} other {others} exactly as good and as small: for one, {first}{more}",
        )
    ]


def describe_scores(measure: str, features: list[str], scores: Scores) -> str:
    """The score of one subset, beside that of all features."""
    lines = []
    for label, i in ((", ".join(features) or "no feature", 0), ("all features", 1)):
        std = None if scores.folds is None else float(scores.folds[i].std(ddof=1))
        lines.append(f"{measure}  {_figure(float(scores.value[i]), std)}  {label}")
    return "\n".join(lines)


def describe_comparison(comparison: Comparison) -> str:
    """The methods side by side, then the tests between them."""
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
    lines.append("p: test against all features on the same splits")
    for (a, b), value in comparison.p_values.items():
        lines.append(f"{a} against {b}: p = {value:.3f}")
    return "\n".join(lines)
