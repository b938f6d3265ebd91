"""The two ways in which fewest says no, a warning that is given once, and names that are meant."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Error of what was given: the message says what, why, and the remedy.

    It is a ValueError. The command line prints it as one sentence and exits with 1.

    Examples
    --------
    >>> import fewest
    >>> fewest.SubsetSelector(search="ebma").fit([[0], [1]], [0, 1])
    Traceback (most recent call last):
    fewest._errors.InputError: ...
    """


class MismatchError(InputError):
    """Error of a search, a measure and a space that do not go together.

    Examples
    --------
    >>> issubclass(MismatchError, InputError)
    True
    """


class RowsWarning(UserWarning):
    """Warning of the rows of a table; a validation does not repeat it for its training parts."""


class FewRowsWarning(RowsWarning):
    """Warning of fewer rows, or fewer of a class, than folds."""


def nearest_names(name: object, known: Iterable[object], loosely: bool = False) -> list[str]:
    """Return up to three known names that may have been meant, the nearest first.

    Loosely, one that is only somewhat alike is better than none.

    >>> nearest_names("survived", ["Survived", "Boarded"], loosely=True)
    ['Survived']
    """
    names, word = [str(one) for one in known], str(name)
    same = [one for one in names if one.lower() == word.lower()]
    near = same or difflib.get_close_matches(word, names, 3)
    return near or difflib.get_close_matches(word, names, 1, 0.4) if loosely else near


def did_you_mean(name: object, known: Iterable[object], otherwise: str = "") -> str:
    """Return a question after the known names that may have been meant, if there are any.

    >>> did_you_mean("sfss", ["sfs", "sffs", "umda"])
    ' Did you mean sfs or sffs?'
    """
    near = nearest_names(name, known)
    return f" Did you mean {' or '.join(near)}?" if near else otherwise


def brief(value: object, most: int = 60) -> str:
    """Return a value as part of a sentence: on one line, cut where it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object may refuse to be shown
        text = f"an object of the class {type(value).__name__}"
    return text if len(text) <= most else text[: most - 3] + "..."
