"""What users catch."""

from __future__ import annotations

import pytest

from fewest._errors import InputError, MismatchError
from fewest.search import Subsets, resolve_search
from fewest.testing import TableMeasure, drive, toy_table


def test_both_are_value_errors():
    # scikit-learn's own checks expect ValueError for wrong input.
    assert issubclass(InputError, ValueError)
    assert issubclass(MismatchError, InputError)


def test_what_does_not_go_together_is_a_mismatch():
    scorer = TableMeasure(sum).bind(toy_table(n_features=3))
    with pytest.raises(MismatchError, match="abb"):
        drive(resolve_search("abb"), Subsets(3), scorer)
