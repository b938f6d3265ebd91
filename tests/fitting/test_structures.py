"""What "auto" chooses for networks."""

import pytest

from fewest._errors import InputError
from fewest.networks._runs import choose_search, search_of, short_name
from fewest.search import ExactGraph, GAOrder, TabuGraph


def test_auto_proves_where_that_is_quick():
    assert choose_search("auto", 8, None)[0] == "exact"
    assert choose_search("auto", 20, 4)[0] == "exact"
    assert choose_search("auto", 20, None)[0] == "iterated-tabu"
    name, why = choose_search("auto", 37, 4)
    assert name == "iterated-tabu"
    assert "37 variables" in why[0]


def test_names_and_searches_pass():
    search = GAOrder()
    assert choose_search(search, 5, 4) == (search, [])
    assert choose_search("plackett-luce", 5, 4) == ("plackett-luce", [])
    with pytest.raises(InputError, match=r"but is 'tabuu'. Did you mean tabu\?"):
        choose_search("tabuu", 5, 4)


def test_short_names_are_those_of_searches_over_graphs():
    assert search_of("tabu", None) == TabuGraph()
    assert short_name(search_of("annealing", None)) == "annealing"
    assert short_name(search_of("ga-order", None)) == "ga-order"


def test_a_proof_is_told_its_time_limit():
    assert search_of("exact", 5.0) == ExactGraph(seconds=5.0)
    assert search_of(ExactGraph(seconds=2.0), 5.0) == ExactGraph(seconds=2.0)
