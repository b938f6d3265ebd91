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
from fewest.run.stop import Generations
from fewest.search import GAUniform

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
# What more money buys. Where two subsets score the same, the cheaper is chosen, so not all of the
# budget need be spent.
figure, axes = plt.subplots(figsize=(6.4, 3.6))
spent = [result.cost for result in results]
axes.plot(spent, [result.score for result in results], "o-", color="#0072b2")
axes.set(xlabel="spent", ylabel="selection score", title="Selection score against cost")
axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()
