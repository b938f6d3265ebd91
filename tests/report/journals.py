"""A journal as a run writes it, for tests of those who read along."""

from contextlib import contextmanager

import numpy as np

from fewest._run.history import History
from fewest._run.journal import Journal
from fewest.measures._measure import Scores
from fewest.search._spaces.subsets import Subsets

EVIL = "<script>alert(1)</script>"
BATCHES = [([[1, 1, 0], [1, 0, 0]], [0.7, 0.9]), ([[0, 0, 0], [1, 1, 1]], [0.5, np.nan])]


@contextmanager
def growing_journal(path):
    """The path of a journal, and a way to write on."""
    space = Subsets(3)
    header = {"search": "EBNA()", "measure": "m", "space_kind": space.kind, "seed": 5}
    written = Journal(path, {**header, **space.layout(["a", "b", EVIL])})
    history = History(space)

    def write(masks, values):
        batch, scores = np.array(masks, dtype=bool), Scores(np.array(values))
        written.record(space, batch, scores, **history.about(batch))
        history.best.append(0.0)

    yield written.path, write
    written.close()
