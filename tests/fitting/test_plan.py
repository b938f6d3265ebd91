"""What is decided before the first score."""

import numpy as np
from sklearn.datasets import load_iris

import fewest
from fewest._fitting.plan import make_problem

X, Y = load_iris(return_X_y=True)


def test_a_plan_runs_to_the_answer_of_the_fit():
    selector = fewest.SubsetSelector("gaussian-nb", search="ga-uniform", random_state=3, choose=2)
    plan = selector.plan(make_problem(X, Y, "gaussian-nb"))
    chosen = plan.chosen(plan.run())
    assert np.array_equal(chosen, selector.fit(X, Y).support_)
    assert plan.seed == 3
