"""Pages made from what the classes declare: capability tables, and each algorithm by family.

`conf.py` calls :func:`write` before each build; nothing here is written by hand twice.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import fewest
from fewest import classifiers, networks, search
from fewest._fitting.parameter_table import OPTIONS
from fewest.measures._measure_names import ESTIMATORS
from fewest.search._search_names import SEARCHES, search_class

HERE = Path(__file__).parent
#: The packages whose ``__all__`` is the public interface.
PACKAGES = ("fewest", "fewest.search", "fewest.measures", "fewest.classifiers", "fewest.data",
            "fewest.networks", "fewest.stop", "fewest.extend", "fewest.testing")  # fmt: skip
#: The page of a search, by the module of its class.
FAMILIES = {
    "sequential": "_sequential _best_first _random _exhaustive _path",
    "embedded": "_elimination",
    "genetic": "_genetic _pareto",
    "distribution": "_distribution _network_models",
    "consistency": "_lattice _exact",
    "orderings": "_orderings",
    "graphs": "_graphs",
    "continuous": "_continuous",
}


def family(name: str) -> str:
    """Return the page of a search; a file of no family is on that of the search listed before."""
    module = search_class(name).__module__.rpartition(".")[2]
    page = next((page for page, modules in FAMILIES.items() if module in modules.split()), None)
    names = list(SEARCHES)
    return page or family(names[names.index(name) - 1])


def write(folder: Path) -> None:
    """All generated parts, into ``folder``; files that did not change are left alone."""
    folder.mkdir(exist_ok=True)
    searches, measures = fewest.list_searches(), fewest.list_measures()
    columns = ("name", "summary", "needs_monotone", "needs_advice", "generational", "complete")
    _keep(folder / "searches.txt", table(searches, columns))
    columns = ("name", "summary", "monotone", "folds", "fast")
    _keep(folder / "measures.txt", table(measures, columns))
    for page in FAMILIES:
        rows = [row for row in searches if family(row["name"]) == page]
        _keep(folder / f"{page}.txt", entries(rows, "fewest.search"))
    _keep(folder / "evidence.txt", evidence(folder.parent))
    filters = [row for row in measures if row["name"] not in ESTIMATORS]
    _keep(folder / "filters.txt", entries(filters, "fewest.measures"))
    _keep(folder / "classifiers.txt", listed(sorted(classifiers.__all__), "fewest.classifiers"))
    elsewhere = {*search.__all__, *fewest.measures.__all__, *fewest.__all__}
    own = sorted({*networks.__all__} - elsewhere)
    _keep(folder / "models.txt", listed(own, "fewest.networks"))
    _keep(folder / "parameters.txt", table(parameters(), ("name", "default", "must be")))
    _keep(folder / "further.txt", further(folder))


def parameters() -> list[dict[str, Any]]:
    """What each parameter of the estimators and functions must be, as they check it."""
    return [
        {"name": name, "default": f"``{option.default!r}``", "must be": option.metadata["must"]}
        for name, option in sorted(OPTIONS.items())
    ]


def further(folder: Path) -> str:
    """The public names that stand on no other page, with their docstrings."""
    pages = [*folder.glob("*.txt"), *HERE.glob("algorithms/*.rst")]
    text = "".join(p.read_text(encoding="utf-8") for p in pages if p.name != "further.txt")
    known = {
        name.rsplit(".", 1)[-1] for name in re.findall(r"auto(?:class|function):: (\S+)", text)
    }
    summary = (HERE / "reference.rst").read_text(encoding="utf-8")
    known |= {
        name.rsplit(".", 1)[-1] for name in re.findall(r"^   ([a-zA-Z][\w.]+)$", summary, re.M)
    }
    parts = []
    for package in PACKAGES:
        room = importlib.import_module(package)
        for name in sorted(set(room.__all__) - known):
            thing = getattr(room, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                kind = "class" if inspect.isclass(thing) else "function"
                parts += [f".. auto{kind}:: {package}.{name}", ""]
                known.add(name)
    return "\n".join(parts) + "\n"


def evidence(docs: Path) -> str:
    """The table of contents of the pages that `make bench` and `python -m papers` write."""
    written = ("study.md", "benchmarks.md", "reproduction.md", "reproduction/*.md")
    found = [sorted(docs.glob(pattern)) for pattern in written]
    pages = [page for part in found for page in part]
    names = [str(page.relative_to(docs).with_suffix("")) for page in pages]
    lines = [".. toctree::", "   :caption: Evidence", "   :maxdepth: 1", "   :hidden:", ""]
    return "\n".join([*lines, *(f"   {name}" for name in [*names, "changelog"])]) + "\n"


def table(rows: list[dict[str, Any]], columns: Iterable[str]) -> str:
    """A list table in reStructuredText."""
    head = [column.replace("_", " ") for column in columns]
    lines = [".. list-table::", "   :header-rows: 1", "   :class: capabilities", ""]
    for cells in [head, *([_cell(row, column) for column in columns] for row in rows)]:
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}" for i, cell in enumerate(cells)]
    return "\n".join(lines) + "\n"


def _cell(row: dict[str, Any], column: str) -> str:
    value = row[column]
    if column == "name":
        return f"``{value}``"
    return {True: "yes", False: ""}.get(value, value)


def entries(rows: list[dict[str, Any]], package: str) -> str:
    """One section per algorithm: its name in strings, its source, its docstring."""
    parts = []
    for row in rows:
        title = f"{row['class']}: ``{row['name']}``"
        source = f"Source: {row['source'].rstrip('.')}." if row["source"] else ""
        parts += [title, "-" * len(title), "", source, ""]
        parts += [f".. autoclass:: {package}.{row['class']}", ""]
    return "\n".join(parts) + "\n"


def listed(paths: list[str], package: str) -> str:
    """One section per class or function."""
    parts = []
    for path in paths:
        name = path.rsplit(".", 1)[-1]
        kind = "class" if name[0].isupper() else "function"
        parts += [name, "-" * len(name), "", f".. auto{kind}:: {package}.{path}", ""]
    return "\n".join(parts) + "\n"


def _keep(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
