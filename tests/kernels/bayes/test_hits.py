import numpy as np

from fewest._kernels.bayes.hits import count_hits, row_hashes


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


def test_rows_hash_by_content_alone():
    values = np.array([[1.0, np.nan], [0.0, 2.0], [-0.0, 2.0], [1.0, 0.0]])
    target = np.array([0.0, 1.0, 1.0, 0.0])
    hashes = row_hashes(values, target)
    assert hashes[1] == hashes[2]
    assert len(set(hashes.tolist())) == 3
    assert row_hashes(values[::-1].copy(), target[::-1].copy()).tolist() == hashes[::-1].tolist()
    assert row_hashes(values, target + 1.0)[0] != hashes[0]
