"""Data sets made by rule, whose relevant features are known."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..._errors import InputError, brief, nearest_names
from .._dataset import Dataset
from . import classic, dirty


@dataclass(frozen=True)
class _Generator:
    make: Callable[..., Dataset]
    n_rows: int | None  # None: the complete domain
    about: str
    options: dict[str, Any] = field(default_factory=dict)


def _groups(n_groups: int, size: int, single: int) -> _Generator:
    about = f"{n_groups} groups of {size} equal features, {single} more; nearer to 0s or to 9s"
    options = {"n_groups": n_groups, "size": size, "single": single}
    return _Generator(classic.groups, 2000, about, options)


_BY_NAME: dict[str, _Generator] = {
    "led24": _Generator(
        classic.led24, 1000, "digits on a faulty display, 7 segments and 17 random bits"
    ),
    "led24-faultless": _Generator(
        classic.led24, 1200, "digits on a perfect display and 17 random bits", {"faults": 0.0}
    ),
    "redundant21": _Generator(
        classic.redundant21, 2500, "9 features, three of them with 4 copies; nearer to 0s or to 9s"
    ),
    "redundant-order-3": _groups(3, 3, 12),
    "redundant-order-5": _groups(3, 5, 6),
    "redundant-order-7": _groups(2, 7, 7),
    "red60of1": _Generator(
        classic.red60of1, 2000, "60 features of the concept, 40 irrelevant; nearer to 0s or to 9s"
    ),
    "red30of2": _groups(30, 2, 20),
    "red30of3": _groups(30, 3, 10),
    "waveform-21": _Generator(classic.waveform, 5000, "three waves at 21 points with noise"),
    "waveform-40": _Generator(
        classic.waveform, 5000, "three waves at 21 points, 19 columns of noise", {"noise": 19}
    ),
    "corral": _Generator(classic.corral, None, "(A0 and A1) or (B0 and B1), and a tempting bit"),
    "parity3+3": _Generator(
        classic.parity33, None, "parity of 3 bits, 3 irrelevant ones, copies of all"
    ),
    "monks-1": _Generator(classic.monks, None, "a1 = a2 or a5 = 1", {"problem": 1}),
    "monks-2": _Generator(classic.monks, None, "exactly two features are 1", {"problem": 2}),
    "monks-3": _Generator(
        classic.monks, None, "a5 = 3 and a4 = 1, or a5 not 4 and a2 not 3", {"problem": 3}
    ),
    "3-weights": _Generator(
        classic.three_weights, 600, "features with weights 1, 1/2 and 0; nearer to 0s or to 9s"
    ),
    "c-weights": _Generator(
        classic.c_weights, 600, "features with weights in [0, 1]; nearer to 0s or to 9s"
    ),
    "xor": _Generator(classic.xor, None, "(A1 xor A4) and A2, with copies and a near copy"),
    "friedman1": _Generator(
        classic.friedman1, 200, "a sine, a square and two lines of 5 of 10 columns; a number"
    ),
    "friedman2": _Generator(classic.friedman2, 200, "the impedance of a circuit; a number"),
    "friedman3": _Generator(classic.friedman3, 200, "the phase shift of a circuit; a number"),
    "linear": _Generator(
        classic.linear, 300, "a sum of 8 of 40 correlated columns with noise; a number"
    ),
    "noise": _Generator(classic.noise, 60, "500 columns that have nothing to do with the class"),
    "dirty-churn": _Generator(
        dirty.dirty_churn, 5300, "customers that leave, with identifiers, a leak, copies, text"
    ),
    "patients": _Generator(dirty.patients, 600, "ten visits of each of 60 patients"),
    "fraud": _Generator(dirty.fraud, 5000, "payments of which 2.4 % are fraud"),
    "sensors-in-time": _Generator(dirty.sensors_in_time, 3000, "hours of a machine, in order"),
    "survey": _Generator(dirty.survey, 1500, "answers from 1 to 5, codes, and weights of rows"),
    "houses": _Generator(dirty.houses, 1000, "prices of houses, 1 % of them wrong; a number"),
}
_SCATTERED = [
    name for name, g in _BY_NAME.items() if g.make in (classic.redundant21, classic.groups)
]
_BY_NAME |= {
    f"{name}-scattered": replace(
        _BY_NAME[name],
        about=f"{name} with its features in random order",
        options={**_BY_NAME[name].options, "scattered": True},
    )
    for name in _SCATTERED
}


def names() -> list[str]:
    """Return the names of all generators."""
    return list(_BY_NAME)


def about(name: str) -> str:
    """Return what a generator makes, in a line."""
    return _BY_NAME[name].about


def generate(
    name: str, n_rows: int | None = None, random_state: int | np.random.Generator = 0
) -> Dataset:
    """Make a generated data set; the same name, rows and seed give the same data.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    n_rows : int, optional
        By default as many as in the literature; for the logical concepts their whole domain.
    random_state : int or numpy Generator

    Returns
    -------
    Dataset
        Its ``relevant`` are the features that the class depends on (one of equal ones).

    Examples
    --------
    >>> data = generate("led24", n_rows=200)
    >>> data
    Dataset led24: 200 rows, 24 features (24 nominal), target 'class' with 10 classes
    >>> len(data.relevant)
    7
    """
    if name not in _BY_NAME:
        close = nearest_names(name, _BY_NAME)
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
        raise InputError(f"`name` must be that of a generator, but {name!r} is none{hint}")
    _check_rows(n_rows)
    generator = _BY_NAME[name]
    rows = generator.n_rows if n_rows is None else n_rows
    made = generator.make(name, rows, np.random.default_rng(random_state), **generator.options)
    return replace(made, about=generator.about)


def _check_rows(n_rows: object) -> None:
    whole = isinstance(n_rows, numbers.Integral) and not isinstance(n_rows, bool)
    if n_rows is not None and not (whole and int(n_rows) >= 1):  # type: ignore[call-overload]
        raise InputError(f"`n_rows` must be a whole number of at least 1, but is {brief(n_rows)}.")
