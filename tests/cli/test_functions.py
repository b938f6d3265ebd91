from tests.cli.calls import within


def test_a_search_on_a_function():
    done = within(
        "functions", "--search", "umda,egna", "--function", "onemax", "--runs", "2",
        "--set", "population=200",
    )  # fmt: skip
    assert done.exit_code == 0
    assert "onemax: 50 variables, optimum 50; to be learned: single bits" in done.output
    assert "umda               2 of 2" in done.output
    assert "egna" not in done.output


def test_all_searches_that_can_run():
    done = within("functions", "--function", "slope", "--runs", "1", "--evaluations", "3")
    assert done.exit_code == 0
    assert "cma-es" in done.output
    assert "0 of 1" in done.output
    assert "umda " not in done.output


def test_an_unknown_function():
    done = within("functions", "--function", "two-max")
    assert done.exit_code != 0
    assert "`function` must be one of onemax" in str(done.exception)
