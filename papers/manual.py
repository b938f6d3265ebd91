"""Pages of the manual from finished runs: ``python -m papers.manual FOLDER``.

FOLDER holds the records of ``python -m papers --all --out FOLDER``. Pages whose experiments are all
there are written anew, what stands in them between marks "by hand" is kept, and the overview in
``docs/reproduction.md`` gets their figures.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from .experiment import Settings
from .inza2002 import MARKED, TABLES, implied_marks
from .markdown import duration, markdown
from .paper import PAPERS, Paper, read_paper
from .runner import Record, derived, remaining
from .summary import Plain, summarize

DOCS = Path(__file__).parent.parent / "docs"
BY_HAND = re.compile(r"<!-- by hand: begin -->.*?<!-- by hand: end -->\n\n", re.S)
OVERVIEW = re.compile(r"(<!-- overview: begin -->\n).*?(<!-- overview: end -->)", re.S)
HEAD = (
    "| paper | values | agree | near | differ | agree | differ | agreed before | differed before "
    "| time |\n|---|" + "---:|" * 9
)
#: Data sets for which drugan2010 prints the column of another filter as that of CFS.
COPIED = ("adult", "car", "nursery", "conn", "votes", "spect", "pima", "credit")
#: The tables of the medium domains.
MEDIUM = TABLES["medium"]
#: Blocks that cannot be known, by name: their pages, and which cells of these they are.
BLOCKS: dict[str, tuple[tuple[str, ...], Callable[[Plain], bool]]] = {
    "marks of significance (thesis)": (
        ("inza2002", "inza2002-weighting"),
        lambda cell: cell["table"].endswith("marks"),
    ),
    "the column of CFS (drugan2010)": (
        ("drugan2010",),
        lambda cell: cell["method"] == "CFS" and cell["domain"] in COPIED,
    ),
    "networks with recovered arcs (thesis)": (
        ("inza2002-joint",),
        lambda cell: cell["method"].endswith("with recovery"),
    ),
}


def summaries(folder: Path) -> Iterator[tuple[str, str, Plain]]:
    """Yield name, title and summary of each page whose experiments are all in the folder."""
    for name in PAPERS:
        path = folder / f"{name}.jsonl"
        if not path.exists():
            continue
        paper, settings = read_paper(name), Settings()
        for page, entry in (paper.chapters or {name: {"title": name, "parts": ()}}).items():
            record = Record(path, name, settings)
            parts = entry["parts"]
            record.done = {
                key: line
                for key, line in record.done.items()
                if not parts or key.split(" / ")[0] in parts
            }
            absent = remaining(paper, settings, record, parts)
            if any(sentence.startswith("Not run yet") for sentence in absent):
                print(f"{page} is left as it is. {' '.join(absent)}")
                continue
            own: Paper = replace(paper, **{k: entry[k] for k in READ if k in entry})
            yield page, entry["title"], summarize(own, record, absent, False, derived(own, record))


#: What a page of a chapter has of its own.
READ = ("reading", "beside", "missing")


def write_page(name: str, title: str, summary: Plain) -> None:
    """Write a page; what was added by hand stays before its first table."""
    path = DOCS / "reproduction" / f"{name}.md"
    found = BY_HAND.search(path.read_text(encoding="utf-8"))
    text = re.sub(r"^# .*", f"# {title}: paper against here", markdown(summary))
    first = re.search(r"^## (Table|Figure|From)", text, re.M)
    assert first is not None
    text = text[: first.start()] + (found[0] if found else "") + text[first.start() :]
    path.write_text(text, encoding="utf-8")


def counts(cells: list[Plain]) -> Counter[str]:
    """Count the cells that agree, are near and differ."""
    words = {"same": "agree", "near": "near", "": ""}
    return Counter(words.get(cell["verdict"], "differ") for cell in cells if cell["verdict"])


def line(name: str, found: Counter[str], *more: str) -> str:
    """Return a line of the overview."""
    total = found.total()
    shares = [f"{100 * found[what] / total:.0f} %" for what in ("agree", "differ")]
    figures = [found[what] for what in ("agree", "near", "differ")]
    cells = [name, total, *figures, *shares, *(more or ("", "", ""))]
    return f"| {' | '.join(map(str, cells))} |"


def overview(pages: dict[str, Plain]) -> None:
    """Put the figures of the pages into the overview; what was not run keeps its line."""
    path = DOCS / "reproduction.md"
    text = path.read_text(encoding="utf-8")
    known = {cells[0]: cells for cells in map(_cells, re.findall(r"^\| .*\|$", text, re.M))}
    lines, every, blocks = [HEAD], Counter[str](), Counter[str]()
    for name, old in known.items():
        if name.startswith("["):
            found, page = _known(old), pages.get(name[1:].split("]")[0])
            if page is not None:
                found = counts(page["cells"])
                old[9] = duration(page["seconds"])
            lines.append(line(name, found, *old[7:]))
            every += found
    lines.append(line("all", every))
    for name, (where, inside) in BLOCKS.items():
        found = _known(known[name]) if name in known else Counter()
        if all(page in pages for page in where):
            found = counts([c for page in where for c in pages[page]["cells"] if inside(c)])
        if found:
            lines.append(line(name, found))
            blocks += found
    rest = every - blocks
    lines.append(line("all but these blocks", rest))
    (share, apart), (left, away) = (
        [f"{100 * c[what] / c.total():.0f} %" for what in ("agree", "differ")]
        for c in (every, rest)
    )
    paper = read_paper("inza2002")
    implied = {table: implied_marks(paper, table) for table in MARKED}
    medium, other = (
        np.sum([found for table, found in implied.items() if (table in MEDIUM) == own], axis=0)
        for own in (True, False)
    )
    sentence = (
        f"Over the five papers {share} of {every.total():,} values agree and {apart} differ; "
        f"{left} and {away} outside of three blocks that cannot be known or only follow from other "
        "values: marks of significance (from the printed means and deviations themselves "
        f"{medium[0]} of {medium[1]} of the medium domains come out as printed, and {other[0]} of "
        f"{other[1]} others), a column that seems to be a copy, and networks whose simplification "
        "the thesis does not tell fully. Every value that differs has its sentence."
    )
    new = "\n".join([sentence, "", *lines, ""])
    path.write_text(OVERVIEW.sub(lambda m: m[1] + new + m[2], text), encoding="utf-8")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _known(cells: list[str]) -> Counter[str]:
    """Return the counts of a line of the overview."""
    return Counter(dict(zip(("agree", "near", "differ"), map(int, cells[2:5]), strict=True)))


def main() -> None:
    """Write the pages and the overview."""
    found = {}
    for page, title, summary in summaries(Path(sys.argv[1])):
        write_page(page, title, summary)
        found[page] = summary
    overview(found)


if __name__ == "__main__":
    main()
