"""Workers: what is no number of them is refused, and they do not fight for the cores."""

import pytest
from threadpoolctl import threadpool_info

from fewest.errors import InputError
from fewest.run.execute import Executor
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
