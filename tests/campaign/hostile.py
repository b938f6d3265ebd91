"""Files made to hurt, for every reader there is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from fewest._errors import InputError
from fewest.data._load import load
from fewest.networks._bif import read_bif
from tests.campaign.runs import expect_no_internal_error, table_file, within

ROOT = Path(__file__).parents[2]
FORMATS = ROOT / "tests" / "formats"
JUNK: list[Any] = [
    None, True, -1, 0, 1e308, 10**30, 10**400, "", "x", "\x1b[2J", "\u202e", [], [1], [[]], {},
    {"a": 1}, [None], "9" * 5000, ["a", 1], -0.5,
]  # fmt: skip
BYTES = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r", b",", b'"', b"'", b"{", b"}", b"[",
    b"\x1b]0;x\x07", b"?", b"NaN", b"Infinity", b"1e999", b"-", b"@data", b"%", b"\xed\xa0\x80",
]  # fmt: skip


def hostile_table(rng: np.random.Generator, folder: Path) -> None:
    """Tables in every format with bytes changed at random."""
    ending = str(rng.choice([".csv", ".tsv", ".arff", ".csv.gz", ".arff.gz", ".parquet"]))
    path = folder / f"table{ending}"
    for _ in range(10):
        raw = _mutated(_table(ending), rng)
        again = ending.endswith(".gz") and rng.random() < 0.7
        path.write_bytes(gzip.compress(raw) if again else raw)
        expect_no_internal_error(within("data", "describe", path), f"describe {ending}")
        short = ["--no-validate", "--max-time", "5s", "--cv", "2"]
        done = within("select", path, "-s", "sfs", "-m", "naive-bayes", *short)
        expect_no_internal_error(done, f"select {ending}")


@lru_cache(maxsize=8)
def _table(ending: str) -> bytes:
    import pandas as pd

    text = Path(table_file()).read_bytes()
    if ending.startswith(".csv"):
        return text
    if ending == ".tsv":
        return text.replace(b",", b"\t")
    frame = pd.read_csv(table_file()).assign(number=np.arange(90) / 7)
    if ending == ".parquet":
        data: bytes = frame.to_parquet(index=False)
        return data
    lines = ["@relation hostile"]
    for name in frame.columns[:-1]:
        lines.append(f"@attribute {name} {{{','.join(sorted(set(frame[name])))}}}")
    lines += ["@attribute number numeric", "@data"]
    lines += [",".join(map(str, row)) for row in frame.itertuples(index=False)]
    return ("\n".join(lines) + "\n").encode()


def hostile_file(rng: np.random.Generator, folder: Path) -> None:
    """Journals, results and comparisons with junk at a random place, or bytes changed."""
    sources = [*FORMATS.glob("*.json"), *FORMATS.glob("*.jsonl")]
    for _ in range(10):
        source = sources[int(rng.integers(len(sources)))]
        raw = source.read_bytes()
        bad = _junked(raw, rng) if rng.random() < 0.7 else _mutated(raw, rng)
        path = folder / source.name
        path.write_bytes(bad)
        for command in (
            ["report", path, "-o", folder / "page.html"],
            ["watch", path, "--once"],
            ["resume", path, "--json", folder / "r.json", "--max-time", "5s"],
            ["resume", path, "--salvage", "--json", folder / "r.json", "--max-time", "5s"],
        ):
            expect_no_internal_error(within(*command), f"{command[0]} {source.name}")


def hostile_network(rng: np.random.Generator, folder: Path) -> None:
    """Bayesian networks in BIF files, and catalogs of data sets, with bytes changed."""
    source = ROOT / "data" / "networks" / f"{rng.choice(['asia', 'cancer'])}.bif.gz"
    whole = gzip.decompress(source.read_bytes())
    path = folder / "network.bif"
    for _ in range(20):
        path.write_bytes(_mutated(whole, rng))
        with suppress(InputError):
            read_bif(path)
    entries = {"datasets": [{"name": "table", "file": "table.csv", "title": "t"}]}
    (folder / "table.csv").write_bytes(_table(".csv"))
    for _ in range(10):
        raw = json.dumps(entries).encode()
        bad = _junked(raw, rng) if rng.random() < 0.7 else _mutated(raw, rng)
        (folder / "catalog.json").write_bytes(bad)
        with suppress(InputError):
            load(folder / "table.csv")


def _junked(raw: bytes, rng: np.random.Generator) -> bytes:
    """One value of one line replaced; what else the file holds stays right."""
    single = raw.count(b"\n{") == 0
    lines = [raw] if single else raw.splitlines()
    i = int(rng.integers(len(lines)))
    plain = json.loads(lines[i])
    places = list(_places(plain))
    inside, key = places[int(rng.integers(len(places)))]
    if rng.random() < 0.2 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = JUNK[int(rng.integers(len(JUNK)))]
    lines[i] = json.dumps(plain).encode()
    return b"\n".join(lines) + b"\n"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, one in list(inner):
        yield value, key
        yield from _places(one)


def _mutated(raw: bytes, rng: np.random.Generator) -> bytes:
    bad = raw
    for _ in range(1 + int(rng.integers(4))):
        at = int(rng.integers(len(bad) + 1))
        end = at + int(rng.integers(0, 1 + min(60, max(1, len(bad) // 4))))
        insert = BYTES[int(rng.integers(len(BYTES)))] * int(rng.choice([1, 1, 1, 2, 300]))
        bad = bad[:at] + (insert if rng.random() < 0.8 else b"") + bad[end:]
    return bad[: int(rng.integers(len(bad) + 1))] if rng.random() < 0.15 else bad
