"""Every field of a saved result that is not what it must be is named."""

import copy
import json
from pathlib import Path

import pytest

from fewest._errors import InputError
from fewest._report.page import write_saved
from fewest._run.result import Result
from fewest.testing._results import toy_result

SAVED = Path(__file__).parents[1] / "formats" / "result-0.1.0.json"
JUNK = [None, True, -1, 1.5, 10**400, "x", [], [1], {}, {"a": 1}, [[]], [{}]]


def plain():
    return toy_result().to_dict()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "1"}, "`format` in here must be a whole number"),
        ({"format": None}, "`format`"),
        ({"seed": "x"}, "`seed` in here must be a whole number"),
        ({"features": "abc"}, "`features`"),
        ({"features": ["f1"]}, "`features` in here must be the names that `support` marks"),
        ({"support": [True]}, "`support`"),
        ({"support": [0.5] * 6}, "`support`"),
        ({"score": "high"}, "`score`"),
        ({"stop_kind": "never"}, "`stop_kind` in here must be one of search, rule"),
        ({"history": [1]}, "`history`"),
        ({"history": [{}]}, "has no field"),
        ({"archive": [{"features": [99]}]}, "archive"),
        ({"honest": {}}, "`honest` of here has no field `score`"),
        ({"extra": {"network": 3}}, "`network`"),
        ({"extra": {"network": {"names": ["a"], "arcs": [[0, 5]], "rows": 1}}}, "`arcs`"),
        ({"alternatives": [3]}, "`alternatives`"),
    ],
)
def test_a_wrong_field_is_named(change, words):
    with pytest.raises(InputError, match=words):
        Result.from_dict({**plain(), **change}, "here")


@pytest.mark.parametrize("name", sorted(plain()))
def test_a_missing_field_is_named_or_has_a_default(name):
    less = {k: v for k, v in plain().items() if k != name}
    try:
        Result.from_dict(less, "here")
    except InputError as error:
        assert name in str(error) or name == "fewest"  # noqa: PT017


def everywhere(value, path=()):
    """The paths of all values inside plain data, of long lists only the first."""
    yield path
    inner = value.items() if isinstance(value, dict) else ()
    inner = list(enumerate(value))[:1] if isinstance(value, list) else inner
    for key, one in inner:
        yield from everywhere(one, (*path, key))


def test_junk_in_any_place_is_a_sentence_or_a_page(tmp_path):
    whole = json.loads(SAVED.read_text())
    target = tmp_path / "bad.json"
    for i, path in enumerate(list(everywhere(whole))[1:]):
        bad = copy.deepcopy(whole)
        inside = bad
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = JUNK[i % len(JUNK)]
        target.write_text(json.dumps(bad))
        try:
            write_saved(target, tmp_path / "page.html")
        except InputError as error:
            assert str(target) in str(error)  # noqa: PT017


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"fewest": "result", "format": NaN}'])
def test_what_is_not_json_is_a_sentence(tmp_path, text):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(InputError, match="it is not JSON"):
        Result.load(tmp_path / "r.json")


def test_a_malformed_comparison_is_a_sentence(tmp_path):
    (tmp_path / "c.json").write_text('{"fewest": "comparison", "table": 3}')
    with pytest.raises(InputError, match="is damaged: a page cannot be made of it"):
        write_saved(tmp_path / "c.json", tmp_path / "page.html")
