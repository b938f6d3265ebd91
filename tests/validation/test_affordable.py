"""Which honest estimate is made."""

import numpy as np
import pytest

from fewest.errors import InputError
from fewest.search.curve import Curve
from fewest.testing.results import toy_result
from fewest.validation.affordable import affordable_scheme, check_way, estimates


def taking(seconds, **options):
    result = toy_result(**options)
    result.extra["operations"] = seconds * 1e9
    return result


def test_what_is_asked_for_is_done():
    slow = taking(1e6)
    assert estimates("nested", slow, limited=False) == (True, False, [])
    assert estimates("corrected", slow, limited=False) == (False, True, [])
    assert estimates("none", slow, limited=False) == (False, False, [])


def test_quick_searches_get_both():
    assert estimates("auto", taking(0.5), limited=False) == (True, True, [])
    assert estimates("auto", taking(5.0), limited=False) == (True, False, [])


def test_slow_searches_are_replayed_and_it_is_said():
    nested, replayed, (note,) = estimates("auto", taking(600.0), limited=False)
    assert (nested, replayed) == (False, True)
    assert note.startswith("Nested validation would take about 324 minutes, so")
    assert estimates("auto", taking(600.0), limited=True)[0]


def test_filters_have_nothing_to_replay():
    nested, replayed, (note,) = estimates("auto", taking(600.0, folds=False), limited=False)
    assert (nested, replayed) == (False, False)
    assert "so it was left out" in note
    assert estimates("auto", taking(0.1, folds=False), limited=False) == (True, False, [])


def test_a_curve_has_judged_the_procedure_already():
    result = taking(0.5)
    curve = Curve(np.array([0, 2]), np.array([[0.5, 0.6], [0.8, 0.9]]), 0.005)
    result.extra["curve"] = curve.to_dict()
    assert estimates("auto", result, limited=False) == (False, False, [])
    assert estimates("nested", result, limited=False) == (True, False, [])


def test_other_words_are_refused():
    check_way("corrected")
    with pytest.raises(InputError, match="`--validate` must be one of auto, nested, corrected"):
        check_way("yes")


def test_longer_schemes_are_dearer():
    # 5x2cv is five passes over the rows, 1x10cv nine, 2x2cv two, auto at least 27.
    nested = {
        scheme: estimates("auto", taking(40.0), limited=False, scheme=scheme)[0]
        for scheme in ("5x2cv", "1x10cv", "2x2cv")
    }
    assert nested == {"5x2cv": True, "1x10cv": False, "2x2cv": True}
    assert affordable_scheme("auto", taking(5.0), limited=False) == "auto"
    assert affordable_scheme("auto", taking(40.0), limited=False) == "5x2cv"
    assert affordable_scheme("auto", taking(5.0), limited=True) == "5x2cv"
    assert affordable_scheme("1x10cv", taking(40.0), limited=True) == "1x10cv"
