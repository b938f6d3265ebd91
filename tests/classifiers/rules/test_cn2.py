import numpy as np
import pytest

from fewest.classifiers import CN2


def test_laplace_and_the_test_by_hand():
    # Six rows of class 0 behind a = 1, two of class 1 and one of class 0 behind a = 0.
    X = [["1"]] * 6 + [["0"]] * 3
    y = [0] * 6 + [1, 1, 0]
    model = CN2(significance=1.0).fit(X, y)
    first = model.rules_[0]
    # (6 + 1) / (6 + 2) for a = 1 beats (2 + 1) / (3 + 2) for a = 0.
    assert first.counts.tolist() == [6, 0]
    # 2 * 6 * log(6 / (6 * 7 / 9)) = 3.016: p = 0.082 at one degree of freedom.
    assert CN2(significance=0.09).fit(X, y).rules_[0].counts.tolist() == [6, 0]
    assert CN2(significance=0.08).fit(X, y).rules_ == []


@pytest.mark.parametrize("ordered", [True, False])
def test_a_concept_is_found(dataset, ordered):
    # Monk's first problem: a1 = a2 or a5 = 1; the noise-free test rows are all 432.
    train, test = dataset("monks-1"), dataset("monks-1-test")
    model = CN2(ordered=ordered).fit(train.X.astype(str), train.y)
    right = (model.predict(test.X.astype(str)) == np.asarray(test.y)).mean()
    assert right > 0.95


def test_entropy_is_for_ordered_rules(dataset):
    data = dataset("votes")
    model = CN2(quality="entropy").fit(data.X, data.y)
    assert (model.predict(data.X) == np.asarray(data.y)).mean() > 0.95


def test_words():
    X = [[1.0, "p"], [2.0, "p"], [3.0, "q"], [4.0, "q"]] * 3
    text = CN2().fit(X, ["a", "a", "b", "b"] * 3).to_text()
    assert text.splitlines()[0] in {"if x0 <= 2.5 then a (6)", "if x1 = p then a (6)"}
    assert text.splitlines()[-1].startswith("otherwise ")


def test_the_counts_of_an_unordered_rule_are_those_of_all_rows_that_it_covers(dataset):
    data = dataset("votes")
    model = CN2(ordered=False).fit(data.X, data.y)
    values = model.schema_.encode(data.X)
    target = np.searchsorted(model.classes_, np.asarray(data.y))
    assert len(model.rules_) > 4
    for rule in model.rules_:
        covered = target[rule.covers(values)]
        assert rule.counts.tolist() == np.bincount(covered, minlength=2).tolist()


def test_of_equally_pure_rules_the_larger_one_is_taken():
    # Both x0 = a (2 rows) and x1 = q (6 rows) are pure.
    X = [["a", "p"]] * 2 + [["b", "p"], ["b", "p"]] + [["b", "q"]] * 6
    y = ["no", "no", "no", "yes"] + ["yes"] * 6
    rules = CN2(quality="entropy", significance=1.0).fit(X, y).to_text().splitlines()
    assert rules[0] == "if x1 = q then yes (6)"
