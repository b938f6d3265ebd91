"""
The score that guided the search is an illusion
===============================================

Sixty rows, five hundred columns of random numbers, and a class that has nothing to do with them.
No subset can do better than a coin. What does a wrapper find?
"""

# %%
# A population of subsets, scored by the cross-validated accuracy of naive Bayes:
import fewest
from fewest.report import figures
from fewest.run.stop import Generations
from fewest.search import UMDA

data = fewest.load("noise")
search = UMDA(population=100, p0=0.05)
selector = fewest.SubsetSelector(
    "naive-bayes", search=search, stop=Generations(12), cv=5, random_state=0
)
selector.fit(data.X, data.y)
print(f"{selector.score_:.2f} in cross-validation with {selector.result_.n_features} features")

# %%
# The cross-validation is not wrong: it was asked a thousand times, and the luckiest answer won.
# ``validate`` runs the whole selection inside each training part and judges on the rows left out.
honest = fewest.validate(selector, data.X, data.y, random_state=0)
print(f"selection score {honest.selection_score:.2f}, on new rows {honest.accuracy:.2f}")
print(honest.warning())

# %%
# With each generation the search believes more, and knows nothing more. The same picture stands
# in the report of ``fewest select``, with the same warning.
figure = figures.selection_against_honest(honest)
