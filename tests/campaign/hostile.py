"""Files made to hurt, for every reader there is."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

import fewest
from fewest._report.live import Follower
from fewest._report.page import write_saved
from fewest._run.journal import read_lines
from fewest._run.journal_format import Chain
from fewest._run.result import Result
from fewest._run.stop_rules import Seconds
from fewest.data._load import load
from fewest.networks._bif import read_bif
from tests.campaign.runs import sentence_or_answer, table_file, within
from tests.campaign.trial import FailedError, expect

ROOT = Path(__file__).parents[2]
FORMATS = ROOT / "tests" / "formats"
JUNK: list[Any] = [
    None, True, -1, 0, 1e308, 10**30, 10**400, "", "x", "\x1b[2J", "\u202e", [], [1], [[]], {},
    {"a": 1}, [None], "9" * 5000, ["a", 1], -0.5, "a\x00b", "../../x", 60_000,
    "</script><img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<!--",
    "'\"><b onclick=x>",
]  # fmt: skip
BYTES = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r", b",", b'"', b"'", b"{", b"}", b"[",
    b"\x1b]0;x\x07", b"?", b"NaN", b"Infinity", b"1e999", b"-", b"@data", b"%", b"\xed\xa0\x80",
    b"\t", b"{0 1, 2", b"@attribute x {", b"9" * 400, b"\xe2\x80\xa8",
]  # fmt: skip
ENDINGS = (".csv", ".tsv", ".arff", ".jsonl", ".csv.gz", ".arff.gz", ".parquet", ".xlsx")


def try_file(path: Path, raw: bytes, use: Callable[[Path], object]) -> None:
    """Use a file that holds these bytes; a failure keeps them, so that it can be made shorter."""

    def again(bad: bytes) -> None:
        path.write_bytes(bad)
        sentence_or_answer(lambda: use(path), f"{use.__name__} {path.name}")

    def script(bad: bytes) -> str:
        return (
            "from pathlib import Path\n"
            f"from tests.campaign.hostile import {use.__name__}\n"
            f"path = Path({path.name!r})\npath.write_bytes({bad!r})\n{use.__name__}(path)\n"
        )

    try:
        again(raw)
    except FailedError as error:
        raise FailedError(str(error), raw, again, script) from error


def hostile_table(rng: np.random.Generator, folder: Path) -> int:
    """Tables in every format with bytes changed at random."""
    ending = str(rng.choice(ENDINGS))
    path = folder / f"table{ending}"
    for _ in range(25):
        raw = mutated(_table(ending.removesuffix(".gz")), rng)
        if ending.endswith(".gz"):
            packed = gzip.compress(raw)
            raw = packed if rng.random() < 0.7 else mutated(packed, rng)
        try_file(path, raw, select_from if rng.random() < 0.1 else load_from)
    return 25


def load_from(path: Path) -> object:
    """Read a table."""
    return load(path)


def select_from(path: Path) -> object:
    """Read a table and select on it."""
    data = load(path)
    selector = fewest.SubsetSelector(
        "naive-bayes", search="sfs", cv=2, stop=["auto", Seconds(3)], random_state=0
    )
    return selector.fit(data.X, data.y)


@lru_cache(maxsize=16)
def _table(ending: str) -> bytes:
    import io

    import pandas as pd

    text = Path(table_file()).read_bytes()
    if ending == ".csv":
        return text
    if ending == ".tsv":
        return text.replace(b",", b"\t")
    frame = pd.read_csv(table_file()).assign(number=np.arange(90) / 7)
    if ending == ".jsonl":
        return frame.to_json(orient="records", lines=True).encode()
    if ending in (".parquet", ".xlsx"):
        file = io.BytesIO()
        (frame.to_parquet if ending == ".parquet" else frame.to_excel)(file, index=False)
        return file.getvalue()
    lines = ["@relation hostile"]
    for name in frame.columns[:-1]:
        lines.append(f"@attribute {name} {{{','.join(sorted(set(frame[name])))}}}")
    lines += ["@attribute number numeric", "@data"]
    lines += [",".join(map(str, row)) for row in frame.itertuples(index=False)]
    return ("\n".join(lines) + "\n{0 v1, 3 v2, 9 0.5}\n").encode()


def hostile_file(rng: np.random.Generator, folder: Path) -> int:
    """Journals, results and comparisons with junk at a random place, or bytes changed."""
    sources = [*FORMATS.glob("*.json"), *FORMATS.glob("*.jsonl")]
    for _ in range(10):
        source = sources[int(rng.integers(len(sources)))]
        raw = source.read_bytes()
        bad = _junked(raw, rng) if rng.random() < 0.7 else mutated(raw, rng)
        use = open_result if source.suffix == ".json" else resume if rng.random() < 0.1 else follow
        try_file(folder / source.name, bad, use)
    return 10


def open_result(path: Path) -> object:
    """Read a saved result or comparison, and make its page; nothing in it becomes markup."""
    page = path.with_suffix(".html")
    write_saved(path, page)
    tags = Tags()
    tags.feed(page.read_text(encoding="utf-8"))
    expect(tags.bad == [], f"the page holds {tags.bad}")
    return Result.load(path)


class Tags(HTMLParser):
    """Collects the tags of a page that no page of ours has: scripts beyond three, and handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []
        self._scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one tag and its attributes."""
        self._scripts += tag == "script"
        handlers = [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]
        if handlers or self._scripts > 3 or tag in ("img", "iframe", "object", "embed", "base"):
            self.bad.append(f"<{tag} {attrs}>"[:200])


def follow(path: Path) -> object:
    """Read a journal as ``fewest watch`` does, and as a run that goes on does."""
    summary = Follower(path).summary()
    return summary, read_lines(path)


def resume(path: Path) -> object:
    """Continue the run of a journal."""
    done = within("resume", path, "--json", path.with_suffix(".out"), "--max-time", "5s")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def hostile_network(rng: np.random.Generator, folder: Path) -> int:
    """Bayesian networks in BIF files, and catalogs of data sets, with bytes changed."""
    source = ROOT / "data" / "networks" / f"{rng.choice(['asia', 'cancer'])}.bif.gz"
    whole = gzip.decompress(source.read_bytes())
    for _ in range(20):
        try_file(folder / "network.bif", mutated(whole, rng), read_network)
    entries = {"datasets": [{"name": "table", "file": "table.csv", "title": "t"}]}
    (folder / "table.csv").write_bytes(_table(".csv"))
    for _ in range(10):
        raw = json.dumps(entries).encode()
        bad = _junked(raw, rng) if rng.random() < 0.7 else mutated(raw, rng)
        try_file(folder / "catalog.json", bad, load_beside)
    return 30


def read_network(path: Path) -> object:
    """Read a network."""
    return read_bif(path)


def load_beside(path: Path) -> object:
    """Read the table that a catalog is about."""
    return load(path.with_name("table.csv"))


def odd_table(rng: np.random.Generator, folder: Path) -> int:
    """Random frames with odd columns and targets, straight into Python."""
    import pandas as pd

    for _ in range(5):
        n = int(rng.choice([0, 1, 2, 5, 30, 60]))
        columns = [_column(n, rng) for _ in range(int(rng.integers(0, 6)))]
        X: Any = pd.DataFrame({i: pd.Series(c) for i, c in enumerate(columns)})
        X.columns = [
            str(rng.choice(["a", "b", "", "\x1b", "é", "x" * 50])) + str(rng.integers(4))
            for _ in columns
        ]
        y = _column(n, rng)
        sentence_or_answer(lambda X=X, y=y: _select(X, y), f"{X.dtypes.to_dict()}, {y.dtype}")
    return 5


def _select(X: Any, y: Any) -> object:
    selector = fewest.SubsetSelector(
        "naive-bayes", search="sfs", cv=2, stop=Seconds(5), random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return selector.fit(X, y)


def _column(n: int, rng: np.random.Generator) -> Any:
    makers: list[Callable[[], Any]] = [
        lambda: rng.normal(size=n),
        lambda: np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        lambda: np.where(rng.random(n) < 0.1, np.inf, rng.normal(size=n)),
        lambda: rng.integers(0, 3, n),
        lambda: rng.choice(["u", "v", "w"], n) if n else np.array([], dtype=object),
        lambda: np.array([[1, "a", None, 2.5][i % 4] for i in range(n)], dtype=object),
        lambda: np.array([b"bytes", b"\xff"] * n, dtype=object)[:n],
        lambda: np.zeros(n),
        lambda: rng.normal(size=n) + 1j,
        lambda: np.array(["2020-01-01", "NaT"] * n, dtype="datetime64[D]")[:n],
        lambda: rng.integers(-(2**62), 2**62, n),
        lambda: rng.random(n) < 0.5,
    ]
    return makers[int(rng.integers(len(makers)))]()


def _junked(raw: bytes, rng: np.random.Generator) -> bytes:
    """One value of one line replaced; what else the file holds stays right, also its checksums."""
    lines = [raw] if raw.count(b"\n{") == 0 else raw.splitlines()
    plain = [json.loads(line) for line in lines]
    chosen = plain[int(rng.integers(len(plain)))]
    inside, key = (places := list(_places(chosen)))[int(rng.integers(len(places)))]
    if rng.random() < 0.2 and isinstance(inside, dict):
        del inside[key]
    else:
        inside[key] = JUNK[int(rng.integers(len(JUNK)))]
    if b'"check"' in lines[-1] and rng.random() < 0.9:
        chain = Chain()
        for line in plain:
            line.pop("check", None)
        return b"".join(chain.sealed(line) for line in plain)
    return b"\n".join(json.dumps(line).encode() for line in plain) + b"\n"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else ()
    inner = enumerate(value) if isinstance(value, list) else inner
    for key, one in list(inner):
        yield value, key
        yield from _places(one)


def mutated(raw: bytes, rng: np.random.Generator) -> bytes:
    """The bytes with a few of them replaced, inserted or cut off."""
    bad = raw
    for _ in range(1 + int(rng.integers(4))):
        at = int(rng.integers(len(bad) + 1))
        end = at + int(rng.integers(0, 1 + min(60, max(1, len(bad) // 4))))
        insert = BYTES[int(rng.integers(len(BYTES)))] * int(rng.choice([1, 1, 1, 2, 300]))
        bad = bad[:at] + (insert if rng.random() < 0.8 else b"") + bad[end:]
    return bad[: int(rng.integers(len(bad) + 1))] if rng.random() < 0.15 else bad
