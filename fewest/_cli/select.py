"""``fewest select``: select features and estimate their score on new data."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from . import arguments as a
from .options import SelectOptions, command
from .running import finish, in_order, recording, search_and_judge, shows, speaks
from .terminal import say

if TYPE_CHECKING:
    from .._interrupts import Interrupts
    from .._subset_selector import SubsetSelector
    from .._validation.validation import Validation
    from ..data import Dataset


#: A selection from a table outside memory is not repeated without being asked.
NOT_VALIDATED = (
    "There is no accuracy on new data, because that takes ten more selections from the table: "
    "`--validate nested` makes them."
)


def run(o: SelectOptions) -> None:
    """Select with the options ``o``, print, write; also what ``fewest resume`` calls."""
    in_order(lambda interrupts: _run(o, interrupts))


select = command(
    SelectOptions, run, "Select features of DATA and estimate their score on new data."
)


def _run(o: SelectOptions, interrupts: Interrupts) -> int:
    from .._report.text import describe_dataset
    from . import objects as build

    data, rows = build.with_rows(o, build.checked(o))
    given = {**_reading(o, data), **build.for_fit(o, rows)}
    total = a.seconds(o.max_time)
    share = None if total is None else total / 2 if o.validates else total
    selector = build.selector(o, share, journal=recording(o), verbose=int(shows(o)))
    if speaks(o):
        say(describe_dataset(data))
    validation, cut = search_and_judge(
        selector,
        lambda: selector.fit(data.X, data.y, **given),
        lambda: _estimate(o, selector, data, share, given, rows),
        interrupts,
    )
    if o.measure != "auto":
        selector.result_ = replace(selector.result_, measure=o.measure)
    return finish(o, selector.result_, validation, cut)


def fingerprint(o: SelectOptions) -> str:
    """Return what distinguishes the data of a run from all others."""
    from .._fitting.plan import make_problem
    from . import objects as build

    whole = build.dataset(o.data, o.target, o.types, o.encoding, o.task, o.memory)
    found, _ = build.with_rows(o, whole)
    measure = build.measure(o.measure, o.classifier, o.cv, o.scoring)
    problem = make_problem(found.X, found.y, measure, **_reading(o, found))
    return build.selector(o).seen(problem).table.fingerprint


def _reading(o: SelectOptions, data: Dataset) -> dict[str, Any]:
    """Return how the data are to be read, where that is given."""
    found = getattr(data, "task", None) or o.task
    task = {} if found is None else {"task": found}
    return task if o.nominal is None else {**task, "nominal": a.words(o.nominal)}


def _estimate(
    o: SelectOptions,
    selector: SubsetSelector,
    data: Dataset,
    share: float | None,
    given: dict[str, Any],
    rows: dict[str, Any],
) -> Validation | None:
    """Return the validation; make the replayed score and the permutation test as requested."""
    from .._validation.schemes import affordable_scheme, estimates
    from ..data._engine.open import is_stored

    result = selector.result_
    if is_stored(data.X):
        if o.way == "nested":
            return _validate(o, data, share, o.scheme, rows)
        judged = "outside" in result.extra or not o.validates
        result.notes.extend([] if judged else [NOT_VALIDATED])
        return None
    limited = share is not None
    scheme = affordable_scheme(o.scheme, result, limited=limited)
    # The curve of the search judges the model selected for; another one is judged by itself.
    other = o.way == "auto" and o.estimator is not None
    validates = "nested" if other else o.way
    nested, replayed, notes = estimates(validates, result, limited=limited, scheme=scheme)
    result.notes.extend(notes)
    if replayed:
        from .._validation.corrected import NoReplayError, corrected_score

        try:
            corrected_score(selector, data.X, data.y, **given)
        except NoReplayError:
            if o.way == "corrected":
                raise
    validation = _validate(o, data, share, scheme, rows) if nested else None
    if o.permutations is not None:
        from .._validation.permutation import permutation_test

        permutation_test(selector, data.X, data.y, permutations=o.permutations, **given)
    return validation


def _validate(
    o: SelectOptions, data: Dataset, share: float | None, scheme: str, rows: dict[str, Any]
) -> Validation:
    """Estimate what the selection is worth on rows that it has not seen."""
    from .._validation.external import validate
    from .._validation.schemes import scheme_shape
    from . import objects as build

    return validate(
        build.selector(o, None if share is None else share / math.prod(scheme_shape(scheme))),
        data.X,
        data.y,
        estimator=o.estimator,
        scoring=o.scoring,
        scheme=scheme,
        random_state=o.seed,
        verbose=int(shows(o)),
        **_reading(o, data),
        **rows,
    )
