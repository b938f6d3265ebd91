"""Tables outside memory: which objects are such, and the source behind each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from ..._errors import InputError

if TYPE_CHECKING:
    from .source import TableSource


#: File extensions of DuckDB databases.
DATABASES = (".duckdb", ".ddb")


def is_stored(X: Any) -> bool:
    """Return whether X is a table outside memory (of ``load``, Ibis, polars, Arrow, Spark, ...)."""
    module = type(X).__module__
    if module.startswith("fewest.data._engine"):
        return type(X).__name__ == "StoredFrame"
    return (
        bool(nw.dependencies.is_ibis_table(X))
        or bool(nw.dependencies.is_polars_lazyframe(X))
        or _is_arrow_dataset(X)
        or _is_partitioned(X)
    )


def is_stored_data(X: Any) -> bool:
    """Return whether X is what ``load`` returns of a table outside memory: features and target."""
    return type(X).__module__.startswith(__package__) and type(X).__name__ == "StoredDataset"


def _is_partitioned(X: Any) -> bool:
    module = type(X).__module__
    own = module.startswith(("pyspark.sql.", "ray.data.", "dask.dataframe"))
    return own and type(X).__name__ in ("DataFrame", "Dataset", "MaterializedDataset")


def open_source(X: Any) -> TableSource:
    """Return the source behind an object that :func:`is_stored` recognises."""
    needs("pyarrow", "parquet")
    if nw.dependencies.is_ibis_table(X):
        from .streamed import ibis_source

        return ibis_source(X)
    if nw.dependencies.is_polars_lazyframe(X):
        from .streamed import LazyTable

        return LazyTable(X)
    if _is_arrow_dataset(X):
        from .parquet import ArrowDataset

        return ArrowDataset(X)
    if _is_partitioned(X):
        from . import spread

        kinds: dict[str, Any] = {
            "pyspark": spread.SparkTable,
            "ray": spread.RayDataset,
            "dask": spread.DaskFrame,
        }
        partitioned: TableSource = kinds[type(X).__module__.partition(".")[0]](X)
        return partitioned
    source: TableSource = X.source
    return source


def looks_stored(text: str) -> bool:
    """Return whether a path means files that stay on disk: a pattern, a folder, a DuckDB database.

    >>> looks_stored("sales/*.parquet"), looks_stored("shop.duckdb#orders"), looks_stored("a.csv")
    (True, True, False)
    """
    path = text.partition("#")[0]
    if path.endswith(DATABASES):
        return True
    if any(sign in path for sign in "*?["):
        return not Path(path).is_file()
    folder = Path(path).expanduser()
    return folder.is_dir() and any(folder.glob("*.parquet"))


def open_path(text: str) -> TableSource:
    """Return the source behind such a path; ``shop.duckdb#orders`` names a table of a database."""
    path, _, table = text.partition("#")
    if path.endswith(DATABASES):
        from .streamed import duckdb_table

        needs("ibis", "engine")
        return duckdb_table(path, table or None)
    needs("pyarrow", "parquet")
    from .parquet import ParquetFiles

    return ParquetFiles(path)


def needs(package: str, extra: str) -> None:
    """Raise an error that says what to install where a package is missing."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise InputError(
            f"A table that stays where it is needs {package}; install it with: "
            f"pip install 'fewest[{extra}]'."
        )


def _is_arrow_dataset(X: Any) -> bool:
    module = sys.modules.get("pyarrow.dataset")
    return module is not None and isinstance(X, module.Dataset)
