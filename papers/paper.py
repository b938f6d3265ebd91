"""Published results of a paper: its tables, its domains, and what is known of their data."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from fewest._errors import InputError

#: The papers whose experiments can be run again; each has a module and a file of figures.
PAPERS = ("inza2000", "inza2002", "dash2003", "drugan2010", "hsu2004")

#: A figure with its standard deviation, where one is given.
Figure = tuple[float, float | None]


@dataclass(frozen=True, eq=False)
class Paper:
    """Published figures of a paper.

    Attributes
    ----------
    name, title, source : str
    tables : dict of dict
        By its number: ``title``, ``kind`` (what the figures are), ``about``, and ``rows``,
        from domain to method to mean and standard deviation; ``given`` are methods whose
        figures are known beforehand (the number of all features); ``claims`` are bounds that
        the text states, from domain to method to lowest and highest. The rows of a table that is
        ``derived`` from others are methods, not domains.
    domains : dict of dict
        By the paper's name: ``data`` (the name of a data set) or ``generate`` (of a generator,
        with ``rows``) or ``network`` (whose rows are drawn); ``differs`` or ``absent``, a
        sentence.
    folder : Path or None
        Where its data sets are looked up first.
    reading : str
        What is shown beside the figures that are compared, where two readings are run.
    beside : str
        The heading of the column with the other reading.
    missing : list of str
        What of the paper is not reproduced, and why.
    chapters : dict of dict
        By the page of the manual, where the paper has several: ``title``, ``parts``, and what
        of ``reading``, ``beside`` and ``missing`` is other than above.
    why : dict of dict
        From a table (or ``"*"``) to a domain, a domain and a method (either of them ``"*"``) to
        a sentence for figures that differ.

    Examples
    --------
    >>> paper = read_paper("inza2000")
    >>> paper.figure("3", "Chess", "NB & FSS-EBNA")
    (94.23, 0.35)
    """

    name: str
    title: str
    source: str
    tables: dict[str, dict[str, Any]]
    domains: dict[str, dict[str, Any]]
    folder: Path | None = None
    reading: str = ""
    beside: str = "our defaults"
    missing: tuple[str, ...] = ()
    chapters: dict[str, dict[str, Any]] = field(default_factory=dict)
    why: dict[str, dict[str, str]] = field(default_factory=dict)

    def figure(self, table: str, domain: str, method: str) -> Figure | None:
        """Return the paper's figure in a cell of a table, or None if there is none."""
        found = self.tables[table]["rows"].get(domain, {}).get(method)
        return None if found is None else (found[0], found[1])

    def claim(self, table: str, domain: str, method: str) -> tuple[float | None, float | None]:
        """Return the bounds that the paper's text states for a cell; None where it states none."""
        low, high = self.tables[table].get("claims", {}).get(domain, {}).get(method, (None, None))
        return low, high

    def reason(self, table: str, domain: str, method: str) -> str:
        """Return the sentence for a figure that differs; empty where there is none.

        One for the method on the domain comes before one for the method, then for the domain,
        then for the table. A sentence about the data of the domain counts as well.
        """
        own = {**self.why.get("*", {}), **self.why.get(table, {})}
        for key in (f"{domain}, {method}", f"*, {method}", domain, "*"):
            if key in own:
                return own[key]
        return "See the data that differ." if "differs" in self.domains.get(domain, {}) else ""

    def kind(self, table: str) -> str:
        """Return what the figures of a table are."""
        return str(self.tables[table]["kind"])

    def chosen(self, names: list[str] | None) -> list[str]:
        """Return the domains of these names (the paper's, or of the data sets); all if None."""
        if not names:
            return list(self.domains)
        known: dict[str, str] = {}
        for domain, entry in self.domains.items():
            for alias in (domain, entry.get("data"), entry.get("generate")):
                if alias is not None:
                    known[alias.lower()] = domain
        for name in names:
            if name.lower() not in known:
                raise InputError(
                    f"`--domain` must be one of {', '.join(self.domains)} for {self.name}, but is "
                    f"{name!r}."
                )
        wanted = {known[name.lower()] for name in names}
        return [domain for domain in self.domains if domain in wanted]


def read_paper(name: str, folder: Path | None = None) -> Paper:
    """Read the figures of a paper from the package; ``folder`` may hold its data sets."""
    if name not in PAPERS:
        raise InputError(f"`paper` must be one of {', '.join(PAPERS)}, but is {name!r}.")
    file = resources.files(__package__) / "papers" / f"{name}.json"
    return Paper(**json.loads(file.read_text(encoding="utf-8")), folder=folder)
