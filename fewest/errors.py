"""The two ways in which fewest says no, and a warning that is given once."""


class InputError(ValueError):
    """What was given cannot be used; the message says what, why, and the remedy.

    The command line prints it as one sentence and exits with 1.
    """


class MismatchError(InputError):
    """A search, a measure and a space that do not go together."""


class FewRowsWarning(UserWarning):
    """There are fewer rows, or fewer of a class, than folds; a validation gives it once."""


def brief(value: object, most: int = 60) -> str:
    """Return a value as part of a sentence: on one line, cut where it is long.

    >>> brief("a" * 100, most=12)
    "'aaaaaaaa..."
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object may refuse to be shown
        text = f"an object of the class {type(value).__name__}"
    return text if len(text) <= most else text[: most - 3] + "..."
