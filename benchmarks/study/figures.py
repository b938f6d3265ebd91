"""The figures of the study: critical differences, and gain against size, stability and time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .summary import Row, front

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
    """Gain against share kept, stability and seconds; methods that none beats are named."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "fewest"
    from matplotlib import pyplot

    figure, all_axes = pyplot.subplots(1, 3, figsize=(13, 4.2), sharey=True)
    kinds = (
        ("share", False, "share of features kept"),
        ("stability", True, "stability"),
        ("seconds", False, "CPU seconds for one selection"),
    )
    for axes, (key, high, label) in zip(all_axes, kinds, strict=True):
        best = front(lines, key, high)
        for line in lines:
            own = line["method"] in best
            axes.plot(line[key], line["gain"], "o", color="#b3432b" if own else "#9aa5b1", ms=5)
            if own:
                place = (line[key], line["gain"])
                axes.annotate(line["method"], place, (4, 4), textcoords="offset points", fontsize=6)
        axes.set(xlabel=label)
        if key == "seconds":
            axes.set_xscale("log")
    all_axes[0].set_ylabel("gain over all features (points)")
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None})
