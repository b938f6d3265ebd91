"""The permutation test, against permutations made by hand."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

import fewest
from fewest._errors import InputError
from fewest._validation.permutation import permutation_test

X, Y = load_iris(return_X_y=True)


def selector(**options):
    given = {"search": "sfs", "cv": 3, "random_state": 0} | options
    return fewest.SubsetSelector(given.pop("measure", "gaussian-nb"), **given)


def test_it_is_the_selection_on_shuffled_targets():
    some = np.arange(0, 150, 3)
    fitted = selector().fit(X[some], Y[some])
    test = permutation_test(fitted, X[some], Y[some], permutations=5)
    rng = np.random.default_rng([0, 2])
    again = [selector().fit(X[some], Y[some][rng.permutation(50)]).score_ for _ in range(5)]
    assert test.scores == pytest.approx(again)
    assert test.score == fitted.score_
    assert test.p_value == (np.sum(np.array(again) >= fitted.score_) + 1) / 6
    assert fitted.result_.extra["permutation"] == test.to_dict()


def test_something_is_found_where_there_is_something():
    fitted = selector().fit(X, Y)
    assert permutation_test(fitted, X, Y, permutations=19).p_value == 0.05


def test_p_values_on_noise_are_spread_evenly():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(12):
        noise, labels = rng.normal(size=(30, 6)), np.arange(30) % 2
        fitted = selector().fit(noise, labels)
        found.append(permutation_test(fitted, noise, labels, permutations=9).p_value)
    assert 0.3 < np.mean(found) < 0.8


def test_workers_do_not_change_it():
    fitted = selector(search="ga-uniform").fit(X, Y)
    one, two = (permutation_test(fitted, X, Y, permutations=4, n_jobs=n) for n in (1, 2))
    assert one == two


def test_searches_for_a_threshold_are_tested_too():
    bits = np.random.default_rng(0).integers(0, 2, (60, 6))
    words, y = np.where(bits, "yes", "no"), bits[:, 0] ^ bits[:, 1]
    fitted = selector(measure="inconsistency", search="abb", cv="auto").fit(words, y)
    test = permutation_test(fitted, words, y, permutations=9)
    assert test.score == 0.0
    assert test.p_value == 0.1


def test_groups_keep_their_targets():
    groups = np.repeat(np.arange(10), 15)
    y = (groups % 2) ^ (np.arange(150) % 15 == 0)
    fitted = selector(cv="auto").fit(X, y, groups=groups)
    from fewest._validation.permutation import _orders
    from fewest.data._as_table import as_table

    table = as_table(X, y, metadata={"groups": groups})
    for order in _orders(table, 3, 0):
        assert sorted(order) == list(range(150))
        assert np.array_equal(groups[order], groups)
    assert permutation_test(fitted, X, y, permutations=2, groups=groups).p_value <= 1


def test_groups_with_one_target_each_exchange_their_targets():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), [3, 5] * 10)
    y = np.repeat(np.arange(20) % 2, [3, 5] * 10)
    signal = rng.normal(size=(80, 4))
    signal[:, 0] += 3.0 * y
    fitted = selector(cv="auto").fit(signal, y, groups=groups)
    test = permutation_test(fitted, signal, y, permutations=19, groups=groups)
    assert test.p_value == 0.05
    assert len(set(test.scores)) > 5


def test_one_mixed_group_does_not_stop_the_exchange_between_the_others():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 4)
    y = np.repeat(np.arange(20) % 2, 4)
    y[:2] = 1  # the first group has both classes
    signal = rng.normal(size=(80, 4))
    signal[:, 0] += 3.0 * y
    fitted = selector(cv="auto").fit(signal, y, groups=groups)
    assert permutation_test(fitted, signal, y, permutations=19, groups=groups).p_value == 0.05


def test_the_shuffled_runs_repeat_what_auto_stood_for():
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(40, 5)), np.arange(40) % 2
    chosen = fewest.SubsetSelector("naive-bayes", choose="best", cv=3, random_state=0)
    fitted = clone(chosen).fit(noise, labels)
    assert fitted.result_.extra["consensus"]["kind"] == "archive"
    test = permutation_test(fitted, noise, labels, permutations=3)
    order = np.random.default_rng([0, 2])
    again = [clone(chosen).fit(noise, labels[order.permutation(40)]).score_ for _ in range(3)]
    assert test.scores == pytest.approx(again)


@pytest.mark.parametrize("wrong", [0, 2.5, True, "many"])
def test_wrong_numbers_get_a_sentence(wrong):
    fitted = selector().fit(X, Y)
    with pytest.raises(InputError, match="`permutations` must be a whole number from 1 on"):
        permutation_test(fitted, X, Y, permutations=wrong)
