"""
The smallest consistent subset, with a proof
============================================

In CorrAL (John, Kohavi and Pfleger, 1994), the class is ``(A0 and A1) or (B0 and B1)``. A fifth
feature is random. The sixth equals the class in three of four rows, which misleads greedy
searches.
"""

import matplotlib.pyplot as plt

import fewest

# %%
# A subset is consistent if rows with equal values have the same class. Set cover first takes the
# feature that separates most pairs of rows, which is the misleading one. The exact search finds the
# smallest consistent subset and proves that no smaller one exists.


data = fewest.load("corral")
found = {}
for search in ("set-cover", "focus-m", "abb", "exact"):
    selector = fewest.SubsetSelector(measure="inconsistency", search=search, random_state=0)
    found[search] = result = selector.fit(data.X, data.y).result_
    proof = "proven" if result.optimal else "no proof"
    print(f"{search:10} {result.n_features} features, {proof:9} {' '.join(result.features)}")

# %%
# The selected features, and the number of subsets that each search scored:
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
# The reason why it stopped, and the proven bound:
print(f"{found['exact'].stopped}; no answer below {found['exact'].bound:g} features")
