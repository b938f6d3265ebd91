"""Questions have keys that tell them apart."""

from __future__ import annotations

import numpy as np

from fewest.measures._abilities import Question


def test_keys_differ_in_every_field():
    first = np.array([True, False])
    asked = [
        Question(first),
        Question(~first),
        Question(first, 0),
        Question(first, kind="permutation"),
        Question(first, seed=1),
        Question(first, shadows=True),
    ]
    assert len({question.key for question in asked}) == len(asked)
    assert Question(first).key == Question(first.copy()).key
