"""Terminal output without anything that could command the terminal."""

from __future__ import annotations

import re
import sys
import unicodedata
import warnings
from contextlib import AbstractContextManager
from typing import Any

#: Characters that change the direction of text, so that a line reads differently than it is.
_DIRECTION = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_INSTEAD = "\N{REPLACEMENT CHARACTER}"
#: Options that are parameters in Python as well.
_OPTIONS = (
    "target|measure|search|stop|choose|consensus|include|exclude|groups|costs|budget|screen|"
    "min_features|max_features|cv|scoring|classifier|estimator|scheme|task|types|nominal|encoding|"
    "features|random_state|n_jobs|journal|against"
)
#: A parameter with columns, and what only Python can do with them.
_COLUMNS = re.compile(r"\b(\w+)=(?:\[\.\.\.\]|(X\[column\]))(?:\s+in\s+fit(?:\s+and\s+validate)?)?")
_CHANGED = re.compile(r" \(X\.astype\([^)]*\)\)")
#: A parameter with its value, such as `choose="safe"`, and one by its name.
_GIVEN = re.compile(rf"`?\b(?:([a-z_]+)=\"([\w.-]+)\"|({_OPTIONS})=(\d+))`?")
_NAMED = re.compile(f"`({_OPTIONS})`")
#: Values that only Python can give.
_OBJECTS = re.compile(
    r"a Measure, a scikit-learn estimator or |a Search or | or a scikit-learn splitter"
)
#: The table and the target in words.
_DATA = re.compile(r"(^|[.:] )?`([Xy])`")
#: Parameters that have another name on the command line.
_NAMES = {"groups": "feature-groups", "n_jobs": "jobs", "random_state": "seed"}


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


def in_shell(text: str) -> str:
    """Return a text with its suggestions as options of the command line.

    Examples
    --------
    >>> in_shell('`choose="safe"` selects only where nothing is lost.')
    '--choose safe selects only where nothing is lost.'
    >>> in_shell("`cv` must be at least 2, but is 1. `y` has rows for cv=10.")
    '`--cv` must be at least 2, but is 1. The target has rows for --cv 10.'
    >>> in_shell("It is left out; include=[...] keeps it. groups=X[column] in fit and validate.")
    'It is left out; --include keeps it. --group-by COLUMN.'
    """
    shown = _COLUMNS.sub(_columns, _OBJECTS.sub("", _CHANGED.sub("", text)))
    named = _NAMED.sub(lambda found: f"`--{_spelled(found[1])}`", shown)
    return _DATA.sub(_words, _GIVEN.sub(_option, named))


def _columns(found: re.Match[str]) -> str:
    if found[2]:
        return f"--{'group-by' if found[1] == 'groups' else found[1]} COLUMN"
    return f"--{_spelled(found[1])}"


def _option(found: re.Match[str]) -> str:
    return f"--{_spelled(found[1] or found[3])} {found[2] or found[4]}"


def _spelled(name: str) -> str:
    return _NAMES.get(name, name.replace("_", "-"))


def _words(found: re.Match[str]) -> str:
    before, words = found[1], {"X": "the table", "y": "the target"}[found[2]]
    return words if before is None else before + words[0].upper() + words[1:]


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
            complain(f"warning: {in_shell(str(message))}")
