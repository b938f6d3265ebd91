"""The published figures: papers and domains by name."""

import pytest

from fewest._errors import InputError
from papers.paper import PAPERS, read_paper


def test_domains_by_either_name_and_unknown_ones():
    paper = read_paper("inza2000")
    assert paper.chosen(["chess-kr-vs-kp", "IMAGE"]) == ["Image", "Chess"]
    with pytest.raises(InputError, match="`--domain` must be one of Ionosphere, .* 'moon'"):
        paper.chosen(["moon"])


def test_unknown_papers():
    with pytest.raises(InputError, match="`paper` must be one of inza2000, .* but is 'x'"):
        read_paper("x")


def test_figures_and_claims():
    paper = read_paper("inza2000")
    assert paper.figure("3", "Chess", "NB & FSS-EBNA") == (94.23, 0.35)
    assert paper.figure("3", "Chess", "nobody") is None
    assert paper.claim("3", "Chess", "NB & FSS-EBNA") == (None, None)


@pytest.mark.parametrize("name", PAPERS)
def test_every_figure_has_a_domain_with_data_or_a_reason(name):
    paper = read_paper(name)
    for table in paper.tables.values():
        for domain, row in table["rows"].items():
            if not table.get("derived"):
                assert {"data", "generate", "network", "absent"} & set(paper.domains[domain])
            assert all(len(figure) == 2 for figure in row.values())
