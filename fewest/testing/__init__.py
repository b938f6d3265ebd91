"""For tests, ours and yours: conformance suites, toy tables, and a measure from a table."""

from .driving import Drive, drive
from .measure_checks import check_measure, measure_checks, parametrize_with_measure_checks
from .search_checks import (
    SPACES,
    check_search,
    every_candidate,
    parametrize_with_search_checks,
    search_checks,
)
from .table_measure import MonotoneTableMeasure, TableMeasure, monotone_values, random_values
from .tables import (
    TOY_TABLES,
    mixed_table,
    nominal_table,
    number_table,
    parity_table,
    toy_table,
)

__all__ = [
    "SPACES",
    "TOY_TABLES",
    "Drive",
    "MonotoneTableMeasure",
    "TableMeasure",
    "check_measure",
    "check_search",
    "drive",
    "every_candidate",
    "measure_checks",
    "mixed_table",
    "monotone_values",
    "nominal_table",
    "number_table",
    "parametrize_with_measure_checks",
    "parametrize_with_search_checks",
    "parity_table",
    "random_values",
    "search_checks",
    "toy_table",
]
