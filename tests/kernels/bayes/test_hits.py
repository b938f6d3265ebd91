import numpy as np

from fewest._kernels.bayes.hits import count_hits, hits_in_folds, row_hashes
from tests.naive.naive_bayes import fold_accuracies


def test_hits_are_those_of_a_plain_argmax():
    rng = np.random.default_rng(0)
    evidence = rng.normal(size=(4, 3, 50))
    prior, target = np.log([0.2, 0.3, 0.5]), rng.integers(0, 3, 50).astype(float)
    weight = rng.integers(1, 4, 50).astype(float)
    subsets = np.array([[bool(n >> j & 1) for j in range(4)] for n in range(16)])
    found = count_hits(evidence, prior, target, weight, subsets)
    for subset, hits in zip(subsets, found, strict=True):
        said = (prior[:, None] + evidence[subset].sum(axis=0)).argmax(axis=0)
        assert hits == weight[said == target].sum()


def test_hits_in_folds_are_those_of_naive_bayes_trained_on_the_other_folds():
    rng = np.random.default_rng(3)
    target = rng.integers(0, 3, 90)
    codes = (target[:, None] + rng.integers(0, 3, (90, 3))) % (2, 3, 4)
    codes[rng.random(codes.shape) < 0.1] = -1
    fold = rng.permutation(np.arange(90) % 5)
    found = hits_in_folds(codes, np.array([0, 2, 5, 9]), target, fold, 5, 3)
    rows = [[None if code < 0 else str(code) for code in row] for row in codes]
    folds = [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(5)]
    assert found == round(18 * sum(fold_accuracies(rows, target, folds, range(3), 0.1)))


def test_rows_hash_by_content_alone():
    values = np.array([[1.0, np.nan], [0.0, 2.0], [-0.0, 2.0], [1.0, 0.0]])
    target = np.array([0.0, 1.0, 1.0, 0.0])
    hashes = row_hashes(values, target)
    assert hashes[1] == hashes[2]
    assert len(set(hashes.tolist())) == 3
    assert row_hashes(values[::-1].copy(), target[::-1].copy()).tolist() == hashes[::-1].tolist()
    assert row_hashes(values, target + 1.0)[0] != hashes[0]
