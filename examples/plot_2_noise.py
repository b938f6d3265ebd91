"""
Selection scores are optimistic
===============================

The data set has 60 rows, 500 columns of random numbers, and a class that is independent of them.
No subset can predict the class better than chance. What does a wrapper find?
"""

import fewest
from fewest.search import UMDA
from fewest.stop import Generations

# %%
# The search scores subsets by the cross-validated accuracy of naive Bayes:

data = fewest.load("noise")
search = UMDA(population=100, p0=0.05)
selector = fewest.SubsetSelector(
    "naive-bayes", search=search, stop=Generations(12), cv=5, random_state=0
)
selector.fit(data.X, data.y)
print(f"{selector.score_:.2f} in cross-validation with {selector.result_.n_features} features")

# %%
# Each cross-validation is correct, but the maximum of a thousand estimates is not an unbiased
# estimate. ``validate`` repeats the whole selection on training sets and scores the test rows.
honest = fewest.validate(selector, data.X, data.y, random_state=0)
print(f"selection score {honest.selection_score:.2f}, on new rows {honest.score:.2f}")
print(honest.warning())

# %%
# The selection score rises with each generation, the accuracy on new rows does not. The report of
# ``fewest select`` shows the same figure and warning.
figure = honest.plot("selection-against-honest")
