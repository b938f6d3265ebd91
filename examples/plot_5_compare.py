"""
EBNA against sequential search
==============================

Two searches on the same ten external splits: EBNA learns a Bayesian network of the good subsets,
SFS adds one feature at a time. Is one better than the other, and is either better than all
features?
"""

# %%
# Small settings, so that it runs in seconds.
import fewest
from fewest.report import figures
from fewest.run.stop import Generations
from fewest.search import EBNA

data = fewest.load("wine")
selectors = {
    "ebna": fewest.SubsetSelector(
        "gaussian-nb", search=EBNA(population=60), stop=Generations(8), cv=5
    ),
    "sfs": fewest.SubsetSelector("gaussian-nb", search="sfs", cv=5),
}
comparison = fewest.compare(selectors, data.X, data.y, random_state=0)

# %%
# A row a method; p is the 5×2cv F test against all features.
for row in comparison.table:
    p = "" if row["p_value"] is None else f"p = {row['p_value']:.2f}"
    print(f"{row['method']:12} {row['accuracy']:.3f} with {row['size']:4.1f} features  {p}")
print(f"ebna against sfs: p = {comparison.p_values['ebna', 'sfs']:.2f}")

# %%
figure = figures.comparison(comparison)

# %%
# How often each feature was chosen by EBNA, over the ten training parts:
figure = figures.stability(comparison.validations["ebna"])

# %%
# Half of the features do what all of them do, and the two searches differ by no more than chance:
# on this table the quick one will do.
