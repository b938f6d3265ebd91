"""ID3: the chi-squared test and unknown values."""

from __future__ import annotations

from fewest.classifiers._trees.tree import ID3
from tests.classifiers.trees.cases import days


def test_chi_squared_stops_a_split():
    X, y = days()
    # Outlook against play: 3.55 with two degrees of freedom, p = 0.17; the others do worse.
    assert ID3(significance=0.2).fit(X, y).to_text().startswith("x0 = overcast: yes (4)")
    assert ID3(significance=0.15).fit([r[:1] for r in X], y).to_text() == "yes (14/5)"


def test_id3_sends_unknown_values_to_the_largest_branch():
    X = [["a"]] * 3 + [["b"]] * 2 + [[None]]
    tree = ID3(significance=1.0).fit(X, [0, 0, 0, 1, 1, 1])
    assert tree.to_text() == "x0 = a: 0 (4/1)\nx0 = b: 1 (2)"
    assert tree.predict_proba([[None], ["never seen"]]).tolist() == [[0.75, 0.25]] * 2
