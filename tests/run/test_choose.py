import numpy as np
import pytest

from fewest._errors import InputError
from fewest._run.archive import Archive
from fewest._run.choose import choose_row
from fewest.measures._measure import Scores
from fewest.search import Subsets

# Sizes 1 to 5: value rises quickly, then slowly; the fold spread gives a standard error of 0.01.
VALUES = np.array([0.70, 0.85, 0.893, 0.899, 0.900])


def archive(folds=True):
    made = Archive(Subsets(5))
    bits = np.tril(np.ones((5, 5), dtype=bool))
    spread = np.array([-1.0, 1.0, 0.0, 0.0]) * 0.01 * 2 / np.sqrt(2 / 3)
    made.add(bits, Scores(VALUES, VALUES[:, None] + spread if folds else None), 0)
    return made


@pytest.mark.parametrize(
    ("choose", "row"),
    [
        ("best", 4),
        ("one-se", 2),
        ("half-se", 3),
        (0.0, 4),
        (0.06, 1),
        (0.005, 3),
        (2, 1),
        ("knee", 1),
    ],
)
def test_each_rule_picks_its_row(choose, row):
    made = archive()
    assert choose_row(made, made.up_to(None), choose) == row


def test_one_se_needs_folds():
    made = archive(folds=False)
    with pytest.raises(InputError, match='`choose="one-se"` needs a measure with folds'):
        choose_row(made, made.up_to(None), "one-se")


def test_a_size_that_was_never_scored_is_a_sentence():
    made = archive()
    with pytest.raises(InputError, match="asks for 0 features, but no subset of that size"):
        choose_row(made, made.up_to(None), 0)


@pytest.mark.parametrize("junk", ["worst", None, True, -1, 1.5, float("nan")])
def test_junk_is_a_sentence(junk):
    made = archive()
    with pytest.raises(InputError, match="`choose`"):
        choose_row(made, made.up_to(None), junk)
