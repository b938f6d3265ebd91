import pytest

import fewest.classifiers


@pytest.mark.parametrize("name", dir(fewest.classifiers))
def test_every_classifier_loads_by_its_name(name):
    assert getattr(fewest.classifiers, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Oracle'"):
        fewest.classifiers.Oracle  # noqa: B018
