"""A short hunt: a few cases of every model, and what a failure looks like."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from fewest.measures._wrappers.paths import RULES
from fewest.measures._wrappers.wrapped import WrappedScorer
from tests.hunt.__main__ import count, failure, main, table
from tests.hunt.case import draw
from tests.hunt.judge import Outcome, judge, train
from tests.hunt.models import MODELS
from tests.hunt.references import LogisticOptimum


@pytest.mark.parametrize("name", MODELS)
def test_a_few_cases_of_every_model_are_right(name):
    outcomes = [judge(draw(name, 1, number)) for number in range(3)]
    assert [o.words for o in outcomes if o.status not in ("right", "refused")] == []


def test_every_rule_has_a_model_here():
    assert {place.partition(":")[2] for place in RULES} <= set(MODELS)


def test_a_case_is_repeated_by_its_seed_and_number():
    one, other = draw("Ridge", 3, 7), draw("Ridge", 3, 7)
    assert str(one) == str(other)
    np.testing.assert_array_equal(one.masks, other.masks)
    np.testing.assert_array_equal(*(np.asarray(train(c, c.masks[0])[0]) for c in (one, other)))
    assert str(draw("Ridge", 3, 8)) != str(one)


def test_a_solver_that_does_not_converge_on_huge_numbers_takes_few_steps():
    case = draw("LogisticRegression", 22, 163)
    assert case.last.solver == "newton-cg"
    assert np.abs(case.table.X.to_numpy()).max() > 1e100
    assert case.last.max_iter <= 20


#: Prints what a few cases of every model consist of, as one number.
DIGEST = """
import hashlib, pickle
from tests.hunt.case import draw
from tests.hunt.models import MODELS
from tests.hunt.references import LogisticOptimum
whole = hashlib.sha256()
for name in MODELS:
    for number in range(25):
        case = draw(name, 5, number)
        parts = [case.table.y, case.table.weight, case.folds, case.masks, case.base, case.units]
        rows = [str(case), str(case.table.X), case.routed, case.estimator.get_params(deep=True)]
        whole.update(pickle.dumps(parts) + repr(rows).encode())
print(whole.hexdigest())
"""


def test_every_process_draws_the_same_cases():
    found = [
        subprocess.run(
            [sys.executable, "-c", DIGEST], env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in (1, 2)
    ]  # fmt: skip
    assert found[0] == found[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_hunt_with_the_table_so_far(number):
    words = [sys.executable, "-m", "tests.hunt", "--cases", "100000", "--only", "OneR"]
    words += ["--longest", "0"]  # so that failures are printed at once
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as hunt:
        assert hunt.stdout.readline().startswith("--- hang")
        hunt.send_signal(number)
        rows = hunt.stdout.read().splitlines()
    assert rows[-3].startswith("model")
    assert int(rows[-1].split()[1].replace(",", "")) < 100000


def test_a_wrong_score_is_found_and_told_with_a_script(monkeypatch):
    fold = WrappedScorer.fold
    monkeypatch.setattr(WrappedScorer, "fold", lambda *a: fold(*a) + 0.01)
    numbers = (n for n in range(100) if not judge(draw("OneR", 0, n)).fast)
    case = ("OneR", 0, next(numbers))
    outcome = judge(draw(*case))
    assert outcome.status == "wrong"
    shown = failure(case, outcome)
    assert "scikit-learn" in shown
    assert len(shown.split("# Repeats")[1].strip().splitlines()) <= 10


def test_the_table_counts_every_kind_of_ending():
    tallies = {"Ridge": Counter(), "OneR": Counter()}
    for status in ("right", "wrong", "traceback", "hang"):
        count(tallies["Ridge"], Outcome(status, fast=True, folds=4, trained=1), 0.5)
    lines = table(tallies).splitlines()
    assert lines[1].split()[:9] == ["Ridge", "4", "4", "1", "1", "1", "0", "4", "16"]
    assert lines[-1].split()[1:] == lines[1].split()[1:]


def test_a_case_that_hangs_is_ended(capsys):
    assert main(["--cases", "1", "--only", "OneR", "--longest", "0"]) == 1
    assert "no answer in 0 s" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "seed", "number"),
    [
        ("BernoulliNB", 0, 11),  # columns in another order than the features, by steps
        ("CategoricalNB", 3, 83),  # levels that only test rows have
        ("NaiveBayes", 3, 102),  # a fold whose rows of one class weigh nothing
        ("LinearDiscriminantAnalysis", 100, 40),  # more columns than degrees of freedom
        ("GaussianNB", 100, 151),  # sparse dummies, which it refuses
        ("LogisticRegression", 202, 106),  # a loss so flat that its optimum is lost in rounding
        ("BernoulliNB", 7, 74),  # positive rows within rounding, by average precision
        ("GaussianNB", 7, 139),  # a fold that lacks a class with a given probability, by ranks
        ("MLCNaiveBayes", 7, 200),  # a level whose training rows weigh nothing
        ("MLCNaiveBayes", 7, 226),  # a class whose test rows weigh nothing
        ("QuadraticDiscriminantAnalysis", 8, 57),  # a row in doubt below two rows that are not
        ("NearestCentroid", 8, 75),  # the same by average precision
        ("KNeighborsClassifier", 8, 72),  # errors of distances beyond single precision
        ("TAN", 8, 24),  # subsets that are trained, with more than two classes
        ("TAN", 8, 98),  # the same by the rank of a class
        ("NearestNeighbor", 8, 96),  # a fold that trains without the positive class
        ("IB1", 100, 149),  # a positive class that training does not have
        ("NaiveBayes", 21, 131),  # a variance of 2e-317, whose inverse is infinite
        ("NearestCentroid", 22, 62),  # truth values alone, which it cannot subtract
        ("NearestCentroid", 22, 109),  # equal rows with unequal last bits, by average precision
        ("NearestCentroid", 8, 202),  # the same of a sparse table
        ("LogisticRegression", 8, 173),  # a loss that is flat where penalties are small
        ("LogisticRegression", 31, 92),  # a column of 1e71 with a small spread
        ("KNeighborsClassifier", 8, 66),  # ties that rounding of the centres breaks
        ("LinearDiscriminantAnalysis", 31, 272),  # values of 1e24 that cancel, by probabilities
        ("LinearDiscriminantAnalysis", 8, 182),  # probabilities that float32 rounds to 1
        ("QuadraticDiscriminantAnalysis", 5101, 123),  # scales that its factorisation mixes up
        ("QuadraticDiscriminantAnalysis", 5202, 258),  # the same, which it refuses
        ("BernoulliNB", 4202, 345),  # rows that are equal once they are binarised, by their ranks
        ("BernoulliNB", 7001, 378),  # means that were filled in, at the border once they are scaled
        ("KNeighborsRegressor", 4202, 42),  # sparse rows, which it refuses with p=3
        ("LinearDiscriminantAnalysis", 6103, 4),  # a test row that is 1e6 times as far as others
        ("RidgeClassifier", 6103, 229),  # columns of 1e39 and 1, whose singular values are lost
        ("KNeighborsClassifier", 5202, 101),  # shares that are rounded to 1, by average precision
    ],
)
def test_cases_that_were_wrong_are_right(name, seed, number):
    outcome = judge(draw(name, seed, number))
    assert (outcome.status, outcome.words) == ("right", "")


def test_the_optimum_gives_a_constant_column_no_coefficient():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 4)), np.arange(40) % 2
    X[:, 1], X[:, 2] = 2.6e141, X[:, 0] * (1.0 + 1e-12)
    model = LogisticOptimum().fit(X, y)
    assert not model.coef_[:, 1].any()
    other = X.copy()
    other[0, 1] += 6e134
    np.testing.assert_array_equal(model.decision_function(other), model.decision_function(X))
