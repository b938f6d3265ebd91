"""The audit of a result: the estimator scores the answer and all allowed features itself."""

from __future__ import annotations

import numpy as np

from .._errors import InputError
from .._run.result import Result
from .plan import Plan


def audit_result(result: Result, plan: Plan) -> list[str]:
    """Put the audit of a run into its result, and return what a user should read of it.

    Nothing is audited where subsets are trained anyway.
    """
    everyone = np.ones(plan.table.n_features, dtype=bool)
    everyone[list(getattr(plan.space, "exclude", ()))] = False
    subsets = np.unique(np.stack([result.support, everyone]), axis=0)
    try:
        found = plan.scorer.audit(subsets[subsets.any(axis=1)])
    except InputError:
        # The model cannot take some features that the search never chose.
        found = plan.scorer.audit(result.support[None]) if result.support.any() else None
    if found is None:
        return []
    result.extra["audit"] = found.to_dict()
    if found.stopped_early:
        return [
            f"{plan.measure.title} stopped before its optimum when it was trained (a convergence "
            "warning of scikit-learn); scores here are those of the optimum. Scale the columns, "
            "or raise max_iter."
        ]
    if found.agrees:
        return []
    return [
        f"The fast scores of {plan.measure.title} differ from those of the trained model by up to "
        f"{found.largest_difference:.3g} per fold on this table, so the run was repeated with "
        "training. Please report it with the model and the table."
    ]
