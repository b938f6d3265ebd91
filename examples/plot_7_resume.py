"""
Resume after an interrupt
=========================

A run that writes a journal can be interrupted at any time. If you call ``fit`` again, it continues
where it stopped and gives the same result as a run without interruption.
"""

import tempfile
from pathlib import Path

import fewest
from fewest.search import UMDA
from fewest.stop import Generations

# %%
# The example runs a search to the end and then removes two thirds of its journal.


data = fewest.load("wine")
journal = Path(tempfile.mkdtemp()) / "run.jsonl"
options = {"measure": "gaussian-nb", "search": UMDA(population=60), "stop": Generations(8)}


def fit(journal):
    selector = fewest.SubsetSelector(**options, cv=5, journal=journal, random_state=0)
    return selector.fit(data.X, data.y).result_


whole = fit(journal)
lines = journal.read_bytes()
journal.write_bytes(lines[: len(lines) // 3])  # simulates a crash
print(f"{len(lines)} bytes, {len(journal.read_bytes())} left, the last line incomplete")

# %%
# Only the missing scores are computed:
again = fit(journal)
print("same features:", again.features == whole.features)
print("same archive:", again.archive == whole.archive)

# %%
figure = again.plot("score-by-generation")
