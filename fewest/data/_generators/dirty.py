"""Tables with the faults of real ones: identifiers, leaks, copies, patients, time, weights.

The truth is known: ``relevant`` are the features of the target, ``planted`` the faults.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._columns import Column, Columns, checked
from .._dataset import Dataset, make_dataset

#: Words of comments that say nothing about the customer.
WORDS = (
    "the", "price", "bill", "is", "was", "fine", "router", "slow", "called", "twice", "thanks",
    "please", "fix", "my", "line", "again", "good", "service", "no", "answer", "today", "late",
)  # fmt: skip


def dirty_churn(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """Make customers that leave, with one column for nearly every fault that a table can have.

    The logit of leaving is 1.2 calls - 1.2 tenure (both standardised) + 0.8 charges, and 1.5 more
    for monthly contracts. ``refund`` is filled in after the event. 3 of 53 rows are duplicates.
    """
    n = max(1, n_rows * 50 // 53)
    tenure, charges = rng.integers(1, 73, n), np.round(rng.uniform(20, 120, n), 2)
    calls, contract = rng.poisson(2.0, n), rng.integers(0, 3, n)
    logit = 1.2 * (calls - 2) / 1.4 - 1.2 * (tenure - 36) / 21 + 0.8 * (charges - 70) / 29
    leaves = rng.random(n) < _share(logit + 1.5 * (contract == 0) - 1.6)
    usage = rng.gamma(4.0, 25.0, n)
    survey = np.where(rng.random(n) < np.where(leaves, 0.55, 0.1), np.nan, rng.integers(0, 11, n))
    columns = {
        "customer_id": [f"C{i:06d}" for i in rng.permutation(900_000)[:n]],
        "comment": [" ".join(rng.choice(WORDS, 8)) + f", ref {i}" for i in rng.permutation(n)],
        "signup": [str(datetime.date(2019, 1, 1) + datetime.timedelta(int(d)))
                   for d in rng.integers(0, 1800, n)],
        "tenure": tenure, "charges": charges, "charges_with_tax": charges * 1.1,
        "calls": calls, "contract": np.array(["month", "one-year", "two-year"])[contract],
        "plan_code": np.array(["M", "Y1", "Y2"])[contract],
        "city": [f"city {i}" for i in rng.integers(0, 150, n)],
        "usage": [f"{v:.1f}".replace(".", ",") for v in usage],
        "survey_score": survey, "country": ["XY"] * n,
        "refund": np.where(leaves & (rng.random(n) < 0.97), rng.gamma(2.0, 20.0, n), 0.0),
        "noise1": rng.normal(size=n), "noise2": rng.normal(size=n), "noise3": rng.normal(size=n),
    }  # fmt: skip
    rows = np.concatenate([np.arange(n), rng.integers(0, n, n_rows - n)])
    planted = (
        ("identifier", "customer_id"), ("free-text", "comment"), ("leak", "refund"),
        ("affine-copy", "charges_with_tax"), ("one-to-one", "plan_code"), ("date", "signup"),
        ("number-as-text", "usage"), ("many-levels", "city"), ("constant", "country"),
        ("missing-by-target", "survey_score"), ("duplicate-rows", ""),
    )  # fmt: skip
    relevant = ("tenure", "charges", "calls", "contract")
    labels = np.where(leaves, "yes", "no")
    return _made(name, columns, labels, "churn", relevant, planted, rows[rng.permutation(n_rows)])


def patients(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """Ten visits of each patient: rows of one person look alike, and a new person does not.

    Two markers tell the diagnosis a little; ten others and the age are only those of the person.
    """
    person = rng.permutation(n_rows) // 10
    n = (n_rows + 9) // 10
    ill = rng.permutation(np.arange(n) % 2)
    own = rng.normal(size=(n, 12))
    own[:, :2] += 0.6 * (2 * ill[:, None] - 1)
    markers = own[person] + 0.25 * rng.normal(size=(n_rows, 12))
    columns: dict[str, Any] = {
        "patient": [f"P{i:03d}" for i in rng.permutation(n)[person]],
        "age": np.round(rng.uniform(20, 90, n), 1)[person],
        "sex": np.array(["f", "m"])[rng.integers(0, 2, n)][person],
        **{f"marker{j + 1}": markers[:, j] for j in range(12)},
    }
    labels = np.where(ill[person] == 1, "ill", "well")
    planted = (("row-groups", "patient"),)
    return _made(name, columns, labels, "diagnosis", ("marker1", "marker2"), planted)


def fraud(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """Payments of which 2.4 % are fraud; three of nine columns matter."""
    x = rng.normal(size=(n_rows, 9))
    risk = 1.5 * x[:, 0] + 1.2 * x[:, 1] + 1.0 * x[:, 2] + rng.logistic(size=n_rows)
    names = ["amount", "hour", "distance", *(f"noise{j}" for j in range(1, 7))]
    columns = dict(zip(names, x.T, strict=True))
    labels = np.where(risk > np.quantile(risk, 0.976), "fraud", "fine")
    return _made(name, columns, labels, "fraud", names[:3], (("imbalance", ""),))


def sensors_in_time(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """Make one row per hour of a machine: the state lasts for a day or so, and sensors drift.

    Two sensors tell the state; four wander by themselves, so that rows nearby in time look alike.
    """
    state = np.cumsum(rng.random(n_rows) < 1 / 24) % 2
    walk = np.cumsum(rng.normal(scale=0.2, size=(n_rows, 4)), axis=0)
    start = datetime.datetime(2023, 1, 1)
    hours = [start + datetime.timedelta(hours=i) for i in range(n_rows)]
    columns = {
        "time": [f"{hour:%Y-%m-%d %H:%M}" for hour in hours],
        "pressure": 0.9 * state + rng.normal(size=n_rows),
        "current": 0.9 * state + rng.normal(size=n_rows),
        **{f"drift{j + 1}": walk[:, j] for j in range(4)},
    }
    labels = np.where(state == 1, "worn", "normal")
    planted = (("date", "time"), ("ordered-rows", "time"))
    return _made(name, columns, labels, "state", ("pressure", "current"), planted)


def survey(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """Answers from 1 to 5, codes of regions, and the number of people that each row stands for.

    Satisfaction grows with two of eight answers; regions 3 and 6 are less satisfied. A third of
    the rows are the young ones, who are half as likely to be asked.
    """
    answers = rng.integers(1, 6, (n_rows, 8))
    region, young = rng.integers(1, 9, n_rows), rng.random(n_rows) < 1 / 3
    logit = 0.8 * (answers[:, 0] - 3) + 0.6 * (answers[:, 1] - 3) - 1.5 * np.isin(region, (3, 6))
    satisfied = rng.random(n_rows) < _share(logit + 0.3)
    income = np.exp(rng.normal(8.0, 0.6, n_rows)).round()
    columns = {
        **{f"q{j + 1}": answers[:, j] for j in range(8)},
        "region": region, "income": [f"{v:,.0f} EUR" for v in income],
        "weight": np.where(young, 2.0, 1.0),
    }  # fmt: skip
    planted = (
        *(("few-values", f"q{j + 1}") for j in range(8)), ("few-values", "region"),
        ("number-as-text", "income"),
    )  # fmt: skip
    labels = np.where(satisfied, "yes", "no")
    return _made(name, columns, labels, "satisfied", ("q1", "q2", "region"), planted)


def houses(name: str, n_rows: int, rng: np.random.Generator) -> Dataset:
    """Prices of houses; one in a hundred is wrong by a factor of a hundred.

    The price is 3000 for each square metre, 20000 for each room, 1000 less for each year of age.
    """
    area, rooms = np.round(rng.uniform(40, 240, n_rows)), rng.integers(1, 8, n_rows)
    year = rng.integers(1900, 2024, n_rows)
    price = 3000 * area + 20_000 * rooms - 1000.0 * (2024 - year)
    price += rng.normal(scale=60_000, size=n_rows)
    wrong = rng.permutation(n_rows)[: max(1, n_rows // 100)]
    price[wrong] *= 100
    plot = [f"{v:.0f} m2" for v in rng.uniform(100, 900, n_rows)]
    storeys = [str(v) for v in rng.integers(1, 4, n_rows)]
    for i in np.flatnonzero(rng.random(n_rows) < 0.05):
        storeys[i] = "unknown"
    columns = {
        "area": area, "square_feet": area * 10.764 + 0.5, "rooms": rooms, "year": year,
        "plot": plot, "storeys": storeys,
        "sold": [str(datetime.date(2020, 1, 1) + datetime.timedelta(int(d)))
                 for d in rng.integers(0, 1400, n_rows)],
        "noise1": rng.normal(size=n_rows), "noise2": rng.normal(size=n_rows),
    }  # fmt: skip
    planted = (
        ("target-outliers", ""), ("affine-copy", "square_feet"), ("number-as-text", "plot"),
        ("mixed-types", "storeys"), ("date", "sold"),
    )  # fmt: skip
    return _made(name, columns, np.round(price), "price", ("area", "rooms", "year"), planted)


def _share(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logit)))


def _made(
    name: str,
    columns: Mapping[str, Any],
    target: NDArray[Any],
    target_name: str,
    relevant: Any,
    planted: tuple[tuple[str, str], ...],
    rows: NDArray[np.intp] | None = None,
) -> Dataset:
    """Return the data set of these columns, or of some of their rows."""
    rows = np.arange(len(target)) if rows is None else rows
    made = [_column(np.asarray(values)[rows]) for values in (*columns.values(), target)]
    every = checked(Columns((*columns, target_name), tuple(made), len(rows), True))
    return make_dataset(every, target_name, name, relevant=tuple(relevant), planted=planted)


def _column(values: NDArray[Any]) -> Column:
    if values.dtype.kind in "iuf":
        return Column(numbers=values.astype(np.float64))
    return Column(labels=values.tolist())
