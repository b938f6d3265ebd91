"""Results out of thin air are as consistent as real ones."""

from __future__ import annotations

import numpy as np
import pytest

from fewest.testing._results import toy_comparison, toy_result, toy_validation


def test_a_result_agrees_with_its_own_archive_and_history():
    result = toy_result(generations=4)
    assert len(result.history) == result.generations == 4
    assert result.archive[0]["value"] == result.score
    assert max(e["value"] for e in result.archive) == result.score
    assert [result.names[j] for j in result.archive[0]["features"]] == result.features
    assert result.support.sum() == len(result.features)
    assert result.evaluations == len(result.archive)
    so_far = [g["best_so_far"] for g in result.history]
    assert so_far == sorted(so_far)
    assert so_far[-1] == result.score
    costs, values = zip(*((e["cost"], e["value"]) for e in result.front), strict=True)
    assert list(costs) == sorted(set(costs))
    assert list(values) == sorted(set(values))


def test_a_result_reads_back():
    result = toy_result(seed=3)
    again = type(result).from_dict(result.to_dict())
    assert again.to_dict() == result.to_dict()


def test_an_illusion_is_no_better_than_chance():
    support = np.array([True, False, False])
    real, illusion = (toy_validation(["a", "b", "c"], support, i) for i in (False, True))
    assert real.score > 0.8
    assert illusion.score == pytest.approx(0.5, abs=0.03)
    assert real.score == pytest.approx(real.scores.mean())
    assert real.supports.shape == (10, 3)
    assert real.sizes == real.supports.sum(axis=1).tolist()


def test_each_method_of_a_comparison_is_worse_than_the_one_before():
    validations = toy_comparison(["a", "b", "c"]).validations
    accuracies = [validations[name].score for name in ("a", "b", "c")]
    assert accuracies == sorted(accuracies, reverse=True)
