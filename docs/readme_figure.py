"""Make the figures of the README again: `python docs/readme_figure.py`."""

import runpy
from pathlib import Path

from matplotlib.figure import Figure

import fewest
from fewest._report.text import describe_dataset, describe_result

HERE = Path(__file__).parent
INK, GROUND, BLUE, GREEN, GREY = "#e8eaed", "#14171b", "#0072b2", "#00875f", "#6b7280"


def first_screen() -> Figure:
    """What `fewest select ionosphere --seed 1` prints, beside the curve of its page."""
    data = fewest.load("ionosphere")
    result = fewest.SubsetSelector(random_state=1).fit(data.X, data.y).result_
    lines = describe_result(result, False, shell=True).strip().splitlines()
    shown = "\n".join(
        ["$ fewest select ionosphere --seed 1", describe_dataset(data), ""]
        + [line for line in lines if not line.startswith(("Search", "Next", "      "))]
    )
    figure = Figure(figsize=(13, 3.2))
    left, right = figure.subplots(1, 2, width_ratios=[1.7, 1])
    figure.subplots_adjust(0.01, 0.16, 0.99, 0.97, wspace=0.13)
    left.set_axis_off()
    left.add_patch(_panel(left))
    left.text(0.03, 0.88, shown, va="top", family="monospace", fontsize=8.4, color=INK)
    curve = result.curve
    spans = [curve.interval(scores) for scores in curve.folds]
    right.fill_between(curve.sizes, *zip(*spans, strict=True), color=BLUE, alpha=0.15, lw=0)
    right.plot(curve.sizes, curve.mean, "o-", color=BLUE, label="on rows never seen")
    right.axhline(curve.everything.mean(), color=GREY, ls=":", label="all features")
    at = curve.chosen
    right.plot(curve.sizes[at], curve.mean[at], "*", ms=16, color=GREEN, label="chosen")
    right.set(xlabel="number of features", ylabel=result.honest["metric"], ylim=(None, 1))
    right.spines[["top", "right"]].set_visible(False)
    right.legend(frameon=False, loc="lower right")
    return figure


def _panel(axes):
    from matplotlib.patches import FancyBboxPatch

    style = "round,pad=0,rounding_size=0.02"
    return FancyBboxPatch((0, 0), 1, 1, style, transform=axes.transAxes, color=GROUND)


first_screen().savefig(HERE / "_static" / "first-screen.png", dpi=100)
names = runpy.run_path(str(HERE.parent / "examples" / "plot_2_noise.py"))
names["figure"].savefig(HERE / "_static" / "noise.png", dpi=100)
