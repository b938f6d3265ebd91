"""Which honest estimate to make of a selection: nested where there is time for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .schemes import scheme_shape

if TYPE_CHECKING:
    from ..run.result import Result

#: What ``--validate`` takes.
WAYS = ("auto", "nested", "corrected", "none")
#: One pass over the rows in selections on training parts, over one selection on all rows: ten
#: selections on half of the rows each (five passes) take as long as six on all rows.
PASS_COST = 1.2
#: Operations per second that estimates reckon with: no clock is read, so that the same data and
#: seed get the same estimates on every machine.
OPERATIONS_PER_SECOND = 1e9
#: Nested validation that would take longer than this is not started by itself.
SLOW_SECONDS = 300.0
#: A search that takes no longer is replayed even where nested validation is made.
QUICK_SECONDS = 1.0


def check_way(way: Any) -> None:
    """Raise a sentence unless ``way`` is one of :data:`WAYS`."""
    if way not in WAYS:
        raise InputError(f"`--validate` must be one of {', '.join(WAYS)}, but is {way!r}.")


def estimates(
    way: str, result: Result, *, limited: bool, scheme: str = "5x2cv"
) -> tuple[bool, bool, list[str]]:
    """Whether to validate, whether to replay the search, and what to say of it.

    Parameters
    ----------
    way : one of :data:`WAYS`
    result : what the selection gave, and how many operations it took
    limited : whether a time budget limits the validation anyway
    scheme : the external loop, like "5x2cv"
    """
    if way != "auto":
        return way == "nested", way == "corrected", []
    has_folds = result.folds is not None
    repetitions, folds = scheme_shape(scheme)
    own = result.extra.get("operations", 0.0) / OPERATIONS_PER_SECOND
    seconds = PASS_COST * repetitions * (folds - 1) * own
    if limited or seconds <= SLOW_SECONDS:
        return True, has_folds and own <= QUICK_SECONDS, []
    slow = f"Nested validation would take about {seconds / 60:.0f} minutes"
    remedy = "`--validate nested` makes it."
    if not has_folds:
        return False, False, [f"{slow}, so it was left out; {remedy}"]
    return False, True, [f"{slow}, so the search is replayed where it can be; {remedy}"]
