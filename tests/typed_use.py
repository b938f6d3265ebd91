"""What a user writes, for type checkers: mypy and pyright read it, and nothing runs it.

An ignored error that is none is an error (``warn_unused_ignores``), so misspelled parameters must
be found.
"""

from __future__ import annotations

from typing import Any, assert_type

import fewest
from fewest import Comparison, NetworkLearner, Result, SubsetSelector, Validation
from fewest.classifiers import TAN, NaiveBayes
from fewest.data import Dataset
from fewest.extend import Search, whole
from fewest.measures import CrossValidated, Scores
from fewest.search import EBNA, SFS
from fewest.stop import Generations, Seconds


def select(data: Dataset) -> list[str]:
    """Select features and look at the result."""
    selector = SubsetSelector(search=EBNA(population=50), stop=Generations(5), random_state=0)
    assert_type(selector.fit(data.X, data.y), SubsetSelector)
    result = selector.result_
    assert_type(result, Result)
    assert_type(result.features, list[str])
    assert_type(result.score, float)
    result.save("result.json")
    assert_type(Result.load("result.json"), Result)
    if result.honest is not None:
        assert_type(result.honest["score"], float)
    assert_type(result.history[0]["generation"], int)
    assert_type(result.extra.get("excluded"), list[int] | None)
    return result.features


def judge(data: Dataset, selector: SubsetSelector) -> float:
    """Validate and compare selections."""
    validation = fewest.validate(selector, data.X, data.y, random_state=0)
    assert_type(validation, Validation)
    assert_type(validation.score, float)
    compared = fewest.compare({"sfs": SubsetSelector(search=SFS())}, data.X, data.y)
    assert_type(compared, Comparison)
    scores = fewest.score_subsets(data.X, data.y, [["alcohol"]], measure=CrossValidated(TAN()))
    assert_type(scores, Scores)
    return validation.p_value or 1.0


def learn(frame: Any) -> None:
    """Learn a network, and look at a table."""
    learner = NetworkLearner(score="bic", stop=Seconds(3)).fit(frame)
    assert_type(learner, NetworkLearner)
    print(fewest.check(frame).findings, whole(3, low=1), Search)


def misspell() -> None:
    """Misspell parameters: each must be an error."""
    EBNA(populatoin=3)  # type: ignore[call-arg]
    SFS(bogus=1)  # type: ignore[call-arg]
    NaiveBayes(alhpa=1)  # type: ignore[call-arg]
    SubsetSelector(serach="sfs")  # type: ignore[call-arg]


def change(result: Result) -> None:
    """Change a result: an error, as it is frozen."""
    result.score = 1.0  # type: ignore[misc]
