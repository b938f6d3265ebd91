"""Searches on the functions of the literature; ``python -m benchmarks.functions`` writes a page.

Every search that can run on a function runs ten times with its defaults. Name functions on the
command line to measure only these; all are kept in ``docs/functions.md``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fewest.search import EBNA
from fewest.search._search import Search
from fewest.testing._test_functions import FUNCTIONS, Function, searches_for, solve

PAGE = Path(__file__).parent.parent / "docs" / "functions.md"
RUNS, MOST = 10, 100_000
#: What theory and the papers say, for the same functions.
LITERATURE = {
    "onemax": "With truncation selection of one half, UMDA needs about π √n / (2 · 0.8) = 14 "
    "generations for 50 bits (Mühlenbein and Schlierkamp-Voosen, 1993).",
    "deceptive-3": "Models of single bits fail; pairs mislead, but a tree over them holds three "
    "bits together (Pelikan and Mühlenbein, 1999, solve it by BMDA; Pelikan, Goldberg and "
    "Cantú-Paz, 1999, by BOA).",
    "trap-5": "Only models of five bits at once scale; the population must grow as 2⁵ m log m "
    "for m traps (Harik, 1999). Searches of small steps end in the zeros.",
    "nk": "Neighbouring bits overlap, so that no blocks are independent; sixteen bits are few "
    "enough that the optimum is known by enumeration.",
    "ising": "All equal is best, and there are two such optima: both halves of the population "
    "are right, and wrong together (Pelikan and Goldberg, 2003).",
    "slope": "Maximum likelihood densities shrink before they arrive; adaptive variances and an "
    "anticipated shift of the mean are the remedy (Bosman, Grahl and Thierens, 2008).",
    "sphere": "Solved by all EDAs of Larrañaga and Lozano (2001), in tens of thousands of "
    "evaluations. Here the optimum is moved away from the middle, where some searches start.",
    "griewangk": "The dents matter most near the optimum in few dimensions.",
    "cancellation": "Independent densities stop far from 100,000; models with covariances reach "
    "it (Larrañaga and Lozano, 2001).",
    "rosenbrock": "No EDA of Larrañaga and Lozano (2001) reaches the optimum: values near the "
    "number of variables are reported.",
}  # fmt: skip
HEAD = """# Functions

What a search can learn, at a glance: the functions on which the literature compares searches, ten
runs each with default parameters and at most {most:,} evaluations. `python -m benchmarks.functions`
measures this page again; `fewest functions --search NAME` runs one search, also your own if it is
registered. Evaluations are those of all proposals, repeated ones too, up to the first optimum, and
the mean is over the runs that found it. The last column is the best value of all runs. Bits are
flipped and shuffled by a fixed pattern, so that no search profits from starting with all or none of
them; the optima of sphere, griewangk and cancellation are moved away from the middle.
"""


def searches(function: Function) -> list[tuple[str, Search | str]]:
    """Return the searches by name, and the variants that are known by names of their own."""
    found: list[tuple[str, Search | str]] = [(name, name) for name in searches_for(function)]
    if function.low is None:
        found.append(("ebna, K2", EBNA(learning="k2")))
    return found


def section(function: Function) -> str:
    """Return the section of a function, and print it as it grows."""
    lines = [
        f"## {function.name}",
        "",
        f"{function.n} variables, optimum {function.best:g}; to be learned: {function.needs}. "
        + LITERATURE[function.name],
        "",
        "| search | solved | evaluations | best |",
        "|---|---:|---:|---:|",
    ]
    print("\n".join(lines), flush=True)
    rows = []
    for name, search in searches(function):
        found = solve(search, function, runs=RUNS, max_evaluations=MOST)
        mean = f"{found.mean:,.0f}" if found.evaluations else ""
        row = f"| {name} | {len(found.evaluations)} of {RUNS} | {mean} | {found.best:.6g} |"
        print(row, flush=True)
        rows.append((-len(found.evaluations), found.mean if mean else 0.0, -found.best, row))
    return "\n".join([*lines, *(row for *_, row in sorted(rows))])


def main() -> None:
    """Measure the named functions, or all, and write the page."""
    wanted = sys.argv[1:] or list(FUNCTIONS)
    known: dict[str, str] = {}
    if PAGE.exists():
        parts = PAGE.read_text(encoding="utf-8").strip().split("\n\n## ")[1:]
        known = {part.split("\n")[0]: f"## {part}" for part in parts}
    for name in wanted:
        known[name] = section(FUNCTIONS[name])
    sections = [known[name] for name in FUNCTIONS if name in known]
    PAGE.write_text("\n\n".join([HEAD.format(most=MOST).strip(), *sections]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
