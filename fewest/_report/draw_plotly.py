"""Charts by plotly: for notebooks, to zoom and hover."""

from __future__ import annotations

import html
from typing import Any

from .._errors import InputError
from . import chart as marks
from .chart import PALETTE, Chart, Mark

SYMBOLS = {"circle": "circle", "ring": "circle-open", "star": "star"}


def draw(chart: Chart) -> Any:
    """Return a plotly figure of the chart; save it with ``figure.write_html``."""
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise InputError(
            "Interactive figures need plotly, which is not installed: pip install 'fewest[report]'."
        ) from error
    figure = go.Figure()
    for mark in chart.marks:
        _DRAW[type(mark)](figure, go, mark)
    figure.update_layout(
        title=_text(chart.title),
        template="plotly_white",
        showlegend=any(mark.label for mark in chart.marks),
        hovermode="closest",
        margin={"l": 10, "r": 10, "t": 50, "b": 10},
    )
    _axes(figure, chart)
    return figure


def _axes(figure: Any, chart: Chart) -> None:
    figure.update_xaxes(title=_text(chart.x.title), visible=not chart.x.hidden, automargin=True)
    figure.update_yaxes(title=_text(chart.y.title), visible=not chart.y.hidden, automargin=True)
    if chart.x.low is not None and chart.x.high is not None:
        figure.update_xaxes(range=[chart.x.low, chart.x.high])
    if chart.y.low is not None and chart.y.high is not None:
        figure.update_yaxes(range=[chart.y.low, chart.y.high])
    if chart.y.categories is not None:
        figure.update_yaxes(
            tickvals=list(range(len(chart.y.categories))),
            ticktext=[_text(c) for c in chart.y.categories],
            range=[len(chart.y.categories) - 0.5, -0.5],
        )


def _text(text: str) -> str:
    """Plotly reads a little HTML in texts: names are only words."""
    return html.escape(text, quote=False)


def _tips(m: Mark) -> dict[str, Any]:
    if m.tips is None:
        return {}
    return {"text": [_text(tip) for tip in m.tips], "hoverinfo": "text"}


def _named(m: Mark) -> dict[str, Any]:
    return {"name": _text(m.label or ""), "showlegend": m.label is not None}


def _line(figure: Any, go: Any, m: marks.Line) -> None:
    line = {"color": PALETTE[m.role], "dash": "dash" if m.dashed else "solid",
            "shape": "hv" if m.step else "linear"}  # fmt: skip
    figure.add_trace(go.Scatter(x=m.x, y=m.y, mode="lines", line=line, **_named(m), **_tips(m)))


def _points(figure: Any, go: Any, m: marks.Points) -> None:
    marker = {"color": PALETTE[m.role], "size": 2 * m.size, "symbol": SYMBOLS[m.marker]}
    figure.add_trace(
        go.Scatter(x=m.x, y=m.y, mode="markers", marker=marker, **_named(m), **_tips(m))
    )
    for x, y, word in zip(m.x, m.y, m.words or (), strict=False):
        figure.add_annotation(x=x, y=y, text=_text(word), showarrow=False, xanchor="left", xshift=8)


def _band(figure: Any, go: Any, m: marks.Band) -> None:
    around = {"x": [*m.x, *reversed(m.x)], "y": [*m.high, *reversed(m.y)]}
    figure.add_trace(
        go.Scatter(
            **around,
            fill="toself",
            fillcolor=PALETTE[m.role],
            opacity=0.18,
            mode="none",
            hoverinfo="skip",
            **_named(m),
        )  # fmt: skip
    )


def _bars(figure: Any, go: Any, m: marks.Bars) -> None:
    colors = [PALETTE[role] for role in m.roles or [m.role] * len(m.x)]
    figure.add_trace(
        go.Bar(
            x=m.x,
            y=m.y,
            orientation="h",
            marker={"color": colors},
            textposition="none",
            **_named(m),
            **_tips(m),
        )  # fmt: skip
    )


def _spans(figure: Any, go: Any, m: marks.Spans) -> None:
    for i, (low, high, y) in enumerate(zip(m.x, m.high, m.y, strict=True)):
        tip = {} if m.tips is None else {"text": [_text(m.tips[i])] * 2, "hoverinfo": "text"}
        line = {"color": PALETTE[m.role], "width": 5}
        figure.add_trace(
            go.Scatter(
                x=[low, high], y=[y, y], mode="lines", line=line, opacity=0.55, **_named(m), **tip
            )  # fmt: skip
        )


def _heat(figure: Any, go: Any, m: marks.Heat) -> None:
    figure.add_trace(
        go.Heatmap(
            z=m.values,
            x=[str(g) for g in m.x],
            y=list(m.y),
            zmin=0,
            zmax=1,
            colorscale="Blues",
            colorbar={"title": "share"},
        )  # fmt: skip
    )


def _rule(figure: Any, go: Any, m: marks.RuleLine) -> None:
    line = {"color": PALETTE[m.role], "dash": "dot"}
    for y in m.y:
        figure.add_hline(y=y, line=line, annotation_text=_text(m.label or ""))
    for x in m.x:
        figure.add_vline(x=x, line=line, annotation_text=_text(m.label or ""))


def _nodes(figure: Any, go: Any, m: marks.Nodes) -> None:
    for i, (x, y, word) in enumerate(zip(m.x, m.y, m.words, strict=True)):
        edge = PALETTE[m.roles[i] if m.roles else m.role]
        figure.add_annotation(
            x=x, y=y, text=_text(word), showarrow=False, bgcolor="white", bordercolor=edge,
            borderpad=4, hovertext=None if m.tips is None else _text(m.tips[i]),
        )  # fmt: skip


def _arrows(figure: Any, go: Any, m: marks.Arrows) -> None:
    for x, y, to_x, to_y in zip(m.x, m.y, m.to_x, m.to_y, strict=True):
        figure.add_annotation(
            x=to_x, y=to_y, ax=x, ay=y, xref="x", yref="y", axref="x", ayref="y", text="",
            showarrow=True, arrowhead=2, arrowcolor=PALETTE["all"], standoff=14, startstandoff=12,
        )  # fmt: skip


_DRAW: dict[type[Mark], Any] = {
    marks.Line: _line, marks.Points: _points, marks.Band: _band, marks.Bars: _bars,
    marks.Spans: _spans, marks.Heat: _heat, marks.RuleLine: _rule, marks.Nodes: _nodes,
    marks.Arrows: _arrows,
}  # fmt: skip
