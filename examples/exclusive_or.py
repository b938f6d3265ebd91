"""
Features that matter only together
==================================

In the example of Drugan and Wiering (2010) the class is ``(A1 xor A4) or A2``. Alone, A1 and A4
say nothing about the class, so every filter that looks at one feature, or at one pair at a time,
drops them. MDL-FS with a tree augmented network keeps them.
"""

# %%
# The table: A8 copies A2, so either of the two will do; A5 and A7 are noise and copies of each
# other; A3 hangs on A2 alone; A6 is nearly the class.
from itertools import product

import pandas as pd

import fewest
from fewest.data import as_table
from fewest.measures import CFS, MDLFS, KollerSahami, explain_redundancy

rows, labels = [], []
for a1, a2, a4, a5, coin in product((False, True), repeat=5):
    rows.append([a1, a2, a2 and coin, a4, a5, a1 or a2 or a4, a5, a2])
    labels.append("yes" if (a1 != a4) or a2 else "no")
X = pd.DataFrame(rows * 100, columns=[f"A{i}" for i in range(1, 9)])
y = labels * 100

# %%
# Which features does each measure keep?
for title, measure in {
    "CFS": CFS(),
    "Koller and Sahami": KollerSahami(),
    "MDL-FS, naive Bayes": MDLFS(classifier="naive-bayes"),
    "MDL-FS, TAN": MDLFS(classifier="tan"),
}.items():
    selector = fewest.SubsetSelector(measure=measure, search="sfs").fit(X, y)
    print(f"{title:20} {' '.join(selector.get_feature_names_out())}")

# %%
# Why the others were left out, in words:
for row in explain_redundancy(as_table(X, y), selector.support_):
    print(f"{row.feature}: {row.reason}")
