"""Workers: what is no number of them is refused, and they do not fight for the cores."""

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from threadpoolctl import threadpool_info

from fewest import SubsetSelector
from fewest._errors import InputError
from fewest._run.execute import Executor
from fewest.data import as_table
from fewest.measures import Scorer, Scores
from fewest.testing import TableMeasure, random_values, toy_table


def scorer():
    return TableMeasure(random_values(3, seed=0)).bind(toy_table(n_features=3))


def blas():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
def test_what_is_no_number_of_workers_is_refused(n_jobs):
    with pytest.raises(InputError, match="`n_jobs` must be None, a whole number of workers"):
        Executor(scorer(), n_jobs)


def test_several_workers_have_one_blas_thread_each():
    before = blas()
    with Executor(scorer(), 2).running():
        assert set(blas()) <= {1}
    assert blas() == before
    with Executor(scorer(), None).running():
        assert blas() == before


def test_all_cores_share_a_batch():
    with Executor(scorer(), -1).running() as executor:
        assert executor.chunks(100, 1000)[0] == slice(0, -(-100 // joblib.cpu_count()))


def test_infinite_scores_count_as_not_scored():
    class Odd(Scorer):
        def score(self, candidates):
            sizes = candidates.sum(axis=1).astype(float)
            return Scores(np.where(sizes == 2, np.inf, sizes))

    masks = np.array([[1, 0], [1, 1]], dtype=bool)
    with (
        pytest.warns(UserWarning, match=r"The score of 1 subset\(s\) is infinite"),
        Executor(Odd(), None).running() as executor,
    ):
        (_, scores), *_ = executor.score(masks)
    assert scores.value[0] == 1.0
    assert np.isnan(scores.value[1])


def test_a_scoring_that_gives_infinity_does_not_win():
    X, y = load_iris(return_X_y=True)

    def scoring(model, X, y):
        return np.inf if X.shape[1] == 2 else model.score(X, y)

    selector = SubsetSelector(GaussianNB(), search="exhaustive", scoring=scoring, cv=3)
    with pytest.warns(UserWarning, match="is infinite"):
        selector.fit(X, y)
    assert np.isfinite(selector.score_)
    assert selector.support_.sum() != 2


class Mapped(Scorer):
    """Scores 1 where the values of its table are a file in memory that processes share."""

    batch = 1
    prefer = "processes"

    def __init__(self, table):
        self.table = table

    def score(self, candidates):
        values, X = self.table.values, self.table.X
        shared = isinstance(values, np.memmap) and (X is None or X is values)
        return Scores(np.full(len(candidates), float(shared)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_processes_share_one_copy_of_the_table(dtype):
    X = np.random.default_rng(0).normal(size=(60_000, 10)).astype(dtype)
    table = as_table(X, np.arange(len(X)) % 2)
    with Executor(Mapped(table), 2).running() as executor:
        found = [scores.value[0] for _, scores in executor.score(np.eye(10, dtype=bool)[:4])]
    assert found == [1.0] * 4
    # In this process they are the user's own.
    assert Mapped(table).score(np.eye(10, dtype=bool)).value[0] == 0.0
    assert table.values is X
