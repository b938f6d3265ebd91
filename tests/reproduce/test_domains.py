"""Where the data of a domain come from."""

import sys

from papers import domains
from papers.experiment import Settings
from papers.paper import read_paper
from papers.runner import plan


def test_absent_data_are_told(monkeypatch, tmp_path):
    domains._load.cache_clear()
    monkeypatch.setattr(sys.modules["fewest.data._load"], "folders", lambda: [tmp_path])
    wanted, absent = plan(read_paper("inza2000"), Settings(), ["Image", "LED24"])
    assert {e.domain for e in wanted} == {"LED24"}
    assert absent == [
        "Image: there is no data set 'image-segmentation' here; put it into the folder that "
        "$FEWEST_DATA names."
    ]
    domains._load.cache_clear()


def test_generated_data_follow_the_seed():
    paper = read_paper("inza2000")
    one, same, other = (domains.domain_data(paper, "LED24", seed) for seed in (0, 0, 1))
    assert (one.y == same.y).all()
    assert not (one.y == other.y).all()
    assert domains.test_data(paper, "LED24") is None
    assert domains.why_absent(paper, "LED24") is None


def test_the_monks_problems_have_a_test_file():
    paper = read_paper("hsu2004")
    assert len(domains.test_data(paper, "Monk1").y) == 432
    # The training file is the usual one.
    assert len(domains.domain_data(paper, "Monk1", 0).y) == 124


def test_a_method_may_have_a_file_of_its_own():
    paper = read_paper("hsu2004")
    files = [domains.domain_data(paper, "Anneal", 0, which) for which in ("data", "FSS-C4.5 data")]
    assert [bool(data.table().missing.any()) for data in files] == [False, True]
    monk = domains.domain_data(paper, "Monk1", 0)
    assert domains.domain_data(paper, "Monk1", 0, "FSS-C4.5 data") is monk


def test_every_value_can_be_a_label():
    paper = read_paper("dash2003")
    votes = domains.domain_data(paper, "Vote", 0)
    table = domains.labelled(votes).table()
    assert not table.missing.any()
    assert table.nominal.all()
    unknown = table.values[votes.table().missing]
    assert {table.levels[0][int(code)] for code in unknown} == {domains.UNKNOWN}
    # A whole number is the label of itself.
    legs = domains.labelled(domains.domain_data(paper, "Zoo", 0)).table()
    assert legs.nominal.all()
    assert legs.levels[legs.names.index("legs")] == ("0", "2", "4", "5", "6", "8")


def test_data_that_are_not_public_have_a_reason():
    assert domains.why_absent(read_paper("inza2002"), "Cloud").startswith("Cloud: data of Aha")
