"""
A first selection
=================

Thirty measures of cell nuclei, two diagnoses: which of the measures does naive Bayes need, and
how well will it do with them on new patients?
"""

# %%
# The table ships with scikit-learn; a file or a DataFrame of yours does as well.
import fewest
from fewest.report import figures

data = fewest.load("wdbc")
print(data)

# %%
# SFS adds the feature that helps most, one at a time, until none helps.
selector = fewest.SubsetSelector(measure="gaussian-nb", search="sfs", cv=5, random_state=0)
result = selector.fit(data.X, data.y).result_
print(*result.features, sep="\n")

# %%
# Every subset that was scored is in the archive. The front shows what each size can do.
figure = figures.score_against_size(result)

# %%
# The score that guided the search is optimistic. Select again inside ten training parts and judge
# on the rows left out:
honest = fewest.validate(selector, data.X, data.y, random_state=0)
result.honest = honest.to_dict()
print(f"{honest.accuracy:.3f} with {min(honest.sizes)} to {max(honest.sizes)} features")
print(f"{honest.baseline:.3f} with all {len(data.names)}")

# %%
# Points are folds, bars are 95 % intervals.
figure = figures.worth(result)
