"""Load data sets by path or by name."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, brief, nearest_names
from . import _generators as generators
from ._columns import Column, Columns, checked, is_unknown
from ._dataset import Dataset, make_dataset
from ._engine.open import is_stored, looks_stored, open_path, open_source
from ._loaders.arff import read_arff
from ._loaders.contents import PACKED, Reading, refuse_special
from ._loaders.delimited import read_delimited
from ._loaders.other_formats import read_excel, read_json_lines, read_parquet
from ._schema import sorted_levels

if TYPE_CHECKING:
    from ._engine.source import TableSource


KINDS = ("continuous", "nominal")
Types = Mapping[str, str]


def check_types(types: Types | None) -> dict[str, str]:
    """Return the declared kinds, if each is "continuous" or "nominal".

    >>> check_types({"zip": "nominal"})
    {'zip': 'nominal'}
    """
    if types is not None and not isinstance(types, Mapping):
        raise InputError(
            f"`types` must be a mapping of columns to kinds such as {{'zip': 'nominal'}}, but is "
            f"{brief(types)}."
        )
    for name, kind in (types or {}).items():
        if not isinstance(kind, str) or kind not in KINDS:
            raise InputError(
                '`types` must say "continuous" or "nominal" for each column, but says '
                f"{brief(kind)} for {brief(name)}."
            )
    return dict(types or {})


def nominal_names(types: Types) -> frozenset[str]:
    """Return the columns that are declared nominal."""
    return frozenset(name for name, kind in types.items() if kind == "nominal")


def typed(columns: Columns, types: Types, where: str) -> Columns:
    """Return the columns with the declared kinds; a name that is none gets a sentence."""
    for name in types:
        if name not in columns.names:
            near = nearest_names(name, columns.names, loosely=True)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else "."
            raise InputError(f"`types` must name columns of {where}, but {name!r} is none{hint}")
    made = tuple(
        as_kind(column, types.get(name), name, where)
        for name, column in zip(columns.names, columns.columns, strict=True)
    )
    return Columns(columns.names, made, columns.n_rows, columns.named)


def as_kind(column: Column, kind: str | None, name: str, where: str) -> Column:
    """Return the column as the kind that is declared for it."""
    if kind == "nominal" and column.numbers is not None:
        return _labelled(column.numbers)
    if kind == "nominal" and column.labels is not None and column.levels is None:
        # Declared levels keep dates that are written as text from becoming numbers.
        return Column(labels=column.labels, levels=sorted_levels(column.labels, name))
    if kind == "continuous" and column.numbers is None:
        return Column(numbers=_numbers(column, name, where))
    return column


def _labelled(numbers: NDArray[np.floating[Any]]) -> Column:
    """Numbers as labels, in the order of the numbers."""
    levels, codes = np.unique(numbers[~np.isnan(numbers)], return_inverse=True)
    texts = tuple(str(int(v)) if v % 1 == 0 else repr(v) for v in levels.tolist())
    every = np.full(len(numbers), -1, dtype=np.int64)
    every[~np.isnan(numbers)] = codes
    return Column(levels=texts, codes=every)


def _numbers(column: Column, name: str, where: str) -> NDArray[np.float64]:
    values = np.full(len(_labels(column)), np.nan)
    for row, label in enumerate(_labels(column)):
        if is_unknown(label):
            continue
        try:
            values[row] = float(label)
        except (TypeError, ValueError):
            raise InputError(
                f"`types` says that {name!r} is continuous, but row {row + 1} of {where} holds "
                f"{label!r} there; correct the value, or leave it empty."
            ) from None
    return values


def _labels(column: Column) -> list[Any]:
    if column.codes is not None:
        assert column.levels is not None
        levels = [*column.levels, None]
        return [levels[code] for code in column.codes.tolist()]
    assert column.labels is not None
    return list(column.labels)


_SKLEARN: dict[str, tuple[str, str, str]] = {
    "iris": ("load_iris", "species", "Iris flowers by their measures (Fisher, 1936)"),
    "wine": ("load_wine", "cultivar", "Wines of three cultivars by chemical analysis"),
    "wdbc": (
        "load_breast_cancer",
        "diagnosis",
        "Breast cancer Wisconsin (diagnostic), 30 measures of cell nuclei",
    ),
    "digits": ("load_digits", "digit", "Handwritten digits, 8 by 8 pixels"),
    "diabetes": ("load_diabetes", "progression", "Diabetes progression, a numeric target"),
}


def names() -> dict[str, str]:
    """Return the names of the data sets that ship, with one line about each."""
    real = {name: about for name, (_, _, about) in _SKLEARN.items()}
    return real | {name: generators.about(name) for name in generators.names()}


def origin(name: str) -> str:
    """Return where it comes from."""
    return "scikit-learn" if name in _SKLEARN else "generated"


def make(name: str) -> Dataset:
    """Return the data set of that name; a generated one with its usual rows, from seed 0."""
    if name not in _SKLEARN:
        return generators.generate(name)
    from sklearn import datasets

    loader, target, about = _SKLEARN[name]
    bunch: Any = getattr(datasets, loader)()
    columns = [Column(numbers=column.astype(np.float64)) for column in bunch.data.T]
    labels = [str(v) for v in getattr(bunch, "target_names", ())]
    if labels:
        last = Column(levels=tuple(labels), codes=bunch.target.astype(np.int64))
    else:
        last = Column(numbers=bunch.target.astype(np.float64))
    features = [str(v).replace(" (cm)", "").replace(" ", "-") for v in bunch.feature_names]
    every = Columns((*features, target), (*columns, last), len(bunch.target), True)
    return make_dataset(every, target, name, about=about)


_TEXT: dict[str, Callable[[Path, Reading], Columns]] = {
    ".arff": read_arff,
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
}
_READERS = {**_TEXT, ".parquet": read_parquet, ".xlsx": read_excel}
_ENDINGS = (
    *(text + packed for text in _TEXT for packed in (*PACKED, "")),
    *(ending for ending in _READERS if ending not in _TEXT),
)


@overload
def load(
    path_or_name: str | os.PathLike[str],
    *,
    target: str | None = None,
    types: Types | None = None,
    encoding: str | None = None,
    memory: int | str | None = None,
) -> Dataset: ...
@overload
def load(
    path_or_name: Any,
    *,
    target: str | None = None,
    types: Types | None = None,
    encoding: str | None = None,
    memory: int | str | None = None,
) -> Any: ...


def load(
    path_or_name: Any,
    *,
    target: str | None = None,
    types: Types | None = None,
    encoding: str | None = None,
    memory: int | str | None = None,
) -> Any:
    """Return a data set from a file, or by its name, or one that stays where it is.

    Parameters
    ----------
    path_or_name : path or str
        A CSV, TSV, ARFF or JSON lines file (also ``.gz``, ``.bz2``, ``.xz`` or ``.zst``), a
        Parquet file or an Excel file (its first sheet); or the name of a data set in
        the folder ``$FEWEST_DATA``, in the ``data`` folder of a checkout, in the user's cache
        (filled by ``fewest data fetch``), or among those that ship: generated ones
        (``led24``, ``redundant21``, ...) and scikit-learn's small ones (``iris``, ...).
        A pattern (``sales/*.parquet``), a folder of Parquet files, a DuckDB database
        (``shop.duckdb#orders``), an Ibis table, a polars LazyFrame and an Arrow data set stay
        where they are: their rows are read in scans by measures that need counts or sums only.
    target : str, optional
        The column to predict; by default what the catalog says, else the last column.
    types : mapping of a column to "continuous" or "nominal", optional
        What a column is, where its values do not tell: ``{"zip": "nominal"}``. Also for the
        target: classes are nominal.
    encoding : str, optional
        The encoding of a text file, by default UTF-8.
    memory : int or str, default="2 GB"
        For a table that stays where it is: the memory for what scans count in each process. What
        does not fit is counted in further scans.

    Returns
    -------
    Dataset
        For a table that stays where it is a ``StoredDataset``, with ``X`` and ``y`` for ``fit``.

    Examples
    --------
    >>> load("wine").X.shape
    (178, 13)
    """
    types = check_types(types)
    _check_given(path_or_name, target, encoding)
    if is_stored(path_or_name) or looks_stored(os.fspath(path_or_name)):
        _refuse_declared(types, encoding, "a table that stays where it is")
        stored = is_stored(path_or_name)
        source = open_source(path_or_name) if stored else open_path(os.fspath(path_or_name))
        return _stored(source, target, memory)
    if memory is not None:
        raise InputError("`memory` goes with a table that stays where it is; leave it out.")
    name = str(path_or_name)
    path = _as_path(path_or_name) or find(name)
    if path is not None:
        return _from_file(path, target, types, encoding)
    if name in names():
        _refuse_declared(types, encoding, "a data set that ships with the package")
        return _shipped(name, target)
    raise _no_such_name(name)


def _check_given(path_or_name: Any, target: Any, encoding: Any) -> None:
    for name, value in (("target", target), ("encoding", encoding)):
        if value is not None and not isinstance(value, str):
            raise InputError(f"`{name}` must be a text, but is {brief(value)}.")
    if is_stored(path_or_name):
        return
    is_path = isinstance(path_or_name, str | os.PathLike)
    if not is_path or not isinstance(os.fspath(path_or_name), str):
        raise InputError(
            "`path_or_name` must be the path of a file, the name of a data set or a table outside "
            f"memory, but is {brief(path_or_name)}."
        )
    refuse_special(path_or_name)


def _stored(source: TableSource, target: str | None, memory: int | str | None) -> Any:
    from ._engine.frame import stored_dataset

    if memory is not None:
        source.memory = memory_bytes(memory)
    return stored_dataset(source, target, source.title)


#: The least memory that what scans count can be kept in.
LEAST_MEMORY = 10_000_000
UNITS = {"mb": 10**6, "gb": 10**9, "tb": 10**12, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}


def memory_bytes(memory: int | str) -> int:
    """Return an amount of memory in bytes.

    >>> memory_bytes("500 MB"), memory_bytes("1.5GB"), memory_bytes(10**9)
    (500000000, 1500000000, 1000000000)
    """
    found = re.fullmatch(r"([0-9.]+) *([a-z]*)", str(memory).strip().lower())
    try:
        size = float(found[1]) * (UNITS[found[2]] if found[2] else 1) if found else 0.0
    except (KeyError, ValueError):
        size = 0.0
    if isinstance(memory, bool) or size < LEAST_MEMORY:
        raise InputError(
            '`memory` must be an amount such as "500 MB" or "2 GB", at least 10 MB, but is '
            f"{brief(memory)}."
        )
    return int(size)


def _refuse_declared(types: Types, encoding: str | None, what: str) -> None:
    if types or encoding is not None:
        raise InputError(
            f"`types` and `encoding` go with files that are read, not with {what}: leave them out."
        )


def folders() -> list[Path]:
    """Return where names are looked up: ``$FEWEST_DATA``, the checkout's ``data``, the user's
    cache.
    """
    given = os.environ.get("FEWEST_DATA")
    return [*([Path(given)] if given else []), *checkout_folder(), cache_folder()]


def cache_folder() -> Path:
    """Return the folder of the user's cache that ``fewest data fetch`` fills."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "fewest" / "data"


def find(name: str, *, first: Path | None = None) -> Path | None:
    """Return the file of a data set of that name in the folders, or ``first`` in another one."""
    found = (_in_folder(folder, name) for folder in [*([first] if first else []), *folders()])
    return next((path for path in found if path is not None), None)


def checkout_folder() -> list[Path]:
    """Return the repository's own data folder, when fewest runs from a checkout."""
    root = Path(__file__).resolve().parents[2]
    is_checkout = (root / "pyproject.toml").is_file() and (root / "data/catalog.json").is_file()
    return [root / "data"] if is_checkout else []


def catalog(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what a folder's ``catalog.json`` says of each of its data sets, by name."""
    path = folder / "catalog.json"
    refuse_special(path)
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))["datasets"]
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, RecursionError):
        entries = None
    if not isinstance(entries, list):
        raise InputError(f"{path} must be JSON with a list `datasets`, but is not.")
    if not all(_is_entry(entry) for entry in entries):
        raise InputError(
            f"Every entry of `datasets` in {path} must be an object with a `name`, and `file`, "
            "`title` and `class_attribute` must be text where they are given."
        )
    return {entry["name"]: entry for entry in entries}


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict) or "name" not in entry:
        return False
    texts = [entry[key] for key in ("name", "file", "title", "class_attribute") if key in entry]
    return all(isinstance(text, str) for text in texts)


def in_folder(folder: Path) -> dict[str, str]:
    """Return the data sets of a folder, by name, with their titles."""
    titles = {name: str(e.get("title", "")) for name, e in catalog(folder).items()}
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    for file in files:
        for ending in _ENDINGS:
            if file.name.endswith(ending):
                titles.setdefault(file.name.removesuffix(ending), "")
                break
    return titles


def _as_path(given: str | os.PathLike[str]) -> Path | None:
    text = os.fspath(given)
    looks_like = isinstance(given, os.PathLike) or "/" in text or os.sep in text
    if looks_like or text.endswith(_ENDINGS) or Path(text).is_file():
        return Path(text).expanduser()
    return None


def _in_folder(folder: Path, name: str) -> Path | None:
    entry = catalog(folder).get(name, {})
    files = [entry["file"]] if "file" in entry else [name + ending for ending in _ENDINGS]
    return next((folder / file for file in files if (folder / file).is_file()), None)


def file_columns(path: Path, types: Types, encoding: str | None) -> Columns:
    """Return the columns of a file by the ending of its name."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the path of a file in it.")
    packed = path.suffix in PACKED
    stem = path.name.removesuffix(path.suffix) if packed else path.name
    ending = Path(stem).suffix.lower()
    if ending not in (_TEXT if packed else _READERS):
        raise InputError(
            f"{path} must be a file whose name ends in {', '.join(_READERS)} (text also "
            f"with {', '.join(PACKED)}), but ends in {ending or 'nothing'!r}."
        )
    reading = Reading(encoding or "utf-8", nominal_names(types))
    return checked(typed(_READERS[ending](path, reading), types, str(path)))


def _from_file(path: Path, target: str | None, types: Types, encoding: str | None) -> Dataset:
    columns = file_columns(path, types, encoding)
    entry = _entry(path)
    stem = path.stem if path.suffix in PACKED else path.name
    name = entry.get("name", Path(stem).stem)
    if target is None:
        target = entry.get("class_attribute", columns.names[-1])
    _check_target(columns, target, str(path))
    task = {"continuous": "regression", "nominal": "classification"}.get(types.get(target, ""))
    return make_dataset(columns, target, name, about=entry.get("title", ""), task=task)


def _entry(path: Path) -> dict[str, Any]:
    known = catalog(path.parent).values()
    return next((entry for entry in known if entry.get("file") == path.name), {})


def _check_target(columns: Columns, target: str, where: str) -> None:
    if target not in columns.names:
        close = nearest_names(target, columns.names, loosely=True)
        near = f"did you mean {', '.join(map(repr, close))}?"
        hint = near if close else f"the last column is {columns.names[-1]!r}."
        raise InputError(f"`target` must be a column of {where}, but {target!r} is none; {hint}")
    if len(columns.names) < 2:
        raise InputError(
            f"{where} must have a target and at least one feature, but has one column only."
        )


def _shipped(name: str, target: str | None) -> Dataset:
    dataset = make(name)
    if target is not None and target != dataset.target:
        raise InputError(
            f"`target` of {name} must be {dataset.target!r} (or left out), but is {target!r}."
        )
    return dataset


def _no_such_name(name: str) -> InputError:
    if Path(name).is_dir():
        return InputError(f"{name} is a folder; give the path of a file in it.")
    known = {*names(), *(n for folder in folders() for n in in_folder(folder))}
    close = nearest_names(name, sorted(known))
    hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    return InputError(
        f"There is no file and no data set {name!r}; {hint}`fewest data list` lists the names, "
        "`fewest data fetch NAME` gets a data set from OpenML."
    )
