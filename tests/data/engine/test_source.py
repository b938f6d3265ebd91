import pytest

from tests.data.engine.sample import arrow, frame


def test_a_local_source_is_read_and_never_asked_to_count():
    source = arrow(frame())
    assert not source.remote
    with pytest.raises(NotImplementedError):
        source.count_groups([("x0",)], None)
