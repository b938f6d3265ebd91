"""Parameters that are not declared, copied or checked as they should be."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fewest._errors import InputError
from fewest._parameters import Parameters, number, whole
from fewest.testing._measure_checks import (
    check_parameters_get_set_clone,
    check_parameters_refuse_junk,
)


@dataclass
class Right(Parameters):
    size: int = whole(3, low=1)
    shift: float = number(0.0)


class Mute(Right):
    """Takes everything."""

    def check_parameters(self):
        pass


class Curt(Right):
    """Refuses without a sentence."""

    def check_parameters(self):
        if self.size != 3 or self.shift != 0:
            raise InputError("no")


class Forgetful(Right):
    """Keeps one of its parameters to itself."""

    def get_params(self, deep=True):
        return {"size": self.size}


def test_right_parameters_pass():
    check_parameters_get_set_clone(Right())
    # -7.25 is junk for a size, but a number like any other for a shift.
    check_parameters_refuse_junk(Right())


def test_wrong_parameters_are_caught():
    with pytest.raises(AssertionError, match="`size` of Mute takes 'no such word' silently"):
        check_parameters_refuse_junk(Mute())
    with pytest.raises(AssertionError):
        check_parameters_refuse_junk(Curt())
    with pytest.raises(AssertionError, match="get_params gives"):
        check_parameters_get_set_clone(Forgetful())
