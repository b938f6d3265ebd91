import pytest

from tests.report.journals import growing_journal


@pytest.fixture
def journal(tmp_path):
    """A journal as a run writes it, and a way to write on."""
    with growing_journal(tmp_path / "run.jsonl") as made:
        yield made
