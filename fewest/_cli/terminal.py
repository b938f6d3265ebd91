"""Terminal output without anything that could command the terminal."""

from __future__ import annotations

import sys
import unicodedata
import warnings
from contextlib import AbstractContextManager
from typing import Any

#: Characters that change the direction of text, so that a line reads differently than it is.
_DIRECTION = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


def clean(text: object, lines: bool = True) -> str:
    """Return text without control characters; newlines and tabs stay unless ``lines`` is False.

    Names of columns, classes and files come from the data. An escape sequence in one of them
    could clear the screen, forge output or set the title of the window.

    >>> clean("a\\x1b[2Jb")
    'a\N{REPLACEMENT CHARACTER}[2Jb'
    """
    kept = "\n\t" if lines else ""
    return "".join(_INSTEAD if _commands(sign, kept) else sign for sign in str(text))


def _commands(sign: str, kept: str) -> bool:
    if sign.isprintable() or sign in kept:
        return False
    return sign in _DIRECTION or unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp")


def say(text: object = "") -> None:
    """Print to standard output."""
    print(clean(text), flush=True)


def note(text: object) -> None:
    """Print to standard error."""
    print(clean(text), file=sys.stderr, flush=True)


def complain(text: object) -> None:
    """Print to standard error, as this command."""
    note(f"fewest: {text}")


def show(renderable: Any) -> None:
    """Print a table of rich, whose cells were cleaned."""
    from rich.console import Console

    Console().print(renderable)


class WarnOnce(AbstractContextManager[None]):
    """Prints every warning once as a sentence: ten external folds would say it ten times."""

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._outer = warnings.catch_warnings()

    def __enter__(self) -> None:
        self._outer.__enter__()
        warnings.showwarning = self._tell

    def __exit__(self, *error: Any) -> None:
        self._outer.__exit__(*error)

    def _tell(self, message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in self._told:
            self._told.add(str(message))
            complain(f"warning: {message}")
