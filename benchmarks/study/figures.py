"""The figures of the study: critical differences, and gain against size, stability and time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.study.summary import Row, front

#: Lines longer than this are cut in the figures.
MOST_METHODS = 20


def _axes(width: float, height: float) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "fewest"
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height))


def critical_difference_figure(lines: list[Row], difference: float, path: Path) -> None:
    """Mean ranks, the best first; a bar joins the methods that are as good as the best."""
    kept = lines[:MOST_METHODS]
    figure, axes = _axes(8, 0.28 * len(kept) + 1.2)
    ranks = [line["rank"] for line in kept]
    axes.plot(ranks, range(len(kept)), "o", color="#1f5fa8")
    for i, line in enumerate(kept):
        axes.annotate(
            line["method"], (line["rank"], i), (6, -3), textcoords="offset points", fontsize=8
        )
    axes.axvspan(ranks[0], ranks[0] + difference, color="#1f5fa8", alpha=0.12, lw=0)
    axes.set(
        xlabel="mean rank by accuracy on new rows (1 is best)", yticks=[], ylim=(len(kept), -1)
    )
    axes.set_xlim(ranks[0] - 0.5, max(ranks[-1], ranks[0] + difference) + 5)
    axes.set_title(
        f"Shaded: not significantly different from the best (difference below {difference:.1f})",
        fontsize=9,
    )
    _save(figure, path)


def pareto_figure(lines: list[Row], path: Path) -> None:
    """Gain against share kept, stability and seconds; methods that none beats have a number."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "fewest"
    from matplotlib import pyplot
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    figure, all_axes = pyplot.subplots(1, 3, figsize=(12, 6), sharey=True)
    kinds = (
        ("share", False, "share of features kept"),
        ("stability", True, "stability"),
        ("seconds", False, "CPU seconds for one selection"),
    )
    fronts = [front(lines, key, high) for key, high, _ in kinds]
    named = [line["method"] for line in lines if any(line["method"] in best for best in fronts)]
    for axes, best, (key, _, label) in zip(all_axes, fronts, kinds, strict=True):
        for line in lines:
            own, place = line["method"] in best, (line[key], line["gain"])
            axes.plot(*place, "o", color="#b3432b" if own else "#9aa5b1", ms=5)
            if own:
                number = str(named.index(line["method"]) + 1)
                axes.annotate(number, place, (4, 4), textcoords="offset points", fontsize=8)
        axes.set(xlabel=label)
        if key == "seconds":
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
            axes.xaxis.set_minor_formatter(NullFormatter())
    all_axes[0].set_ylabel("gain over all features (points)")
    told = [f"{i + 1}  {name}" for i, name in enumerate(named)]
    rows = -(-len(told) // 3)
    for column in range(3):
        text = "\n".join(told[column * rows : (column + 1) * rows])
        figure.text(0.05 + 0.32 * column, 0.02, text, fontsize=8, va="bottom")
    _save(figure, path, 0.06 + 0.03 * rows)


def _save(figure: Any, path: Path, below: float = 0.0) -> None:
    figure.tight_layout(rect=(0.0, below, 1.0, 1.0))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None})
