"""The figure of a network."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.classifiers._network_classifiers import BayesianNetworkClassifier
from tests.classifiers.bayes.cases import CHAIN, NAMES, data


def test_the_figure_names_every_variable_and_draws_every_arc(tmp_path):
    pytest.importorskip("matplotlib")
    X, y = data(np.random.default_rng(5))
    model = BayesianNetworkClassifier(CHAIN).fit(X, y)
    figure = model.to_figure()
    texts = figure.axes[0].texts
    assert {text.get_text() for text in texts} - {""} == {*NAMES, "class"}
    arcs = sum(len(parents) for parents in CHAIN.values())
    assert sum(text.get_text() == "" for text in texts) == arcs
    figure.savefig(tmp_path / "network.png")
    assert (tmp_path / "network.png").stat().st_size > 0
