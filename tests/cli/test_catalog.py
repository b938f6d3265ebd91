import pytest

from tests.cli.calls import within


@pytest.mark.parametrize("what", ["searches", "measures"])
def test_the_capability_tables(what):
    done = within(what)
    assert done.exit_code == 0
    assert {"searches": "ebna", "measures": "naive-bayes"}[what] in done.output
