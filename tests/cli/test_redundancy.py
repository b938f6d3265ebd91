"""``fewest redundancy`` as a person types it."""

from tests.cli.calls import within


def test_levels_of_redundancy_are_printed(tmp_path):
    table = tmp_path / "table.csv"
    lines = [f"{a},{b},{a + b},{a}" for a in "xy" for b in "uv"] * 10
    table.write_text("\n".join(["first,second,both,class", *lines]))
    done = within("redundancy", table, "--level", 2)
    assert done.exit_code == 0, done.output
    assert "both    redundant given first, second: 0.000 bits" in done.output
    alone = within("redundancy", table, "--level", 0).output
    assert "first   not redundant: 1.000 bits" in alone
    wrong = within("redundancy", table, "--level", 7)
    assert wrong.exit_code == 1
    assert "`level` must be between 0 and 2" in str(wrong.exception)
