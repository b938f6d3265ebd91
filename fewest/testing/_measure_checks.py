"""Conformance suite for measures, built-in ones and yours.

In a test file::

    from fewest.testing import parametrize_with_measure_checks, toy_table

    @parametrize_with_measure_checks([(MyMeasure(), toy_table())])
    def test_measure(measure, table, check):
        check(measure, table)
"""

from __future__ import annotations

import copy
import dataclasses
import math
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from .._errors import InputError
from ..data._table import Table
from ..measures._measure import Measure, Scores
from ..search._better import SAME_SCORE_TOLERANCE

#: No declared parameter may be any of these.
JUNK: tuple[object, ...] = ("no such word", -7.25, math.nan, [1, 2], {"a": 1}, object())


def check_parameters_get_set_clone(thing: Any) -> None:
    """Check that ``get_params`` returns all fields, ``clone`` copies, and ``set_params`` sets."""
    names = {field.name for field in dataclasses.fields(thing)}
    params = thing.get_params(deep=False)
    assert set(params) == names, f"get_params gives {set(params)}, the fields are {names}"
    twin = clone(thing)
    assert type(twin) is type(thing)
    assert twin is not thing
    for name, value in params.items():
        twin.set_params(**{name: value})
        assert getattr(twin, name) is value


def check_parameters_refuse_junk(thing: Any) -> None:
    """Check that junk in any declared parameter is an :class:`InputError` that names it."""
    thing.check_parameters()
    for field in dataclasses.fields(thing):
        if field.metadata.get("check") is None:
            continue
        for junk in JUNK:
            _check_refused(thing, field.name, junk)


def _check_refused(thing: Any, name: str, junk: object) -> None:
    if _allowed(thing, name, junk):
        return
    broken = clone(thing).set_params(**{name: junk})
    try:
        broken.check_parameters()
    except InputError as error:
        text = str(error)
        assert f"`{name}`" in text and "must be" in text and repr(junk) in text, text
        assert text.endswith("."), f"not a sentence: {text}"
    else:
        raise AssertionError(f"`{name}` of {type(thing).__name__} takes {junk!r} silently")


def _allowed(thing: Any, name: str, value: object) -> bool:
    """Return whether the declaration of a parameter allows a value (a number may well be -7.25)."""
    (field,) = [f for f in dataclasses.fields(thing) if f.name == name]
    return value == -7.25 and bool(field.metadata["check"](value))


Check = Callable[[Measure, Table], None]


def _subsets(table: Table, n: int = 12, seed: int = 0) -> NDArray[np.bool_]:
    """Return random subsets, the empty one and the full one among them."""
    rng = np.random.default_rng(seed)
    masks = rng.random((n, table.n_features)) < rng.random((n, 1))
    masks[0], masks[-1] = False, True
    return masks


def _bind(measure: Measure, table: Table) -> Any:
    return measure.bind(table, np.random.default_rng(0))


def _same(one: Scores, other: Scores) -> None:
    np.testing.assert_allclose(
        one.value, other.value, rtol=SAME_SCORE_TOLERANCE, atol=SAME_SCORE_TOLERANCE
    )
    assert (one.folds is None) == (other.folds is None)
    if one.folds is not None and other.folds is not None:
        np.testing.assert_allclose(
            one.folds, other.folds, rtol=SAME_SCORE_TOLERANCE, atol=SAME_SCORE_TOLERANCE
        )
    assert set(one.goals) == set(other.goals)
    for goal in one.goals:
        np.testing.assert_allclose(
            one.goals[goal], other.goals[goal], rtol=SAME_SCORE_TOLERANCE, atol=SAME_SCORE_TOLERANCE
        )


def check_is_described(measure: Measure, table: Table) -> None:
    """Check that it has a name and a docstring that describes what it does."""
    assert measure.name
    assert measure.name == measure.name.lower()
    assert (type(measure).__doc__ or "").strip(), "no docstring"


def check_parameters(measure: Measure, table: Table) -> None:
    """Check that its parameters are declared, copied and checked."""
    check_parameters_get_set_clone(measure)
    check_parameters_refuse_junk(measure)


def check_scores_every_candidate(measure: Measure, table: Table) -> None:
    """Check that each candidate gets one value, also the empty and full subset; none for none."""
    masks = _subsets(table)
    scorer = _bind(measure, table)
    scores = scorer.score(masks)
    assert scores.value.shape == (len(masks),)
    assert scores.value.dtype == np.float64
    assert scores.folds is None or scores.folds.shape[0] == len(masks)
    assert all(goal.shape == (len(masks),) for goal in scores.goals.values())
    assert not np.isnan(scores.value[[0, -1]]).any(), "the empty or the full subset has no value"
    assert len(scorer.score(masks[:0])) == 0


def check_does_not_depend_on_the_batch(measure: Measure, table: Table) -> None:
    """Check that every candidate gets the same score alone, in parts or in another order."""
    masks = _subsets(table)
    scorer = _bind(measure, table)
    together = scorer.score(masks)
    _same(together, Scores.join([scorer.score(masks[i : i + 1]) for i in range(len(masks))]))
    _same(together, Scores.join([scorer.score(masks[:5]), scorer.score(masks[5:])]))
    backwards = np.arange(len(masks))[::-1]
    _same(together.take(backwards), scorer.score(masks[backwards]))
    _same(together, scorer.score(np.asfortranarray(masks)))


def check_scores_equals_equally(measure: Measure, table: Table) -> None:
    """Check that the same subset twice in a batch has the same score."""
    masks = _subsets(table)
    twice = _bind(measure, table).score(np.concatenate([masks, masks]))
    n = np.arange(len(masks))
    _same(twice.take(n), twice.take(n + len(masks)))


def check_is_repeatable(measure: Measure, table: Table) -> None:
    """Check that it gives the same scores when it is bound twice with the same seed."""
    masks = _subsets(table)
    _same(_bind(measure, table).score(masks), _bind(measure, table).score(masks))


def check_pickles(measure: Measure, table: Table) -> None:
    """Check that a scorer gives the same scores after it went to another process and back."""
    masks = _subsets(table)
    scorer = _bind(measure, table)
    _same(scorer.score(masks), pickle.loads(pickle.dumps(scorer)).score(masks))


def check_changes_nothing(measure: Measure, table: Table) -> None:
    """Check that the table, the candidates and its own parameters do not change."""
    masks = _subsets(table)
    before = masks.copy(), table.values.copy(), table.target.copy()
    params = copy.copy(measure.get_params(deep=False))
    _bind(measure, table).score(masks)
    for old, new in zip(before, (masks, table.values, table.target), strict=True):
        np.testing.assert_array_equal(old, new)
    after = measure.get_params(deep=False)
    assert all(after[name] is params[name] for name in params)


def check_is_monotone(measure: Measure, table: Table) -> None:
    """Check that a monotone measure never falls as features are added, and has a threshold."""
    scorer = _bind(measure, table)
    if not measure.monotone:
        assert scorer.threshold is None
        return
    assert scorer.threshold is not None
    rng = np.random.default_rng(1)
    for _ in range(5):
        order = rng.permutation(table.n_features)
        chain = np.tril(np.ones((table.n_features + 1, table.n_features), dtype=bool), -1)
        value = scorer.score(chain[:, np.argsort(order)]).value
        assert (np.diff(value) >= -SAME_SCORE_TOLERANCE).all(), value


def check_cuts_are_valid(measure: Measure, table: Table) -> None:
    """Check that cuts are outside their candidate and hit by subsets that reach the threshold."""
    scorer = _bind(measure, table)
    if not measure.monotone:
        return
    masks = _subsets(table, n=200, seed=2)
    reaches = scorer.score(masks).value >= scorer.threshold - SAME_SCORE_TOLERANCE
    for candidate in masks[~reaches][:10]:
        for limit in (1, 3, 0):
            cuts = scorer.cuts(candidate, limit)
            assert cuts.ndim == 2
            assert cuts.shape[1] == table.n_features
            assert len(cuts) >= 1
            assert limit == 0 or len(cuts) <= limit
            assert not (cuts & candidate).any(), "a cut overlaps its candidate"
            hit = (masks[reaches][:, None, :] & cuts).any(axis=2)
            assert hit.all(), "a subset reaches the threshold without the cut"


def measure_checks() -> dict[str, Check]:
    """Return the checks by name; each takes a measure and a table, and raises where it fails.

    Examples
    --------
    >>> from fewest.testing import measure_checks
    >>> len(list(measure_checks())) > 5
    True
    """
    return {
        "is described": check_is_described,
        "parameters": check_parameters,
        "scores every candidate": check_scores_every_candidate,
        "does not depend on the batch": check_does_not_depend_on_the_batch,
        "scores equals equally": check_scores_equals_equally,
        "is repeatable": check_is_repeatable,
        "pickles": check_pickles,
        "changes nothing": check_changes_nothing,
        "is monotone": check_is_monotone,
        "cuts are valid": check_cuts_are_valid,
    }


def check_measure(measure: Measure, table: Table) -> None:
    """Run the whole suite on one measure over one table.

    >>> from fewest.testing import TableMeasure, check_measure, random_values, toy_table
    >>> check_measure(TableMeasure(random_values(4)), toy_table(n_features=4))
    """
    for check in measure_checks().values():
        check(measure, table)


def parametrize_with_measure_checks(pairs: Iterable[tuple[Measure, Table]]) -> Any:
    """Return a pytest decorator: one test per pair and check (arguments ``measure, table, check``).

    >>> from fewest.measures import resolve_measure
    >>> from fewest.testing import parametrize_with_measure_checks, toy_table
    >>> @parametrize_with_measure_checks([(resolve_measure("cfs"), toy_table())])
    ... def test_measure(measure, table, check):
    ...     check(measure, table)
    """
    import pytest

    def cases() -> Iterator[Any]:
        for number, (measure, table) in enumerate(pairs):
            for name, check in measure_checks().items():
                yield pytest.param(measure, table, check, id=f"{measure.name} {number}: {name}")

    return pytest.mark.parametrize(("measure", "table", "check"), list(cases()))
