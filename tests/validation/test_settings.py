"""What it takes to repeat a validation."""

from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB

from fewest._validation.schemes import settings_of
from fewest.data._as_table import as_table


def test_what_the_search_says_of_itself_comes_first():
    table = as_table(*load_iris(return_X_y=True))
    told = {"search": "SFS()", "measure": "MDL()", "seed": 3}
    found = settings_of(SelectKBest(), told, GaussianNB(), "f1_macro", table)
    assert (found["search"], found["measure"], found["scoring"]) == ("SFS()", "MDL()", "'f1_macro'")
    assert "seed" not in found
    assert found["rows"] == 150


def test_other_selectors_are_spelled_out():
    table = as_table(*load_iris(return_X_y=True))
    found = settings_of(SelectKBest(k=2), {}, GaussianNB(), None, table)
    assert found["selector"] == "SelectKBest(k=2)"
    assert found["scoring"] is None
