"""Every generator by name: shapes, seeds, refusals."""

from __future__ import annotations

import pytest

from fewest.data import generate
from fewest.data.generators import names
from fewest.errors import InputError

SHAPES = {
    "led24": (1000, 24, 10, 7),
    "led24-faultless": (1200, 24, 10, 7),
    "redundant21": (2500, 21, 2, 9),
    "redundant-order-3": (2000, 21, 2, 15),
    "redundant-order-5": (2000, 21, 2, 9),
    "redundant-order-7": (2000, 21, 2, 9),
    "red60of1": (2000, 100, 2, 60),
    "red30of2": (2000, 80, 2, 50),
    "red30of3": (2000, 100, 2, 40),
    "waveform-21": (5000, 21, 3, 19),
    "waveform-40": (5000, 40, 3, 19),
    "corral": (32, 6, 2, 4),
    "parity3+3": (64, 12, 2, 3),
    "monks-1": (432, 6, 2, 3),
    "monks-2": (432, 6, 2, 6),
    "monks-3": (432, 6, 2, 3),
    "3-weights": (600, 12, 2, 8),
    "c-weights": (600, 10, 2, 10),
    "xor": (32, 8, 2, 3),
    "friedman1": (200, 10, 0, 5),
    "friedman2": (200, 4, 0, 4),
    "friedman3": (200, 4, 0, 4),
    "linear": (300, 40, 0, 8),
    "noise": (60, 500, 2, 0),
    "dirty-churn": (5300, 17, 2, 4),
    "patients": (600, 15, 2, 2),
    "fraud": (5000, 9, 2, 3),
    "sensors-in-time": (3000, 7, 2, 2),
    "survey": (1500, 11, 2, 3),
    "houses": (1000, 9, 0, 3),
}


@pytest.mark.parametrize("name", names())
def test_shapes_and_seeds(name):
    data = generate(name)
    table = data.table()
    base = name.removesuffix("-scattered")
    shape = (table.n_rows, table.n_features, table.n_classes, len(data.relevant))
    assert shape == SHAPES[base]
    assert set(data.relevant) <= set(data.names)
    assert data.about
    assert generate(name, random_state=0).table().fingerprint == table.fingerprint
    assert generate(name, n_rows=50, random_state=1).table().n_rows == 50


@pytest.mark.parametrize("name", ["led24", "waveform-40", "corral", "noise", "c-weights"])
def test_another_seed_gives_other_rows(name):
    first, second = (generate(name, 100, random_state=s).table() for s in (0, 1))
    assert first.fingerprint != second.fingerprint


@pytest.mark.parametrize("n_rows", [0, -1, 2.5, True])
def test_rows_must_be_a_number(n_rows):
    with pytest.raises(InputError, match="`n_rows` must be a whole number of at least 1"):
        generate("led24", n_rows)


def test_no_such_generator():
    with pytest.raises(InputError, match="'led42' is none; did you mean 'led24'"):
        generate("led42")
