"""What "auto" chooses for networks."""

import pytest

from fewest.errors import InputError
from fewest.fitting.structures import choose_search
from fewest.search import GAOrder


def test_auto_proves_where_that_is_quick():
    assert choose_search("auto", 8, None)[0] == "exact"
    assert choose_search("auto", 20, 4)[0] == "exact"
    assert choose_search("auto", 20, None)[0] == "tabu"
    name, why = choose_search("auto", 37, 4)
    assert name == "tabu"
    assert "37 variables" in why[0]


def test_names_and_searches_pass():
    search = GAOrder()
    assert choose_search(search, 5, 4) == (search, [])
    assert choose_search("plackett-luce", 5, 4) == ("plackett-luce", [])
    with pytest.raises(InputError, match=r"but is 'tabuu'. Did you mean tabu\?"):
        choose_search("tabuu", 5, 4)
