import numpy as np

from fewest.classifiers._naive_bayes import NaiveBayes
from fewest.data._engine.frame import stored_table
from fewest.measures._wrappers.cross_validated import CrossValidated
from tests.data.engine.sample import arrow, frame


def test_weights_count_as_repeated_rows_and_folds_can_be_named():
    table = frame()
    table["part"] = np.arange(len(table)) % 3
    repeated = table.loc[table.index.repeat(table["w"])].drop(columns="w")
    given = {"sample_weight": "w", "folds": "part"}
    weighted = stored_table(arrow(table), "y", metadata=given)
    plain = stored_table(arrow(repeated), "y", metadata={"folds": "part"})
    subsets = np.array([[bool(n >> j & 1) for j in range(6)] for n in range(0, 64, 7)])
    one = CrossValidated(NaiveBayes()).bind(weighted).score(subsets)
    two = CrossValidated(NaiveBayes()).bind(plain).score(subsets)
    np.testing.assert_allclose(one.folds, two.folds, rtol=1e-12)
