"""
The smallest consistent subset, with a proof
============================================

CorrAL (John, Kohavi and Pfleger, 1994): the class is ``(A0 and A1) or (B0 and B1)``. One more
feature is random, and one agrees with the class in three rows of four, which tempts every greedy
search.
"""

# %%
# A subset is consistent if rows that look alike on it have the same class. Set cover takes what
# separates most pairs of rows first, and falls for the tempting feature. The exact search does
# not, and says that nothing smaller exists.
import matplotlib.pyplot as plt

import fewest

data = fewest.load("corral")
found = {}
for search in ("set-cover", "focus-m", "abb", "exact"):
    selector = fewest.SubsetSelector(measure="inconsistency", search=search, random_state=0)
    found[search] = result = selector.fit(data.X, data.y).result_
    proof = "proven" if result.optimal else "no proof"
    print(f"{search:10} {result.n_features} features, {proof:9} {' '.join(result.features)}")

# %%
# How many subsets each looked at, and what it kept:
figure, axes = plt.subplots(figsize=(7.4, 3))
for row, result in enumerate(found.values()):
    colours = ["#0072b2" if kept else "#e3e6ea" for kept in result.support]
    axes.scatter(range(len(data.names)), [row] * len(data.names), s=320, c=colours)
    axes.text(len(data.names) - 0.4, row, f"{result.evaluations} subsets", va="center")
axes.set_xticks(range(len(data.names)), data.names)
axes.set_yticks(range(len(found)), found)
axes.set(xlim=(-0.6, len(data.names) + 1.2), ylim=(len(found) - 0.5, -0.5))
axes.spines[:].set_visible(False)
figure.tight_layout()

# %%
# Why it stopped, and the bound that was proven:
print(f"{found['exact'].stopped}; no answer below {found['exact'].bound:g} features")
