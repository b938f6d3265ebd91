"""Groups of rows that look alike, without a column that names them."""

from __future__ import annotations

import numpy as np
import pytest

import fewest
from fewest.data import generate


def people(rng, n=80, visits=8):
    """Stable columns of each person, and measurements of each visit."""
    person = rng.permutation(np.repeat(np.arange(n), visits))
    own = np.column_stack(
        [rng.integers(20, 90, n), rng.integers(150, 200, n), rng.integers(1000, 1040, n)]
    )
    return np.column_stack([own[person], rng.normal(size=(len(person), 3))]), person


def alike(X, y=None):
    rng = np.random.default_rng(5)
    found = fewest.check(X, rng.integers(0, 2, len(X)) if y is None else y)
    return found.of("alike-rows")


@pytest.mark.parametrize("seed", range(5))
def test_people_are_found_without_a_column_that_names_them(seed):
    X, _ = people(np.random.default_rng(seed))
    (found,) = alike(X)
    assert found.severity == "warning"
    assert found.evidence.startswith("100% of the rows share x0, x1, x2 with another row (80 ")


def test_values_that_are_unique_to_a_person_are_found_too():
    rng = np.random.default_rng(0)
    person = np.repeat(np.arange(60), 5)
    X = np.column_stack([rng.normal(size=(60, 3))[person], rng.normal(size=(300, 2))])
    assert len(alike(X)) == 1
    # A copy of a whole row is a copy, not another visit.
    assert not alike(X[::5].repeat(5, axis=0))


def test_a_large_table_is_found_in_some_of_its_rows():
    # Of so many people, ages and heights say less; days of birth and postcodes say enough.
    rng = np.random.default_rng(1)
    X, person = people(rng, 4_000, 5)
    X[:, :2] = rng.integers(0, 20_000, (4_000, 2))[person]
    (found,) = alike(X)
    assert " among " in found.evidence


def test_columns_that_are_made_of_others_are_no_people():
    rng = np.random.default_rng(0)
    price = rng.integers(10, 500, 3000)
    derived = [price, price // 7, np.round(price * 1.19), price % 100, np.sqrt(price).round(1)]
    assert not alike(np.column_stack([*derived, rng.normal(size=3000)]))
    height = rng.normal(170, 10, 4000).round()
    weight = (height - 100 + rng.normal(0, 8, 4000)).round()
    bmi = (weight / (height / 100) ** 2).round(1)
    assert not alike(np.column_stack([height, weight, bmi, rng.normal(size=4000)]))
    design = np.stack(np.meshgrid(*[np.arange(12)] * 3), -1).reshape(-1, 3).repeat(2, axis=0)
    assert not alike(np.column_stack([design, rng.normal(size=len(design))]))
    # Pictures come in some sizes; that their shapes repeat with them tells nothing more.
    sizes = rng.integers(20, 600, (60, 2))[rng.integers(0, 60, 2000)]
    shape = (sizes[:, 0] / sizes[:, 1]).round(4)
    assert not alike(np.column_stack([sizes, shape, rng.normal(size=2000)]))
    counts = rng.poisson(2.0, (2000, 8))
    assert not alike(np.column_stack([counts, counts.sum(axis=1), rng.normal(size=2000)]))


def test_given_groups_and_a_column_that_names_them_are_enough():
    X, person = people(np.random.default_rng(0))
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcdef"))
    assert len(alike(frame)) == 1
    y = np.random.default_rng(5).integers(0, 2, len(X))
    table = fewest.data.as_table(frame, y, metadata={"groups": person})
    assert not table.check().of("alike-rows")
    named = fewest.check(generate("patients"))
    assert len(named.of("row-groups")) == 1
    assert not named.of("alike-rows")
