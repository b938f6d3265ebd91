"""One entry per generation."""

import numpy as np

from fewest._run.archive import Archive
from fewest._run.history import MOST_FREQUENCIES, History
from fewest.measures._measure import Scores
from fewest.search import Subsets

BATCH = np.array([[1, 0, 0], [1, 1, 0]], dtype=bool)


def noted(values):
    space = Subsets(3)
    archive, history = Archive(space), History(space)
    scores = Scores(np.array(values))
    archive.add(BATCH, scores, 0)
    history.note(np.arange(2), scores, archive, 1.0, 0.5)
    return archive, history


def test_an_entry_describes_its_batch():
    _, history = noted([0.4, 0.6])
    (entry,) = history.entries
    assert (entry["generation"], entry["candidates"], entry["evaluations"]) == (0, 2, 2)
    assert (entry["best"], entry["mean"], round(entry["std"], 9)) == (0.6, 0.5, 0.1)
    assert (entry["best_so_far"], entry["best_size"], entry["mean_size"]) == (0.6, 2, 1.5)
    assert entry["frequency"] == [1.0, 0.5, 0.0]


def test_a_batch_without_a_score_has_none():
    _, history = noted([np.nan, np.nan])
    assert history.entries[0]["best"] is None
    assert history.best == [float("-inf")]


def test_the_best_so_far_stays_when_a_batch_is_worse():
    archive, history = noted([0.4, 0.6])
    worse = np.array([[0, 0, 1]], dtype=bool)
    archive.add(worse, Scores(np.array([0.1])), 1)
    history.note(np.array([2]), Scores(np.array([0.1])), archive, 2.0, 0.1)
    assert [e["best_so_far"] for e in history.entries] == [0.6, 0.6]
    assert history.best == [0.6, 0.1]
    history.note_thinking(0.25)
    assert history.entries[-1]["search_seconds"] == 0.25


def test_a_journal_is_told_of_populations_only():
    history = History(Subsets(3))
    assert history.about(BATCH) == {"generation": 0, "frequency": [1.0, 0.5, 0.0]}
    assert history.about(BATCH[:1]) == {"generation": 0}
    wide = History(Subsets(MOST_FREQUENCIES + 1))
    assert "frequency" not in wide.about(np.ones((2, MOST_FREQUENCIES + 1), dtype=bool))
