"""
Weights for nearest neighbours
==============================

A nearest-neighbour model treats all features alike. On a table in which some features count fully,
some half and some not at all, weights help.
"""

import matplotlib.pyplot as plt

import fewest
from fewest.data import generate
from fewest.search import EGNA
from fewest.stop import Generations

data = generate("3-weights", 300, 0)

# %%
# The weights that are searched are numbers between 0 and 1; the model of the good ones is a
# Gaussian network.
weighter = fewest.FeatureWeighter(
    values="continuous", search=EGNA(population=300), stop=Generations(10), random_state=0
).fit(data.X, data.y)
for name, weight in zip(data.names, weighter.weights_, strict=True):
    print(f"{name:>4} {weight:.2f} {'#' * round(20 * weight)}")

# %%
# The score of the search is optimistic. This is what to expect on new rows:
honest = fewest.validate(weighter, data.X, data.y, random_state=0)
print(f"with weights {honest.score:.2f}, with equal weights {honest.baseline:.2f}")


plt.barh(data.names, weighter.weights_)
plt.xlabel("weight")
plt.show()
