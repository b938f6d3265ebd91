import pytest

from tests.cli.calls import within


@pytest.mark.parametrize("what", ["searches", "measures"])
def test_the_capability_tables(what):
    done = within(what)
    assert done.exit_code == 0
    assert {"searches": "ebna", "measures": "naive-bayes"}[what] in done.output


@pytest.mark.parametrize("what", ["searches", "measures"])
def test_a_line_each_in_80_columns(what):
    lines = within(what).output.splitlines()
    assert len(lines) < 100
    assert max(map(len, lines)) <= 80


def test_one_by_its_name():
    whole = within("searches", "path").output
    assert whole.startswith("path (Path)")
    assert "Guyon" in whole
    assert len(within("searches", "--long").output) > len(within("searches").output)
    assert "Did you mean random-forest?" in str(within("measures", "rf").exception)
