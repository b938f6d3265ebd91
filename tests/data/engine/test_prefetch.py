import threading

import pytest

from fewest.data._engine.batches import prefetched


def test_items_come_in_order_and_errors_come_through():
    def items():
        yield from range(20)
        raise ValueError("broken at 20")

    found = prefetched(items())
    assert [next(found) for _ in range(20)] == list(range(20))
    with pytest.raises(ValueError, match="broken at 20"):
        next(found)


def test_a_user_who_stops_early_leaves_no_thread():
    before = threading.active_count()
    endless = prefetched(iter(int, 1))
    assert next(endless) == 0
    endless.close()
    assert threading.active_count() == before
