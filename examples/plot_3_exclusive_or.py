"""
Features that are informative only together
===========================================

The class is ``(A1 xor A4) and A2``. A1 and A4 alone are independent of the class, so filters that
consider single features or pairs remove them. MDL-FS with a tree augmented network keeps them
(Drugan and Wiering, 2010, example 1).
"""

import fewest
from fewest.classifiers import TAN
from fewest.data import generate
from fewest.measures import CFS, MDLFS, KollerSahami

# %%
# A8 is a copy of A2, so one of the two is enough. A5 and A7 are noise and copies of each other. A3
# depends only on A2. A6 equals the class in seven of eight rows.

data = generate("xor", n_rows=3200)

# %%
# The features that each measure selects, by exhaustive search:
for title, measure in {
    "CFS": CFS(),
    "Koller and Sahami": KollerSahami(),
    "MDL-FS, naive Bayes": MDLFS(classifier="naive-bayes"),
    "MDL-FS, TAN": MDLFS(classifier="tan"),
}.items():
    selector = fewest.SubsetSelector(measure=measure, search="exhaustive").fit(data.X, data.y)
    print(f"{title:20} {' '.join(selector.result_.features)}")

# %%
# The reasons why the other features were left out:
for feature, reason in selector.result_.left_out.items():
    print(f"{feature}: {reason}")

# %%
# The TAN network over the selected features: the class is a parent of all features, and each
# feature has at most one other parent.
figure = TAN().fit(data.X[selector.result_.features], data.y).to_figure()
