"""
Selection by importances
========================

Forests, boosting and linear models say themselves which features they use. Three searches follow
them: ``rfe`` removes the least important features, ``boruta`` keeps all features that beat shuffled
copies, and ``l1-path`` takes the subsets on the path of an L1 penalty. Download this page as a
notebook with the link at its end.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

import fewest
from fewest.search import RFE, Boruta

# %%
# The table has 4 relevant columns, 2 copies of them with noise, and 9 irrelevant ones.


rng = np.random.default_rng(0)
relevant = rng.normal(size=(200, 4))
copies = relevant[:, :2] + 0.3 * rng.normal(size=(200, 2))
noise = rng.normal(size=(200, 9))
names = [f"relevant{i}" for i in range(4)] + ["copy0", "copy1"] + [f"noise{i}" for i in range(9)]
X = pd.DataFrame(np.column_stack([relevant, copies, noise]), columns=names)
y = (relevant.sum(axis=1) + 0.5 * rng.normal(size=200) > 0).astype(int)

# %%
# Recursive elimination, with the size chosen within the folds, as RFECV does. Every subset on the
# way is scored, so the figure shows what each size is worth.
forest = RandomForestClassifier(20, max_depth=5, random_state=0)
eliminated = fewest.SubsetSelector(forest, search=RFE(step=2), cv=3, random_state=0).fit(X, y)
print(eliminated.result_)
eliminated.result_.plot()

# %%
# Boruta keeps the copies too: they are relevant, but not needed.
boruta = fewest.SubsetSelector(forest, search=Boruta(rounds=25), cv=3, random_state=0).fit(X, y)
print(boruta.result_.features)
print(boruta.result_.stopped)

# %%
# The path of logistic regression with an L1 penalty proposes subsets for any model. Here naive
# Bayes judges them.
path = fewest.SubsetSelector("naive-bayes", search="l1-path", random_state=0).fit(X, y)
print(path.result_.features)

# %%
# In a notebook, ``result_`` as the last line of a cell is the first screen of its page.
path.result_  # noqa: B018
plt.show()
