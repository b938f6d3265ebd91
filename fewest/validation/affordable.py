"""Which honest estimate to make of a selection: nested where there is time for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .schemes import AUTO, scheme_shape

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
#: In place of "auto" where that would be slow, or where time is limited.
CHEAPER = "5x2cv"
#: A search that takes no longer is replayed even where nested validation is made.
QUICK_SECONDS = 1.0


def check_way(way: Any) -> None:
    """Raise a sentence unless ``way`` is one of :data:`WAYS`."""
    if way not in WAYS:
        raise InputError(f"`--validate` must be one of {', '.join(WAYS)}, but is {way!r}.")


def affordable_scheme(scheme: str, result: Result, *, limited: bool) -> str:
    """Return the scheme, or in place of "auto" the cheaper "5x2cv" where that takes long."""
    if scheme == AUTO and (limited or _seconds(scheme, result) > SLOW_SECONDS):
        return CHEAPER
    return scheme


def _seconds(scheme: str, result: Result) -> float:
    """Estimate how long an external loop takes, from the operations of the selection."""
    repetitions, folds = scheme_shape(scheme)
    own = float(result.extra.get("operations", 0.0)) / OPERATIONS_PER_SECOND
    return PASS_COST * repetitions * (folds - 1) * own


def estimates(
    way: str, result: Result, *, limited: bool, scheme: str = AUTO
) -> tuple[bool, bool, list[str]]:
    """Whether to validate, whether to replay the search, and what to say of it.

    Parameters
    ----------
    way : one of :data:`WAYS`
    result : what the selection gave, and how many operations it took
    limited : whether a time budget limits the validation anyway
    scheme : the external loop, "auto" or like "5x2cv"
    """
    if way != "auto":
        return way == "nested", way == "corrected", []
    if result.curve is not None and result.honest is not None:
        # The curve of the search has judged the whole procedure already.
        return False, False, []
    has_folds = result.folds is not None
    own = result.extra.get("operations", 0.0) / OPERATIONS_PER_SECOND
    seconds = _seconds(scheme, result)
    if limited or seconds <= SLOW_SECONDS:
        return True, has_folds and own <= QUICK_SECONDS, []
    slow = f"Nested validation would take about {seconds / 60:.0f} minutes"
    remedy = "`--validate nested` makes it."
    if not has_folds:
        return False, False, [f"{slow}, so it was left out; {remedy}"]
    return False, True, [f"{slow}, so the search is replayed where it can be; {remedy}"]
