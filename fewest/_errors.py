"""The two ways in which fewest says no."""


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
