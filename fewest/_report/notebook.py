"""A result in a notebook: the first screen of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .first_screen import answer
from .page import answer_html, asset

if TYPE_CHECKING:
    from .._run.result import Result


class Screen:
    """What a notebook shows in place of an object: HTML, or text where there is none."""

    def __init__(self, html: str, text: str) -> None:
        self.html = html
        self.text = text

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def show(result: Result) -> Screen:
    """The first screen of the page of a result, as the last line of a notebook cell.

    Examples
    --------
    >>> from fewest._report.notebook import show
    >>> from fewest.testing._results import toy_result
    >>> "2 of 6 features are kept" in show(toy_result())._repr_html_()
    True
    """
    # An id may stand in a document once only, a result in many cells.
    body = answer_html(answer(result)).replace(' id="answer"', "", 1)
    style = asset("notebook.css")
    return Screen(f'<div class="fewest"><style>{style}</style>{body}</div>', str(result))
