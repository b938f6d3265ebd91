"""
The best subset of each size, with a proof
==========================================

A numeric target is the sum of 8 of 40 columns and noise. Neighbouring columns are correlated,
so that many of the other 32 are correlated with the target, too.
"""

import matplotlib.pyplot as plt
import numpy as np

import fewest
from fewest.data import generate
from fewest.search import Exact

# %%
# The search proves the best subset of each size, up to 14 features, by the residual sum of squares.


data = generate("linear")
exact = fewest.SubsetSelector(measure="rss", search=Exact(each_size=True), max_features=14)
sizes = exact.fit(data.X, data.y).result_.extra["sizes"]
print(all(entry["proven"] for entry in sizes))

# %%
# More features always leave smaller residuals. BIC charges for each of them. It is best at the size
# of the true subset:
masks = np.zeros((len(sizes), len(data.names)), dtype=bool)
for row, entry in enumerate(sizes):
    masks[row, entry["features"]] = True
bic = fewest.score_subsets(data.X, data.y, masks, measure="bic").value
best = masks[np.argmax(bic)]
print([name for name, kept in zip(data.names, best, strict=True) if kept])
print(list(data.relevant))

# %%
# The features of each size. True ones are blue:
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), width_ratios=(2, 1))
true = np.isin(data.names, data.relevant)
for row, mask in enumerate(masks):
    members = np.flatnonzero(mask)
    colours = np.where(true[members], "#0072b2", "#d55e00")
    left.scatter(members + 1, np.full(len(members), sizes[row]["size"]), c=colours, s=22)
left.set(xlabel="column", ylabel="size")
right.plot([entry["size"] for entry in sizes], -bic, "o-", color="#0072b2")
right.set(xlabel="size", ylabel="BIC")
figure.tight_layout()
