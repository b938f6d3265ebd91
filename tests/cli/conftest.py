import pytest

from tests.cli.calls import write_iris


@pytest.fixture(scope="session")
def iris(tmp_path_factory):
    """A CSV file with short names, the class last."""
    return write_iris(tmp_path_factory.mktemp("data") / "iris.csv")
