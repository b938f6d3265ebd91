"""
Costs and a budget
==================

Some features cost more than others: a blood test, a biopsy, a paid data source. Say what each
costs and what you can spend.
"""

# %%
# Here the measures that a first look at the cells gives cost 1, their errors 3, and the worst of
# three looks 5.
import matplotlib.pyplot as plt

import fewest

data = fewest.load("wdbc")
prices = {"mean": 1.0, "worst": 5.0}
costs = {name: prices.get(name.split("-")[0], 3.0) for name in data.names}
results = {}
for budget in (1, 2, 5, 10, 15):
    selector = fewest.SubsetSelector(
        "gaussian-nb", "sffs", costs=costs, budget=budget, cv=5, random_state=0
    )
    results[budget] = selector.fit(data.X, data.y).result_

for budget, result in results.items():
    print(
        f"budget {budget:2}: {result.score:.3f} for {result.cost:4g}  {', '.join(result.features)}"
    )

# %%
# What more money buys:
figure, axes = plt.subplots(figsize=(6.4, 3.6))
spent = [result.cost for result in results.values()]
axes.plot(spent, [result.score for result in results.values()], "o-", color="#0072b2")
axes.set(xlabel="spent", ylabel="selection score", title="Selection score against cost")
axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()
