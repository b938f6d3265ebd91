"""Viewers of results: this room knows that there are some, the package says which.

Results live below the report and must not import it. The package itself, which stands above all
rooms, provides the viewers when it is imported.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

Viewer = Callable[..., Any]

_VIEWERS: dict[str, Viewer] = {}


def provide(name: str, viewer: Viewer) -> None:
    """Make ``viewer`` the one that shows a subject as ``name``: "figure" or "html"."""
    _VIEWERS[name] = viewer


def view(name: str, subject: Any, **options: Any) -> Any:
    """Return what the viewer of that name makes of a result or a validation."""
    return _VIEWERS[name](subject, **options)


class Summarized:
    """Objects that are shown as a few lines of text."""

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the summary, whose columns must stay columns."""
        return f'<pre style="font-family: monospace">{html.escape(self.summary())}</pre>'

    def summary(self) -> str:
        """Return what was found, in a few lines of text."""
        text: str = view("text", self)
        return text
