"""Which measure to use when none is named, and why, in one sentence."""

from __future__ import annotations

from ..data._table import Table

#: What is picked: for numbers, and for classes.
PICKED = ("linear-regression", "naive-bayes")


def recommend_measure(table: Table) -> tuple[str, str]:
    """The name of a measure for a table, and the sentence that says why.

    Examples
    --------
    >>> from fewest.testing import toy_table
    >>> recommend_measure(toy_table())[0]
    'naive-bayes'
    """
    if table.classes is None:
        return (
            "linear-regression",
            "`linear-regression` was picked as measure: the target is a number.",
        )
    return (
        "naive-bayes",
        "`naive-bayes` was picked as measure: it takes labels, numbers and unknown values as "
        "they are, and scores thousands of subsets a second.",
    )
