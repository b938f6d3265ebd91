"""The study of chapter 5: what an experiment tells, and the networks it comes from."""

from __future__ import annotations

import numpy as np
import pytest

from papers import joint as study
from papers.experiment import Settings
from papers.paper import read_paper
from papers.runner import plan


@pytest.fixture(scope="module")
def paper():
    return read_paper("inza2002")


@pytest.fixture(scope="module")
def cells(paper):
    experiments, absent = plan(paper, Settings(quick=True), ["Cleveland"], ["joint"])
    assert not absent
    (experiment,) = experiments
    return experiment.run()


def test_the_classifiers_are_those_of_the_lists(paper):
    assert set(study.classifiers(0)) == set(paper.tables["5.4.1"]["rows"])
    assert set(study.FAMILIES) == set(paper.tables["5.4.2"]["rows"])
    listed = {frozenset(pair.split(",")) for pair in paper.tables["5.4.3"]["rows"]}
    assert len(listed) == len(paper.tables["5.4.3"]["rows"]) == 10
    assert set().union(*listed) == set(study.FAMILIES)


def test_an_experiment_tells_the_readings_of_every_split(cells):
    readings = {cell.method: cell for cell in cells if cell.table == "5.4"}
    assert len(readings) == 6
    hard = np.reshape(readings["hard, with recovery"].each, (3, 14))
    assert readings["hard, with recovery"].here == (hard == 1.0).sum(axis=1).mean()
    # HOODG and PEBLS cannot take unknown values.
    assert (hard[:, -2:] == -1.0).all()
    assert "without HOODG, PEBLS" in readings["hard, with recovery"].note
    assert (hard[:, :-2] >= 0.0).all()


def test_fewer_arcs_mean_more_independences(cells):
    readings = {cell.method: cell for cell in cells if cell.table == "5.4"}
    for kind, n in (("inside", 5), ("between", 10)):
        full, half = (
            np.reshape(readings[f"{kind}, {way}"].each, (3, n))
            for way in (study.RECOVERED, study.HALF)
        )
        assert (half >= full).all()


def test_the_arcs_of_a_figure_are_those_of_the_first_split(cells):
    arcs = [cell for cell in cells if cell.table == "fig. 5.3"]
    assert 5 < len(arcs) < 60
    assert all(" → " in cell.method for cell in arcs)
    assert all(100 / 3 - 1e-9 <= cell.here <= 100.0 for cell in arcs)
