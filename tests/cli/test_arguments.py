import pytest

from fewest._cli import arguments
from fewest._errors import InputError


def test_words_keep_escaped_commas():
    assert arguments.words("a, b\\,c,,") == ["a", "b,c"]
    assert arguments.words(None) is None


@pytest.mark.parametrize(("text", "expected"), [("60", 60), ("1.5m", 90), ("2h", 7200), ("3 s", 3)])
def test_durations(text, expected):
    assert arguments.seconds(text) == expected


@pytest.mark.parametrize(
    ("read", "text", "option"),
    [
        (arguments.seconds, "soon", "--max-time"),
        (arguments.costs, "a", "--costs"),
        (arguments.costs, "=3", "--costs"),
        (arguments.costs, "a=x", "--costs"),
        (arguments.folds, "[1]", "--cv"),
        (arguments.folds, "1", "--cv"),
        (arguments.folds, "-3", "--cv"),
        (arguments.folds, "٣", "--cv"),
        (arguments.settings, ["population"], "--set"),
        (arguments.types, "age", "--types"),
        (arguments.types, "=nominal", "--types"),
    ],
)
def test_what_cannot_be_read_names_its_option(read, text, option):
    with pytest.raises(InputError, match=f"`{option}` must be"):
        read(text)


def test_groups_costs_and_settings():
    assert arguments.groups("a,b;c") == [["a", "b"], ["c"]]
    assert arguments.costs("a=3,b=1.5") == {"a": 3.0, "b": 1.5}
    assert arguments.settings(["max-parents=3", "learning=pc"]) == {
        "max_parents": 3,
        "learning": "pc",
    }
    assert arguments.value("(" * 5000) == "(" * 5000
