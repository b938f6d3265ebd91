"""
Write your own search in ten lines
==================================

A search yields subsets and receives their scores. It never sees the data. Measures, constraints,
parallel runs, the journal, validation and figures work without further code.
"""

from dataclasses import dataclass
from typing import ClassVar

import fewest
from fewest.search import Search, Verdict
from fewest.testing import check_search

# %%
# This search flips a few features of the best subset so far:


@dataclass
class Flip(Search):
    """Flip one feature in ten of the best subset so far."""

    name: ClassVar[str] = "flip"
    source: ClassVar[str] = "this page"

    def propose(self, space, better, rng):
        best = space.sample(1, rng)
        value = (yield best).value[0]
        for _ in range(20):
            new = space.repair(best ^ (rng.random((30, best.shape[1])) < 0.1), rng)
            scores = yield new
            row = better.best(new, scores.value)
            if scores.value[row] > value:
                best, value = new[[row]], scores.value[row]
        return Verdict("20 rounds done")


# %%
# It can be used like any other search, also with constraints:
data = fewest.load("wdbc")
selector = fewest.SubsetSelector("gaussian-nb", search=Flip(), max_features=8, cv=5, random_state=0)
result = selector.fit(data.X, data.y).result_
print(result.n_features, "features,", result.stopped)
figure = result.plot("score-by-generation")

# %%
# ``check_search`` runs the tests that all searches of fewest pass: determinism, constraints, empty
# spaces, resume.
check_search(Flip())
