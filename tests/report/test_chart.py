"""Charts as plain data."""

from __future__ import annotations

from fewest._report.chart import thin


def test_thin_keeps_ends():
    assert thin(1000, 10)[0] == 0
    assert thin(1000, 10)[-1] == 999
    assert len(thin(1000, 10)) == 10
