import numpy as np
import pytest

from fewest.classifiers._network_classifiers import TAN
from fewest.data._information import Information
from fewest.data._table import Table
from tests.oracles.weka import ask_weka, needs_weka, write_arff


def _table(seed, n, sizes, n_classes):
    """Features that hang together in a chain, given the class."""
    rng = np.random.default_rng(seed)
    target = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    values = np.zeros((n, len(sizes)))
    before = target
    for j, r in enumerate(sizes):
        noise = rng.random(n) < 0.4
        values[:, j] = np.where(noise, rng.integers(0, r, n), (before + target) % r)
        before = values[:, j].astype(int)
        values[:r, j] = np.arange(r)
    names = tuple(f"x{j}" for j in range(len(sizes)))
    levels = tuple(tuple(f"v{i}" for i in range(r)) for r in sizes)
    return Table(names, values, levels, target, np.array([f"c{c}" for c in range(n_classes)]))


TABLES = [
    _table(0, 200, (2, 3, 4, 2, 3), 2),
    _table(1, 300, (3, 3, 2, 5, 2, 4, 3), 3),
    _table(2, 150, (4, 2, 2, 3), 4),
]


@needs_weka
@pytest.mark.parametrize("table", TABLES)
def test_tree_and_probabilities_equal_weka(table, tmp_path):
    lines = ask_weka("tan", write_arff(tmp_path / "table.arff", table), 0.5)
    arcs = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("arc")]
    shares = [list(map(float, line.split()[1:])) for line in lines if line.startswith("row")]
    root = next(j for j in range(table.n_features) if j not in {child for _, child in arcs})
    model = TAN(root=root, strength=0.5).fit_table(table)
    ours = [(f.parents[1], f.child) for f in model.families_ if len(f.parents) == 2]
    assert sorted(ours) == sorted(arcs)
    np.testing.assert_allclose(model.predict_table(table), shares, atol=1e-9)


@pytest.mark.parametrize("table", TABLES)
def test_conditional_information_equals_pyagrum(table):
    gum = pytest.importorskip("pyagrum")
    pandas = pytest.importorskip("pandas")
    words = [[table.levels[j][int(v)] for j, v in enumerate(row)] for row in table.values]
    frame = pandas.DataFrame(words, columns=list(table.names))
    frame["class"] = table.classes[table.target]
    learner = gum.BNLearner(frame)
    learner.useNoPrior()
    bits = Information.of(table).conditional
    d = table.n_features
    theirs = np.array(
        [[_conditional(learner, a, b) if a != b else 0.0 for b in table.names] for a in table.names]
    )
    off = ~np.eye(d, dtype=bool)
    np.testing.assert_allclose(bits[off], theirs[off], atol=1e-9)


def _conditional(learner, a, b):
    """I(a; b | class) from pyAgrum's log-likelihoods (base 2), per row."""
    n = learner.nbRows()
    together = learner.logLikelihood([a], [b, "class"]) / n
    alone = learner.logLikelihood([a], ["class"]) / n
    return together - alone
