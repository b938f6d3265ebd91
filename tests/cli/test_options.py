import pytest

from fewest._cli.options import OWN, NetworkOptions, SelectOptions, WeighOptions, options_of
from fewest._errors import InputError


def test_a_journal_keeps_everything_but_what_is_yours():
    given = SelectOptions("iris", seed=3, options=["a=1"], json="r.json", jobs=4, quiet=True)
    again = SelectOptions.of_journal(given.to_dict(), "here")
    assert again == SelectOptions("iris", seed=3, options=["a=1"])
    assert all(
        getattr(again, name) == getattr(SelectOptions("x"), name) for name in set(OWN) - {"bif"}
    )


def test_unknown_names_of_other_versions_are_left_out():
    assert SelectOptions.of_journal({"data": "iris", "colour": "red"}, "x").data == "iris"


@pytest.mark.parametrize("command", [{}, {"data": 1}, {"data": "x", "budget": True}])
def test_what_does_not_fit_is_named(command):
    with pytest.raises(InputError, match="`command` of here"):
        SelectOptions.of_journal(command, "here")


def test_a_whole_number_is_a_number():
    assert SelectOptions.of_journal({"data": "x", "budget": 3}, "here").budget == 3


@pytest.mark.parametrize(("flag", "way"), [(True, "auto"), (False, "none")])
def test_the_flag_of_old_journals_is_understood(flag, way):
    assert SelectOptions.of_journal({"data": "x", "validate": flag}, "here").validate == way


def test_the_command_of_a_journal_is_that_of_its_verb():
    given = NetworkOptions("asia", seed=3, search="tabu", bif="a.bif", report="r.html")
    again = options_of(given.to_dict(), "here")
    assert again == NetworkOptions("asia", seed=3, search="tabu")
    assert options_of({"data": "iris"}, "here") == SelectOptions("iris")
    assert options_of(WeighOptions("x", quiet=True).to_dict(), "here") == WeighOptions("x")
    with pytest.raises(InputError, match="must be one of select, weigh, network, but is 7"):
        options_of({"data": "iris", "verb": 7}, "here")
