"""The two ways in which fewest says no, and a warning that is given once."""


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


class FewRowsWarning(UserWarning):
    """Warning of fewer rows, or fewer of a class, than folds; a validation gives it once."""


def brief(value: object, most: int = 60) -> str:
    """Return a value as part of a sentence: on one line, cut where it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object may refuse to be shown
        text = f"an object of the class {type(value).__name__}"
    return text if len(text) <= most else text[: most - 3] + "..."
