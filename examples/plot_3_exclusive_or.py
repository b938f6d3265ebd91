"""
Features that matter only together
==================================

The class is ``(A1 xor A4) and A2``. Alone, A1 and A4 say nothing about it, so every filter that
looks at one feature, or at one pair at a time, drops them. MDL-FS with a tree augmented network
keeps them (after Drugan and Wiering, 2010, example 1).
"""

# %%
# A8 copies A2, so either of the two will do; A5 and A7 are noise and copies of each other; A3
# hangs on A2 alone; A6 is the class but for one row in eight.
import fewest
from fewest.classifiers.bayes.tan import TAN
from fewest.data import generate
from fewest.measures import CFS, MDLFS, KollerSahami

data = generate("xor", n_rows=3200)

# %%
# Which features does each measure keep, of all subsets?
for title, measure in {
    "CFS": CFS(),
    "Koller and Sahami": KollerSahami(),
    "MDL-FS, naive Bayes": MDLFS(classifier="naive-bayes"),
    "MDL-FS, TAN": MDLFS(classifier="tan"),
}.items():
    selector = fewest.SubsetSelector(measure=measure, search="exhaustive").fit(data.X, data.y)
    print(f"{title:20} {' '.join(selector.result_.features)}")

# %%
# Why the others were left out, in words:
for feature, reason in selector.result_.left_out.items():
    print(f"{feature}: {reason}")

# %%
# The network of TAN over the kept features: the class points to all of them, and each leans on
# one other.
figure = TAN().fit(data.X[selector.result_.features], data.y).to_figure()
