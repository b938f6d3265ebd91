"""The twin of the trees gives the numbers of cross_val_score, whatever its memory and threads."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from fewest.classifiers._trees.tree import C45, ID3
from fewest.data._as_table import as_table
from fewest.measures import CrossValidated
from fewest.measures._wrappers.line import fast_scorer
from fewest.measures._wrappers.rules.decision_trees import TreeRule
from fewest.measures._wrappers.sources.memory import MemorySource


def mixed(seed=0, rows=120, unknown=0.08):
    """A frame with rare levels (some only in test rows), ties and unknown values."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue", "rare"], rows, p=[0.4, 0.3, 0.27, 0.03]),
            "size": rng.random(rows),
            "number": rng.integers(0, 5, rows).astype(float),
            "flag": rng.random(rows) < 0.5,
            "noise": rng.normal(size=rows),
        }
    )
    y = (frame["colour"] == "red").astype(int) + (frame["size"] > 0.6) * (rng.random(rows) < 0.9)
    frame["flag"] = frame["flag"].astype(object)
    return frame.mask(rng.random(frame.shape) < unknown, None), np.array(["a", "b", "c"])[y]


def splits_of(X, y, k=4):
    return list(StratifiedKFold(k, shuffle=True, random_state=1).split(X, y))


SUBSETS = np.random.default_rng(3).random((12, 5)) < 0.6
SUBSETS[~SUBSETS.any(axis=1), 0] = True
TREES = [
    ID3(),
    ID3(significance=1.0, min_rows=3),
    C45(raising=False),
    C45(pruning=False, min_rows=1),
]


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize("estimator", TREES, ids=str)
def test_the_numbers_of_cross_val_score(estimator, unknown):
    X, y = mixed(unknown=unknown)
    splits = splits_of(X, y)
    scores = fast_scorer(estimator, as_table(X, y), splits).score(SUBSETS)
    for subset, folds in zip(SUBSETS, scores.folds, strict=True):
        part = X.loc[:, subset]
        assert folds.tolist() == cross_val_score(estimator, part, y, cv=splits).tolist()
    assert scores.value.tolist() == [folds.mean() for folds in scores.folds]


@pytest.mark.parametrize("estimator", TREES, ids=str)
def test_sizes_are_those_of_the_trees(estimator):
    X, y = mixed()
    splits = splits_of(X, y)
    scores = fast_scorer(estimator, as_table(X, y), splits).score(SUBSETS[:3])
    for i, subset in enumerate(SUBSETS[:3]):
        part = X.loc[:, subset]
        grown = [estimator.fit(part.iloc[a], y[a]) and estimator.tree_ for a, _ in splits]
        assert scores.goals["leaves"][i] == np.mean([t.n_leaves for t in grown])
        assert scores.goals["nodes"][i] == np.mean([t.n_nodes for t in grown])


def test_no_feature_is_the_largest_class():
    X, y = mixed()
    splits = splits_of(X, y)
    rule = TreeRule(ID3(), MemorySource(as_table(X, y), splits), None)
    counts = rule.count(np.zeros((1, 5), bool))
    assert counts.goals["nodes"].tolist() == [1.0]
    labels, frequency = np.unique(y, return_counts=True)
    assert counts.right[0, 0] == np.sum(y[splits[0][1]] == labels[frequency.argmax()])


@pytest.mark.parametrize("estimator", [ID3(), C45(raising=False)], ids=str)
def test_neither_memory_nor_threads_change_a_score(estimator):
    X, y = mixed(rows=200)
    table, splits = as_table(X, y), splits_of(X, y)
    subsets = np.random.default_rng(0).random((64, 5)) < 0.6
    source = MemorySource(table, splits)
    rich, poor = TreeRule(estimator, source, None), TreeRule(estimator, source, None, 1)
    expected = rich.count(subsets).right.tolist()
    assert poor.count(subsets).right.tolist() == expected
    again = pickle.loads(pickle.dumps(rich))
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(again.count, np.split(subsets, 16)))
    assert np.concatenate([p.right for p in parts], axis=1).tolist() == expected


def test_what_it_cannot_do():
    X, y = mixed()
    splits = splits_of(X, y)
    weighted = as_table(X, y, metadata={"sample_weight": np.ones(len(y))})
    assert fast_scorer(ID3(), weighted, splits) is None
    twice = [(np.repeat(train, 2), test) for train, test in splits]
    assert fast_scorer(ID3(), as_table(X, y), twice).doubted(SUBSETS) == 1.0
    assert fast_scorer(C45(), as_table(X, y), splits) is None


def test_raised_trees_are_trained_one_by_one():
    X, y = mixed(seed=11, rows=200)
    subsets, scores = np.vstack([np.ones((1, 5), bool), SUBSETS[:3]]), {}
    for raising in (False, True):
        estimator = C45(raising=raising)
        folds = CrossValidated(estimator, cv=4).bind(as_table(X, y)).score(subsets).folds
        for subset, mine in zip(subsets, folds, strict=True):
            part = X.loc[:, subset]
            assert mine.tolist() == cross_val_score(estimator, part, y, cv=4).tolist()
        scores[raising] = folds.tolist()
    assert scores[True] != scores[False]


def test_cross_validated_uses_it():
    X, y = mixed()
    scorer = CrossValidated(ID3(), cv=4).bind(as_table(X, y))
    scores = scorer.score(SUBSETS)
    assert scores.goals["leaves"].min() >= 1
