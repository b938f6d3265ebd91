"""One thing that a result says."""

from fewest._report.votes import Fact


def test_a_fact_without_a_figure_is_its_text():
    assert Fact("ties", "Ties", "", "None.").sentence() == "None."
    assert Fact("honest", "Honest", "0.9", "Expect this.").sentence() == "0.9. Expect this."
