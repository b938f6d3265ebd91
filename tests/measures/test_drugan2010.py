"""A few cells of table 3 of Drugan and Wiering (2010), on few splits."""

import pytest

from benchmarks import drugan2010

#: Percent selected and accuracy as published, for naive Bayes and TAN.
PUBLISHED = {
    ("votes", "mdl-fs"): ((14, 97), (9, 97)),
    ("votes", "mdl"): ((87.5, 93), (93, 93)),
    ("car", "mdl-fs"): ((81, 85), (33, 77)),
    ("chess", "mdl-fs"): ((13, 94), (42, 93)),
}


@pytest.mark.parametrize(("name", "method"), PUBLISHED)
def test_selected_and_accuracy_are_near_the_published(data_folder, monkeypatch, name, method):
    monkeypatch.setenv("FEWEST_DATA", str(data_folder))
    found = drugan2010.rows(name, 5, [method])
    for row, (selected, accuracy) in zip(found, PUBLISHED[name, method], strict=True):
        assert row["selected"] == pytest.approx(selected, abs=4)
        assert row["accuracy"] == pytest.approx(accuracy, abs=2.5)
