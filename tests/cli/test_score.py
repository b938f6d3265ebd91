from tests.cli.calls import within


def test_a_subset_is_scored_beside_all_features(iris):
    done = within("score", iris, "--features", "petal width,petal length", "--cv", "5")
    assert done.exit_code == 0, done.output
    assert "all features" in done.output
