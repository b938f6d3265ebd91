"""
EBNA against sequential search
==============================

This example compares two searches on the same ten external splits. EBNA learns a Bayesian network
of good subsets; SFS adds one feature at a time. Is one better than the other, and is either better
than all features?
"""

import fewest
from fewest.search import EBNA
from fewest.stop import Generations

# %%
# The population is small, so that the example runs in seconds.

data = fewest.load("wine")
selectors = {
    "ebna": fewest.SubsetSelector(
        "gaussian-nb", search=EBNA(population=60), stop=Generations(8), cv=5
    ),
    "sfs": fewest.SubsetSelector("gaussian-nb", search="sfs", cv=5),
}
comparison = fewest.compare(selectors, data.X, data.y, random_state=0)

# %%
# One row per method; p is the p value of the 5×2cv F test against all features.
for row in comparison.table:
    p = "" if row["p_value"] is None else f"p = {row['p_value']:.2f}"
    print(f"{row['method']:12} {row['accuracy']:.3f} with {row['size']:4.1f} features  {p}")
print(f"ebna against sfs: p = {comparison.p_values['ebna', 'sfs']:.2f}")

# %%
figure = comparison.plot()

# %%
# The number of training sets, of ten, in which EBNA selected each feature:
figure = comparison.validations["ebna"].plot("stability")

# %%
# Half of the features are as good as all of them, and the difference between the two searches is
# not significant. On this data set, the faster search is sufficient.
