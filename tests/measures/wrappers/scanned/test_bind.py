import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from fewest import SubsetSelector
from fewest._errors import InputError
from tests.data.engine.sample import arrow
from tests.measures.wrappers.scanned.witness import numbers


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"measure": GaussianNB(), "cv": KFold(3)}, '`cv` must be "auto" or a number of folds'),
        ({"measure": GaussianNB(), "scoring": "f1_macro"}, "`scoring` must be accuracy for a"),
        (
            {"measure": LinearRegression(), "scoring": "neg_max_error"},
            "`scoring` must be r2, neg_mean",
        ),
    ],
)
def test_what_needs_rows_is_refused_in_a_sentence(options, words):
    table = numbers().drop(columns="z")
    with pytest.raises(InputError, match=words):
        SubsetSelector(search="sfs", **options).fit(arrow(table).dataset, target="y")


def test_the_default_measure_scans_classes_and_numbers():
    table = numbers()
    classes = SubsetSelector(search="sfs", cv=3).fit(
        arrow(table.drop(columns="z").astype({"y": str})).dataset, target="y"
    )
    assert classes.measure_.title == "naive-bayes"
    assert classes.fold_scores_.shape == (3,)
    by_number = SubsetSelector(search="sfs", cv=3).fit(
        arrow(table.drop(columns="y")).dataset, target="z"
    )
    assert by_number.measure_.title == "linear-regression"
