import re

import numpy as np

from fewest._run.versions import PACKAGES, object_text, versions


def test_all_packages_that_make_the_numbers_are_named():
    found = versions()
    assert set(found) == {"python", *PACKAGES}
    assert found["numpy"] == np.__version__


def test_objects_are_spelled_without_their_address():
    class Thing:
        pass

    assert object_text(Thing()) == object_text(Thing())
    assert not re.search("0x[0-9a-f]", object_text(Thing()))
    assert object_text([1, "a"]) == "[1, 'a']"
