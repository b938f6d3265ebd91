"""Internal against external scores by generation."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.validation.generations import internal_and_external, score_generations


def test_each_distinct_subset_is_judged_once():
    asked = []

    def judge(masks):
        asked.append(masks.copy())
        return masks @ np.array([1.0, 10.0, 100.0])

    history = [
        {"generation": g, "best_features": best} for g, best in enumerate(([0], [0], [1, 2], None))
    ]
    told = score_generations(history, 3, judge)
    assert [e["honest"] for e in told] == [1.0, 1.0, 110.0, None]
    assert [len(masks) for masks in asked] == [2]


@pytest.mark.parametrize("internal", [True, False])
def test_generations_without_a_best_are_left_out(internal):
    entry = {"generation": 0, "best_so_far": 0.9, "best_size": 2, "honest": 0.8}
    folds = internal_and_external([[entry, {**entry, "honest": None}]], internal)
    assert folds == [
        [{"generation": 0, "internal": 0.9 if internal else None, "external": 0.8, "size": 2}]
    ]


def test_validate_ends_where_the_last_generation_ends():
    from sklearn.datasets import load_iris

    import fewest

    X, y = load_iris(return_X_y=True, as_frame=True)
    selector = fewest.SubsetSelector("naive-bayes", search="exhaustive", max_features=2)
    validation = fewest.validate(selector, X, y, scheme="1x3cv", random_state=0)
    for history, score in zip(validation.history, validation.scores, strict=True):
        assert history[-1]["honest"] == score
    plain = validation.to_dict()["by_generation"]
    assert [fold[-1]["external"] for fold in plain] == validation.scores.tolist()
