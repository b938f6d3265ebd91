"""Networks in BIF files, and known networks by name."""

from __future__ import annotations

import gzip
import math
import os
import re
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from .._errors import InputError, did_you_mean
from .._models.graph import Graph, Network
from ..data._columns import Column, Columns
from ..data._dataset import Dataset, make_dataset
from ..data._load import folders
from ..data._loaders.contents import read_bytes
from ._named import NamedNetwork

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_BLOCK = re.compile(r"\s*(network|variable|probability)\b([^{]*)\{", re.S)
_TYPE = re.compile(r"type\s+discrete\s*\[\s*(\d{1,9})\s*\]\s*\{([^}]*)\}\s*;")
_ENTRY = re.compile(r"\s*(?:(table|default)\s+|\(([^)]*)\)\s*)([^;]*);")


def read_bif(path: str | os.PathLike[str]) -> NamedNetwork:
    """Read a network from a BIF file, also ``.gz``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fewest.networks import load_network, write_bif
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "asia.bif"
    >>> write_bif(load_network("asia"), file)
    >>> read_bif(file).names[:2]
    ('asia', 'tub')
    """
    file = Path(path)
    text = read_bytes(file)
    return _Reader(file).read(_COMMENT.sub("", text.decode("utf-8", errors="replace")))


class _Reader:
    """Reads one file; every complaint names it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.levels: dict[str, tuple[str, ...]] = {}
        self.parents: dict[str, list[str]] = {}
        self.tables: dict[str, NDArray[np.float64]] = {}

    def refuse(self, why: str) -> NoReturn:
        why = " ".join(why.split())
        raise InputError(f"{self.file} must be a network in BIF, but is damaged: {why}.")

    def read(self, text: str) -> NamedNetwork:
        at = 0
        while text[at:].strip():
            block = _BLOCK.match(text, at)
            if block is None:
                found = text[at:].split()[0][:30]
                self.refuse(f"a block was expected where {found!r} stands")
            end = self._end(text, block.end())
            body = text[block.end() : end]
            if block[1] == "variable":
                self._variable(block[2].strip(), body)
            elif block[1] == "probability":
                self._probability(block[2], body)
            at = end + 1
        return self._network()

    def _end(self, text: str, start: int) -> int:
        """Return the position of the brace that closes a block."""
        open_braces = 1
        for brace in re.finditer(r"[{}]", text[start:]):
            open_braces += 1 if brace[0] == "{" else -1
            if open_braces == 0:
                return start + brace.start()
        self.refuse("a block is not closed")

    def _variable(self, name: str, body: str) -> None:
        found = _TYPE.search(body)
        if found is None:
            self.refuse(f"the variable {name} has no list of discrete values")
        labels = tuple(label.strip().strip('"') for label in found[2].split(","))
        if len(labels) != int(found[1]):
            self.refuse(f"{name} should have {found[1]} values, but has {len(labels)}")
        self.levels[name] = labels

    def _probability(self, head: str, body: str) -> None:
        inside = head.strip().removeprefix("(").removesuffix(")")
        child, _, rest = inside.partition("|")
        name, parents = child.strip(), [p.strip() for p in rest.split(",") if p.strip()]
        for variable in (name, *parents):
            if variable not in self.levels:
                self.refuse(f"a table speaks of {variable!r}, which is no variable")
        shape = [len(self.levels[p]) for p in parents]
        table = np.full((math.prod(shape), len(self.levels[name])), np.nan)
        at = 0
        while body[at:].strip():
            entry = _ENTRY.match(body, at)
            if entry is None:
                self.refuse(f"the table of {name} has a line without an end")
            self._enter(name, parents, table, entry)
            at = entry.end()
        if np.isnan(table).any() or (table < 0).any():
            self.refuse(f"the table of {name} does not give every probability")
        total = table.sum(axis=1, keepdims=True)
        if not np.allclose(total, 1.0, atol=1e-3):
            self.refuse(f"the probabilities of {name} do not add up to 1")
        self.parents[name] = parents
        # Printed numbers are rounded; what is off by less than that stays as it is printed.
        self.tables[name] = np.where(np.abs(total - 1.0) < 1e-9, table, table / total)

    def _enter(
        self, name: str, parents: list[str], table: NDArray[np.float64], entry: re.Match[str]
    ) -> None:
        try:
            numbers = np.array([float(v) for v in entry[3].split(",")])
        except ValueError:
            self.refuse(f"the table of {name} holds {entry[3].strip()[:30]!r} instead of numbers")
        r = table.shape[1]
        whole = entry[1] == "table"
        if len(numbers) != (table.size if whole else r):
            self.refuse(f"the table of {name} has a line of {len(numbers)} numbers")
        if whole:
            # All at once, the values of the child varying slowest.
            table[:] = numbers.reshape(r, -1).T
        elif entry[1] == "default":
            table[np.isnan(table).all(axis=1)] = numbers
        else:
            table[self._case(name, parents, entry[2])] = numbers

    def _case(self, name: str, parents: list[str], text: str) -> int:
        values = [v.strip().strip('"') for v in text.split(",")]
        known = len(values) == len(parents)
        if not known or any(v not in self.levels[p] for v, p in zip(values, parents, strict=True)):
            self.refuse(f"the table of {name} speaks of the unknown case ({text})")
        case = 0
        for value, parent in zip(values, parents, strict=True):
            case = case * len(self.levels[parent]) + self.levels[parent].index(value)
        return case

    def _network(self) -> NamedNetwork:
        if not self.levels:
            self.refuse("it has no variables")
        missing = [name for name in self.levels if name not in self.tables]
        if missing:
            self.refuse(f"{missing[0]} has no table")
        names = tuple(self.levels)
        place = {name: i for i, name in enumerate(names)}
        graph = Graph(tuple(tuple(place[p] for p in self.parents[name]) for name in names))
        try:
            _ = graph.order
        except InputError:
            self.refuse("its arcs make a cycle")
        cards = np.array([len(self.levels[name]) for name in names], dtype=np.int64)
        flat = np.concatenate([self.tables[name].ravel() for name in names])
        return NamedNetwork(Network(cards, graph, flat), names, tuple(self.levels.values()))


def write_bif(network: NamedNetwork, path: str | os.PathLike[str]) -> None:
    """Write a network to a BIF file, also ``.gz``; its numbers are kept exactly.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fewest.networks import load_network
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "asia.bif"
    >>> write_bif(load_network("asia"), file)
    >>> file.read_text().splitlines()[0]
    'network unknown {'
    """
    file = Path(path)
    text = bif_text(network).encode()
    file.write_bytes(gzip.compress(text, mtime=0) if file.name.endswith(".gz") else text)


def bif_text(network: NamedNetwork) -> str:
    """Write a network as the text of a BIF file.

    Characters that BIF uses itself become underscores in names and values.
    """
    names = [_word(name) for name in network.names]
    levels = [[_word(str(v)) for v in values] for values in network.levels]
    for name, values in zip(names, levels, strict=True):
        if len(set(values)) < len(values):
            raise InputError(
                f"The values of {name} must differ after {{}}();,| and spaces became underscores, "
                "but do not; rename them."
            )
    lines = ["network unknown {", "}"]
    for name, values in zip(names, levels, strict=True):
        listed = ", ".join(values)
        lines += [f"variable {name} {{", f"  type discrete [ {len(values)} ] {{ {listed} }};", "}"]
    for i, table in enumerate(network.network.tables):
        lines += _table_lines(i, network, names, levels, table)
    return "\n".join(lines) + "\n"


def _table_lines(
    i: int,
    network: NamedNetwork,
    names: list[str],
    levels: list[list[str]],
    table: NDArray[np.float64],
) -> list[str]:
    parents = network.graph.parents[i]
    given = f" | {', '.join(names[p] for p in parents)}" if parents else ""
    lines = [f"probability ( {names[i]}{given} ) {{"]
    for at, case in enumerate(np.ndindex(*(len(levels[p]) for p in parents))):
        numbers = ", ".join(repr(float(p)) for p in table[at])
        words = ", ".join(levels[p][k] for p, k in zip(parents, case, strict=True))
        lines.append(f"  ({words}) {numbers};" if parents else f"  table {numbers};")
    return [*lines, "}"]


def _word(text: str) -> str:
    return re.sub(r"[\s{}();,|\"]", "_", text) or "_"


def network_files() -> dict[str, Path]:
    """Return the networks that can be named, and their files.

    They are looked up in the folder ``networks`` of each place where data sets are.
    """
    found: dict[str, Path] = {}
    for folder in folders():
        for file in sorted((folder / "networks").glob("*.bif*")):
            found.setdefault(file.name.removesuffix(".gz").removesuffix(".bif"), file)
    return found


def load_network(name: str) -> NamedNetwork:
    """Load a network by its name (``"asia"``, ``"alarm"``, ...) or from a BIF file.

    Examples
    --------
    >>> len(load_network("asia").arcs)
    8
    """
    files = network_files()
    if name in files:
        return read_bif(files[name])
    if name.endswith((".bif", ".bif.gz")):
        return read_bif(name)
    hint = did_you_mean(name, files)
    raise InputError(
        f"`name` must be a BIF file or one of {', '.join(files) or 'no networks here'}, but is "
        f"{name!r}.{hint}"
    )


def sample_dataset(name: str, *, n_rows: int = 5000, random_state: int = 0) -> Dataset:
    """Draw a table from a network; the last variable is the target.

    The same name, rows and seed give the same table.

    Examples
    --------
    >>> sample_dataset("asia", n_rows=100).X.shape
    (100, 7)
    """
    if n_rows < 1:
        raise InputError(f"`n_rows` must be at least 1, but is {n_rows}.")
    network = load_network(name)
    rows = network.sample(n_rows, np.random.default_rng(random_state))
    columns = tuple(
        Column(levels=tuple(str(v) for v in levels), codes=rows[:, i].astype(np.int64))
        for i, levels in enumerate(network.levels)
    )
    every = Columns(network.names, columns, n_rows, True)
    about = f"{n_rows} rows drawn from the Bayesian network {name}"
    return make_dataset(every, network.names[-1], Path(name).name.split(".")[0], about=about)
