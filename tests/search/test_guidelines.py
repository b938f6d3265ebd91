"""The guidelines of the sources: which search, and with which reason."""

from __future__ import annotations

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._run.stop_rules import Seconds
from fewest.search import SEARCHES
from fewest.search._auto import Guidelines, guidelines


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        # The examples of Dash and Liu (2003), section 4.6: Parity3+3, Vote, Letter.
        ({"n_features": 12, "monotone": True, "needed": 3}, "focus-m"),
        ({"n_features": 16, "monotone": True, "needed": 8}, "abb"),
        ({"n_features": 16, "monotone": True, "needed": 11, "seconds": 60}, "qbb"),
        ({"n_features": 16, "monotone": True}, "exact"),
        ({"n_features": 57, "monotone": True, "seconds": 0.5}, "lvf"),
        ({"n_features": 57, "monotone": True, "seconds": 5, "correlated": False}, "set-cover"),
        # Inza (2002), section 6.2: small, medium and large scale.
        ({"n_features": 19}, "ebna"),
        ({"n_features": 49}, "ebna"),
        ({"n_features": 50}, "tree"),
        ({"n_features": 1558}, "tree"),
        ({"n_features": 1558, "seconds": 60}, "bsc"),
    ],
)
def test_what_the_sources_would_take(facts, name):
    advice = guidelines(**facts)
    assert advice.name == name
    assert advice.name in SEARCHES
    assert "section" in advice.why


def test_a_selector_follows_them_and_says_so():
    X = np.random.default_rng(0).integers(0, 2, (40, 6)).astype(str)
    y = (X[:, 0] == "1").astype(int)
    for stop, name in ((None, "exact"), (Seconds(20), "qbb")):
        selector = SubsetSelector(measure="inconsistency", search="guidelines", stop=stop)
        result = selector.fit(X, y).result_
        assert result.search == name
        assert result.features == ["x0"]
        assert any("follows the guidelines" in note for note in result.notes)


def test_what_is_known_of_the_problem_can_be_given():
    X = np.random.default_rng(0).integers(0, 2, (40, 6)).astype(str)
    y = (X[:, 0] == "1").astype(int)
    for search, stop, name in (
        (Guidelines(needed=1), None, "focus-m"),
        (Guidelines(needed=5), None, "abb"),
        (Guidelines(correlated=False), Seconds(20), "set-cover"),
    ):
        selector = SubsetSelector(measure="inconsistency", search=search, stop=stop).fit(X, y)
        assert selector.result_.search == name
        assert selector.result_.features == ["x0"]
    with pytest.raises(InputError, match="`needed` of Guidelines must be at least 1, but is 0"):
        SubsetSelector(measure="inconsistency", search=Guidelines(needed=0)).fit(X, y)
