"""
A first selection
=================

The data set has 30 measurements of cell nuclei and two diagnoses. Which measurements does naive
Bayes need, and how accurate is it for new patients?
"""

import fewest

# %%
# The data set is part of scikit-learn. You can also use a file or your own DataFrame.

data = fewest.load("wdbc")
print(data)

# %%
# SFS adds the feature that improves the score most, one at a time, until none does.
selector = fewest.SubsetSelector(measure="gaussian-nb", search="sfs", cv=5, random_state=0)
result = selector.fit(data.X, data.y).result_
print(*result.features, sep="\n")

# %%
# The archive contains every subset that was scored. The front is the best score of each size.
figure = result.plot("score-against-size")

# %%
# The score that guided the search is optimistic. To get an unbiased estimate, repeat the selection
# on ten training sets and score it on the remaining rows:
honest = fewest.validate(selector, data.X, data.y, random_state=0)
result = result.with_validation(honest)
print(f"{honest.score:.3f} with {min(honest.sizes)} to {max(honest.sizes)} features")
print(f"{honest.baseline:.3f} with all {len(data.names)}")

# %%
# Points are folds; bars are 95 % confidence intervals.
figure = result.plot("worth")
