"""The two ways in which fewest says no, and a warning that is given once."""


class InputError(ValueError):
    """What was given cannot be used; the message says what, why, and the remedy.

    The command line prints it as one sentence and exits with 1.
    """


class MismatchError(InputError):
    """A search, a measure and a space that do not go together."""


class FewRowsWarning(UserWarning):
    """There are fewer rows, or fewer of a class, than folds; a validation gives it once."""
