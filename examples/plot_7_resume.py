"""
Resume after an interrupt
=========================

A run with a journal can be cut at any time. Fitting again goes on where it stopped and gives the
very same result as a run that was never cut.
"""

# %%
# A rule that pulls the plug after three generations stands in for Ctrl-C.
import tempfile
from pathlib import Path

import fewest
from fewest.report import figures
from fewest.run.stop import Generations
from fewest.search import UMDA

data = fewest.load("wine")
journal = Path(tempfile.mkdtemp()) / "run.jsonl"
options = {"measure": "gaussian-nb", "search": UMDA(population=60), "stop": Generations(8)}


def fit(journal):
    selector = fewest.SubsetSelector(**options, cv=5, journal=journal, random_state=0)
    return selector.fit(data.X, data.y).result_


whole = fit(journal)
lines = journal.read_bytes()
journal.write_bytes(lines[: len(lines) // 3])  # the rest was never written
print(f"{len(lines)} bytes, {len(journal.read_bytes())} left, the last line torn")

# %%
# Only what is missing is computed:
again = fit(journal)
print("same features:", again.features == whole.features)
print("same archive:", again.archive == whole.archive)

# %%
figure = figures.score_by_generation(again)
