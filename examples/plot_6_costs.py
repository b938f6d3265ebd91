"""
Costs and a budget
==================

Some features cost more than others: a blood test, a biopsy, a paid data source. ``costs`` gives
the cost of each feature, ``budget`` the maximum total cost.
"""

import matplotlib.pyplot as plt

import fewest
from fewest.search import GAUniform
from fewest.stop import Generations

# %%
# In this example, a mean value costs 1, its standard error 3, and the worst value 5.


data = fewest.load("wdbc")
prices = {"mean": 1.0, "worst": 5.0}
costs = {name: prices.get(name.split("-")[0], 3.0) for name in data.names}
results = []
for budget in (1, 2, 5, 10, 15, 30):
    selector = fewest.SubsetSelector(
        measure="gaussian-nb",
        search=GAUniform(population=100),
        stop=Generations(20),
        costs=costs,
        budget=budget,
        cv=5,
        random_state=0,
    )
    results.append(selector.fit(data.X, data.y).result_)
    print(f"budget {budget:2}: {results[-1].score:.3f}  {', '.join(results[-1].features)}")

# %%
# The score for each cost. Among subsets with the same score, the cheapest is chosen, so the cost
# can be below the budget.
figure, axes = plt.subplots(figsize=(6.4, 3.6))
spent = [result.cost for result in results]
axes.plot(spent, [result.score for result in results], "o-", color="#0072b2")
axes.set(xlabel="cost", ylabel="selection score", title="Selection score against cost")
axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()
