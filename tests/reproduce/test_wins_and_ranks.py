"""Methods against each other over many domains, by hand."""

import numpy as np

from papers.wins_and_ranks import mean_ranks, wins_and_losses


def test_a_loss_is_where_the_other_is_better_in_the_direction_of_the_figure():
    mine = {"a": np.zeros((50, 2)), "b": np.zeros((50, 2))}
    to_and_fro = np.where(np.arange(50) % 2 == 0, 1.0, -1.0)[:, None] * np.ones(2)
    theirs = {"a": np.ones((50, 2)), "b": to_and_fro}
    counts = wins_and_losses(mine, theirs, np.array([1.0, -1.0]))
    assert counts.tolist() == [[0, 1], [1, 0]]
    assert mean_ranks([mine, theirs], np.array([1.0, -1.0])).tolist() == [[1.5, 1.0], [1.0, 1.5]]
