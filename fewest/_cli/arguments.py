"""Arguments that several commands take, and how words on the command line are read."""

from __future__ import annotations

import ast
import re
import warnings
from pathlib import Path
from typing import Any

import typer

from .._errors import InputError


def _known_format(value: str) -> str:
    if value not in ("text", "json"):
        raise typer.BadParameter(f"it must be text or json, but is {value!r}.")
    return value


DATA = typer.Argument(
    help="A file (.csv, .arff, .jsonl, also packed; .parquet, .xlsx) or the name of a data set."
)
TARGET = typer.Option("--target", "-t", help="The column to predict; default: the last column.")
MEASURE = typer.Option(
    "--measure", "-m", help="The measure that scores a subset (`fewest measures` lists them)."
)
SEARCH = typer.Option(
    "--search", "-s", help="The search over subsets (`fewest searches` lists them)."
)
SEED = typer.Option(
    "--seed", help="Seed of the random numbers; the same seed gives the same result.", min=0
)
NOMINAL = typer.Option("--nominal", help="Numeric columns to treat as categories: A,B.")
TYPES = typer.Option(
    "--types", help="Types of columns where the values are ambiguous: age=continuous,zip=nominal."
)
MEMORY = typer.Option(
    "--memory",
    help="For a table that stays where it is: memory for what scans count, such as 500MB.",
)
ENCODING = typer.Option("--encoding", help="Encoding of a text file, such as latin-1.")
JOBS = typer.Option("--jobs", "-j", help="Number of workers; the result does not depend on it.")
JOURNAL = typer.Option(help="Save every score in this file; `fewest resume` continues from it.")
WORKERS = typer.Option(
    "--jobs",
    "-j",
    help="Number of workers, or a cluster: dask:tcp://HOST:8786, ray://HOST:10001. The result does "
    "not depend on it.",
)
JSON = typer.Option("--json", help="Write the result to this file.")
REPORT = typer.Option("--report", help="Write an HTML page to this file.")
CLASSIFIER = typer.Option("--classifier", help="For mdl and mdl-fs: naive-bayes or tan.")
MAX_FEATURES = typer.Option(
    "--max-features",
    help="Maximum number of features: 10, a share such as 0.3, or sqrt.",
)
ESTIMATOR = typer.Option(
    "--estimator", help="The model that the validation trains on the selected features."
)
CV = typer.Option("--cv", help='"auto" (10-fold, repeated as needed) or a number of folds.')
SCHEME = typer.Option(
    "--scheme",
    help="The external loop: 5x2cv is five times two folds; auto repeats ten folds until the "
    "verdict is steady.",
)
TASK = typer.Option("--task", help="What the target is for: classification, regression or auto.")
GROUP_BY = typer.Option(
    "--group-by", help="A column, such as a patient: its rows are never on both sides of a fold."
)
TIME = typer.Option(
    "--time",
    help="A column of moments: models are tested on later rows than they learn from.",
)
WEIGHT = typer.Option("--weight", help="A column that says how many rows each row stands for.")
DETAILS = typer.Option("--details", help="Print also votes, stand-ins, notes and the curve.")
QUIET = typer.Option(
    "--quiet", "-q", help="Print the names only, one per line, and no progress bar."
)
FORMAT = typer.Option(
    "--format",
    callback=_known_format,
    help="What is printed: text, or json for the whole result.",
)
SCORING = typer.Option("--scoring", help="A scikit-learn scorer, such as roc_auc.")

_DURATION = re.compile(r"^(\d+(?:\.\d+)?)\s*(s|m|h|)$")


def words(text: str | None) -> list[str] | None:
    """Split ``A,B`` into a list; a backslash keeps a comma inside a name."""
    if text is None:
        return None
    parts = re.split(r"(?<!\\),", text)
    return [part.replace("\\,", ",").strip() for part in parts if part.strip()]


def seconds(text: str | None) -> float | None:
    """Convert ``60``, ``60s``, ``2m`` or ``1h`` to seconds."""
    if text is None:
        return None
    match = _DURATION.match(text.strip())
    if match is None:
        raise InputError(f"`--max-time` must be like 60s, 2m or 1h, but is {text!r}.")
    return float(match[1]) * {"s": 1, "": 1, "m": 60, "h": 3600}[match[2]]


def groups(text: str | None) -> list[list[str]] | None:
    """Split ``A,B;C,D`` into two groups."""
    return None if text is None else [words(part) or [] for part in text.split(";")]


def renamed_groups(old: str | None, new: str | None) -> str | None:
    """``--feature-groups``, or ``--groups`` as it was called, with a warning."""
    if old is None:
        return new
    warnings.warn(
        "`--groups` (of features) is now called `--feature-groups`; the old name goes with the "
        "next version. For groups of rows, such as patients, use `--group-by`.",
        FutureWarning,
        stacklevel=2,
    )
    return old if new is None else f"{old};{new}"


def costs(text: str | None) -> dict[str, float] | None:
    """Read ``A=3,B=1.5`` as a mapping."""
    if text is None:
        return None
    pairs = [part.rpartition("=") for part in words(text) or []]
    try:
        if not all(name for name, _, _ in pairs):
            raise ValueError
        return {name: float(cost) for name, _, cost in pairs}
    except ValueError:
        raise InputError(f"`--costs` must be like A=3,B=1.5, but is {text!r}.") from None


def types(text: str | None) -> dict[str, str] | None:
    """Read ``age=continuous,zip=nominal`` as a mapping.

    >>> types("age=continuous,zip=nominal")
    {'age': 'continuous', 'zip': 'nominal'}
    """
    if text is None:
        return None
    pairs = [part.rpartition("=") for part in words(text) or []]
    if not all(name for name, _, _ in pairs):
        raise InputError(f"`--types` must be like age=continuous,zip=nominal, but is {text!r}.")
    return {name.strip(): kind.strip() for name, _, kind in pairs}


def folds(text: str) -> str | int:
    """Read ``auto``, or a number of folds from 2 on.

    >>> folds("5")
    5
    """
    if text == "auto":
        return text
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 2:
        raise InputError(f'`--cv` must be "auto" or a number of folds from 2 on, but is {text!r}.')
    return int(text)


def value(text: str) -> Any:
    """Return a number, True, False or None if it reads as one, else the word itself."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def workers(text: str) -> int | str:
    """Read a number of workers, or the name of a cluster.

    >>> workers("2"), workers("dask:tcp://10.0.0.1:8786")
    (2, 'dask:tcp://10.0.0.1:8786')
    """
    return int(text) if text.strip().lstrip("-").isdigit() else text


def settings(pairs: list[str] | None) -> dict[str, Any]:
    """Read ``population=500`` and the like, from repeated options."""
    found = {}
    for pair in pairs or []:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InputError(f"`--set` must be like population=500, but is {pair!r}.")
        found[name.strip().replace("-", "_")] = value(text.strip())
    return found


def text(path: Path | None) -> str | None:
    """Return a path as text, which a journal can keep."""
    return None if path is None else str(path)
