"""For tests, ours and yours: conformance suites, toy tables, and a measure from a table."""

from ._driving import Drive, drive
from ._measure_checks import check_measure, measure_checks, parametrize_with_measure_checks
from ._search_checks import (
    SPACES,
    check_search,
    every_candidate,
    parametrize_with_search_checks,
    search_checks,
)
from ._tables import (
    TOY_TABLES,
    MonotoneTableMeasure,
    TableMeasure,
    mixed_table,
    monotone_values,
    nominal_table,
    number_table,
    parity_table,
    random_values,
    toy_table,
)

__all__ = [
    "SPACES", "TOY_TABLES", "Drive", "MonotoneTableMeasure", "TableMeasure", "check_measure",
    "check_search", "drive", "every_candidate", "measure_checks", "mixed_table", "monotone_values",
    "nominal_table", "number_table", "parametrize_with_measure_checks",
    "parametrize_with_search_checks", "parity_table", "random_values", "search_checks", "toy_table",
]  # fmt: skip
