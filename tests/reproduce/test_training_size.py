"""Accuracy inside and outside of the search, by the number of training rows."""

from dataclasses import replace

import pytest

from fewest.data._generators.by_name import generate
from papers import training_size
from papers.experiment import Settings
from papers.paper import read_paper


def test_accuracy_inside_and_outside_by_training_size():
    paper = replace(
        read_paper("inza2000"),
        domains={training_size.DOMAIN: {"generate": "waveform-40", "rows": 3400}},
    )
    cells = training_size.by_size(paper, Settings(seed=1, quick=True), 100, 20)
    internal, external, apart = cells
    assert len(internal.curve) == len(external.curve) == training_size.GENERATIONS + 1
    assert internal.curve == sorted(internal.curve)
    # A hundred rows and forty features: what the search believes is too good to be true.
    assert internal.here > external.here + 3
    assert internal.here == pytest.approx(internal.curve[-1], abs=1e-3)
    assert apart.here > 2


def test_tests_are_on_the_same_rows_for_every_size():
    table = generate("waveform-40", 5000).table()
    small, large = (training_size._splits(table, rows, Settings()) for rows in (100, 1600))
    for train, test in [*small, *large]:
        assert len(test) == 3200
        assert (test == small[0][1]).all()
        assert not set(train) & set(test)
    assert [len(train) for train, _ in large] == [1600] * 5
