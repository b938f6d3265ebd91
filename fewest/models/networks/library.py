"""Known networks by name, and tables drawn from them."""

from __future__ import annotations

import difflib
from pathlib import Path

import numpy as np

from ...data.columns import Column, Columns
from ...data.dataset import Dataset, make_dataset
from ...data.load import folders
from ...errors import InputError
from .bif import read_bif
from .named import NamedNetwork


def network_files() -> dict[str, Path]:
    """The networks that can be named, and their files.

    They are looked up in the folder ``networks`` of each place where data sets are.
    """
    found: dict[str, Path] = {}
    for folder in folders():
        for file in sorted((folder / "networks").glob("*.bif*")):
            found.setdefault(file.name.removesuffix(".gz").removesuffix(".bif"), file)
    return found


def load_network(name: str) -> NamedNetwork:
    """A network by its name (``"asia"``, ``"alarm"``, ...) or from a BIF file."""
    files = network_files()
    if name in files:
        return read_bif(files[name])
    if name.endswith((".bif", ".bif.gz")):
        return read_bif(name)
    near = difflib.get_close_matches(name, files, n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    raise InputError(
        f"`name` must be a BIF file or one of {', '.join(files) or 'no networks here'}, but is "
        f"{name!r}.{hint}"
    )


def sample_dataset(name: str, *, n_rows: int = 5000, random_state: int = 0) -> Dataset:
    """A table drawn from a network; the last variable stands as the target.

    The same name, rows and seed give the same table.
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
