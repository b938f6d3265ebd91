"""Data sets by path or by name."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ..errors import InputError, brief
from . import shipped
from .columns import Columns, checked
from .dataset import Dataset, make_dataset
from .engine.open import is_stored, looks_stored, open_path, open_source
from .loaders.arff import read_arff
from .loaders.delimited import read_delimited
from .loaders.excel import read_excel
from .loaders.json_lines import read_json_lines
from .loaders.parquet import read_parquet
from .loaders.source import PACKED, Reading, refuse_special
from .types import Types, check_types, nominal_names, typed

if TYPE_CHECKING:
    from .engine.source import Source

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
) -> Dataset: ...
@overload
def load(
    path_or_name: Any,
    *,
    target: str | None = None,
    types: Types | None = None,
    encoding: str | None = None,
) -> Any: ...


def load(
    path_or_name: Any,
    *,
    target: str | None = None,
    types: Types | None = None,
    encoding: str | None = None,
) -> Any:
    """A data set from a file, or by its name, or one that stays where it is.

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
        return _stored(source, target)
    name = str(path_or_name)
    path = _as_path(path_or_name) or find(name)
    if path is not None:
        return _from_file(path, target, types, encoding)
    if name in shipped.names():
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


def _stored(source: Source, target: str | None) -> Any:
    from .engine.frame import stored_dataset

    return stored_dataset(source, target, source.title)


def _refuse_declared(types: Types, encoding: str | None, what: str) -> None:
    if types or encoding is not None:
        raise InputError(
            f"`types` and `encoding` go with files that are read, not with {what}: leave them out."
        )


def folders() -> list[Path]:
    """Where names are looked up: ``$FEWEST_DATA``, the checkout's ``data``, the user's cache."""
    given = os.environ.get("FEWEST_DATA")
    return [*([Path(given)] if given else []), *checkout_folder(), cache_folder()]


def cache_folder() -> Path:
    """The folder of the user's cache that ``fewest data fetch`` fills."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "fewest" / "data"


def find(name: str, *, first: Path | None = None) -> Path | None:
    """The file of a data set of that name in the folders, or ``first`` in another one."""
    found = (_in_folder(folder, name) for folder in [*([first] if first else []), *folders()])
    return next((path for path in found if path is not None), None)


def checkout_folder() -> list[Path]:
    """The repository's own data folder, when fewest runs from a checkout."""
    root = Path(__file__).resolve().parents[2]
    is_checkout = (root / "pyproject.toml").is_file() and (root / "data/catalog.json").is_file()
    return [root / "data"] if is_checkout else []


def catalog(folder: Path) -> dict[str, dict[str, Any]]:
    """What a folder's ``catalog.json`` says of each of its data sets, by name."""
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
    """The data sets of a folder, by name, with their titles."""
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


def _from_file(path: Path, target: str | None, types: Types, encoding: str | None) -> Dataset:
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
    columns = checked(typed(_READERS[ending](path, reading), types, str(path)))
    entry = _entry(path)
    name = entry.get("name", stem.removesuffix(ending))
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
        close = difflib.get_close_matches(target, columns.names, n=3, cutoff=0.4)
        hint = "did you mean " if close else "it has "
        listed = close or [*columns.names[:3], "...", columns.names[-1]][: len(columns.names)]
        raise InputError(
            f"`target` must be a column of {where}, but {target!r} is none; "
            f"{hint}{', '.join(map(repr, listed))}?"
        )
    if len(columns.names) < 2:
        raise InputError(
            f"{where} must have a target and at least one feature, but has one column only."
        )


def _shipped(name: str, target: str | None) -> Dataset:
    dataset = shipped.make(name)
    if target is not None and target != dataset.target:
        raise InputError(
            f"`target` of {name} must be {dataset.target!r} (or left out), but is {target!r}."
        )
    return dataset


def _no_such_name(name: str) -> InputError:
    known = {*shipped.names(), *(n for folder in folders() for n in in_folder(folder))}
    close = difflib.get_close_matches(name, sorted(known), n=3)
    hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    return InputError(
        f"There is no file and no data set {name!r}; {hint}`fewest data list` lists the names, "
        "`fewest data fetch NAME` gets a data set from OpenML."
    )
