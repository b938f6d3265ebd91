import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from fewest._errors import InputError
from fewest._run.result import Result
from fewest.testing._results import toy_result, toy_validation
from tests.keys import RESULT_KEYS


def result(**changes):
    plain = {
        "features": ["b"],
        "support": np.array([False, True]),
        "names": ["a", "b"],
        "score": 0.9,
        "score_std": None,
        "folds": None,
        "search": "sfs",
        "measure": "table",
        "optimal": False,
        "bound": None,
        "gap": None,
        "evaluations": 3,
        "generations": 2,
        "history": [],
        "archive": [],
        "stopped": "the search ended",
        "partial": False,
        "ties": 0,
        "alternatives": [],
        "seed": 1,
        "seconds": 0.1,
        "version": "0.1.0",
    }
    return Result(**{**plain, **changes})


def test_what_is_saved_is_what_is_loaded(tmp_path):
    result().save(tmp_path / "r.json")
    again = Result.load(tmp_path / "r.json")
    assert again.to_dict() == result().to_dict()
    assert again.support.dtype == bool


def test_the_file_holds_what_others_rely_on(tmp_path):
    result().save(tmp_path / "r.json")
    plain = json.loads((tmp_path / "r.json").read_text())
    assert set(plain) >= RESULT_KEYS
    assert plain["n_features"] == 1
    assert plain["n_features_in"] == 2


def test_infinite_and_unknown_numbers_become_null(tmp_path):
    result(score=float("nan"), gap=float("inf")).save(tmp_path / "r.json")
    plain = json.loads((tmp_path / "r.json").read_text())
    assert plain["score"] is None
    assert plain["gap"] is None
    assert np.isnan(Result.load(tmp_path / "r.json").score)


@pytest.mark.parametrize(
    ("text", "words"),
    [("no", "it is not JSON"), ("[]", "does not say so"), ('{"fewest": "journal"}', "say so")],
)
def test_other_files_are_refused(tmp_path, text, words):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(InputError, match=words):
        Result.load(tmp_path / "r.json")


def test_a_newer_format_asks_for_an_upgrade():
    with pytest.raises(InputError, match="upgrade"):
        Result.from_dict({"fewest": "result", "format": 99, "version": "9"})


def test_no_half_written_file_is_left(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        result().save(tmp_path / "no" / "r.json")
    assert list(tmp_path.iterdir()) == []


def test_results_do_not_change():
    result = toy_result(honest=False)
    with pytest.raises(FrozenInstanceError):
        result.score = 1.0
    validation = toy_validation(result.names, result.support)
    assert result.with_validation(validation).honest["score"] == validation.score
    assert result.honest is None


def test_the_score_of_older_files_is_read_by_its_older_name():
    plain = toy_result().to_dict()
    score = plain["honest"].pop("score")
    assert Result.from_dict(plain).honest["score"] == score
