"""Charts by matplotlib: for papers and notebooks."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import Any

from .._errors import InputError
from . import chart as marks
from .chart import PALETTE, Chart, Mark

MARKERS = {"circle": "o", "ring": "o", "star": "*"}


def draw(chart: Chart) -> Any:
    """Return a matplotlib figure of the chart; save it with ``figure.savefig``."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError(
            "Static figures need matplotlib, which is not installed: pip install 'fewest[plot]'."
        ) from error
    figure: Any = Figure(figsize=_size(chart))
    figure.set_layout_engine("constrained")
    axes = figure.add_subplot()
    for mark in chart.marks:
        _DRAW[type(mark)](axes, mark)
    _axes(axes, chart)
    if any(mark.label for mark in chart.marks):
        axes.legend(frameon=False, fontsize="small")
    # Without pyplot, whose import tells a notebook how to show figures, this does.
    figure._repr_png_ = partial(_png, figure)
    return figure


def _png(figure: Any) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer)
    return buffer.getvalue()


def _size(chart: Chart) -> tuple[float, float]:
    """Inches: rows and boxes with words need room, or their words would overlap."""
    rows = len(chart.y.categories or ())
    if any(isinstance(mark, marks.Nodes) for mark in chart.marks):
        across = (chart.x.high or 0) - (chart.x.low or 0)
        down = (chart.y.low or 0) - (chart.y.high or 0)
        return max(6.4, 1.5 * across), max(2.2, 0.8 * down + 0.6)
    return 6.4, max(2.2, 0.24 * rows + 1.2) if rows else 4.0


def _axes(axes: Any, chart: Chart) -> None:
    axes.set_title(_plain(chart.title), loc="left")
    axes.set_xlabel(_plain(chart.x.title))
    axes.set_ylabel(_plain(chart.y.title))
    axes.spines[["top", "right"]].set_visible(False)
    if chart.x.low is not None or chart.x.high is not None:
        axes.set_xlim(chart.x.low, chart.x.high)
    if chart.y.categories is not None:
        axes.set_yticks(range(len(chart.y.categories)), [_plain(c) for c in chart.y.categories])
        axes.set_ylim(len(chart.y.categories) - 0.5, -0.5)
    elif chart.y.low is not None or chart.y.high is not None:
        axes.set_ylim(chart.y.low, chart.y.high)
    if chart.x.whole and not any(isinstance(m, marks.Heat) for m in chart.marks):
        axes.xaxis.get_major_locator().set_params(integer=True)
    if chart.x.hidden:
        axes.set_axis_off()


def _plain(text: str) -> str:
    """Names are words: a dollar sign must not begin a formula."""
    return text.replace("$", r"\$")


def _line(axes: Any, m: marks.Line) -> None:
    style = "steps-post" if m.step else "default"
    axes.plot(m.x, m.y, color=PALETTE[m.role], label=m.label, drawstyle=style,
              linestyle="--" if m.dashed else "-")  # fmt: skip


def _points(axes: Any, m: marks.Points) -> None:
    face = "none" if m.marker == "ring" else PALETTE[m.role]
    axes.scatter(m.x, m.y, s=(2 * m.size) ** 2 * 0.7, facecolors=face, edgecolors=PALETTE[m.role],
                 marker=MARKERS[m.marker], label=m.label, zorder=3)  # fmt: skip
    for x, y, word in zip(m.x, m.y, m.words or (), strict=False):
        axes.annotate(_plain(word), (x, y), (7, -3), textcoords="offset points", fontsize="small")


def _band(axes: Any, m: marks.Band) -> None:
    axes.fill_between(m.x, m.y, m.high, color=PALETTE[m.role], alpha=0.18, label=m.label, lw=0)


def _bars(axes: Any, m: marks.Bars) -> None:
    colors = [PALETTE[role] for role in m.roles or [m.role] * len(m.x)]
    axes.barh(m.y, m.x, color=colors, height=0.7, label=m.label)


def _spans(axes: Any, m: marks.Spans) -> None:
    axes.hlines(m.y, m.x, m.high, color=PALETTE[m.role], lw=4, alpha=0.55, label=m.label)


def _heat(axes: Any, m: marks.Heat) -> None:
    image = axes.imshow(m.values, aspect="auto", cmap="Blues", vmin=0, vmax=1,
                        interpolation="nearest")  # fmt: skip
    step = max(1, len(m.x) // 10)
    axes.set_xticks(range(0, len(m.x), step), [str(g) for g in m.x[::step]])
    axes.figure.colorbar(image, ax=axes, label="share of the candidates")


def _rule(axes: Any, m: marks.RuleLine) -> None:
    for i, y in enumerate(m.y):
        axes.axhline(y, color=PALETTE[m.role], ls=":", label=m.label if i == 0 else None)
    for i, x in enumerate(m.x):
        axes.axvline(x, color=PALETTE[m.role], ls=":", label=m.label if i == 0 else None)


def _nodes(axes: Any, m: marks.Nodes) -> None:
    for i, (x, y, word) in enumerate(zip(m.x, m.y, m.words, strict=True)):
        edge = PALETTE[m.roles[i] if m.roles else m.role]
        box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": edge}
        axes.text(x, y, _plain(word), ha="center", va="center", fontsize="small", bbox=box)


def _arrows(axes: Any, m: marks.Arrows) -> None:
    style = {"arrowstyle": "-|>", "color": PALETTE["all"], "shrinkA": 10, "shrinkB": 12}
    for x, y, to_x, to_y in zip(m.x, m.y, m.to_x, m.to_y, strict=True):
        axes.annotate("", xy=(to_x, to_y), xytext=(x, y), arrowprops=style)


_DRAW: dict[type[Mark], Any] = {
    marks.Line: _line, marks.Points: _points, marks.Band: _band, marks.Bars: _bars,
    marks.Spans: _spans, marks.Heat: _heat, marks.RuleLine: _rule, marks.Nodes: _nodes,
    marks.Arrows: _arrows,
}  # fmt: skip
