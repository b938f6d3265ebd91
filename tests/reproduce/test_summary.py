"""The plain data of a reproduction: order, verdicts, averages."""

from __future__ import annotations


def test_the_summary_is_in_the_order_of_the_paper(summary):
    assert [(c["table"], c["domain"], c["method"], c["verdict"]) for c in summary["cells"]] == [
        ("1", "A|B", "NB", "higher"),
        ("1", "A|B", "p-value", "higher"),
        ("1", "A|B", "new method", ""),
        ("1", "C", "NB", "same"),
        ("2", "C", "all", ""),
        ("2", "C", "M", "higher"),
    ]
    assert summary["verdicts"] == {"higher": 3, "same": 1}
    assert summary["differs"] == ["C: <other> rows."]
    assert summary["seconds"] == 75.0


def test_averages_are_over_the_domains_of_both(summary):
    (mean,) = summary["tables"][0]["averages"]
    assert (mean["method"], mean["domains"], mean["paper"], mean["here"]) == ("NB", 2, 75.0, 80.5)


def test_what_a_text_states_is_checked_too(curved):
    assert [c["verdict"] for c in curved["cells"]] == ["", "", "same", "higher"]
