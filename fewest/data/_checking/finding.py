"""Findings of a check: what, where, why it matters, what to do; and all of them in order."""

from __future__ import annotations

import html
import json
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..._errors import InputError

#: How much harm a finding can do, from the most to the least.
SEVERITIES = ("serious", "warning", "note")
#: Kinds of columns from which nothing can be learned: they are left out of the search.
UNLEARNABLE = ("identifier", "free-text")
KEPT = "It stays in the search, because you named it or too few features would be left."
#: How many columns a text lists for each kind of finding.
LISTED = 5


@dataclass(frozen=True)
class Kind:
    """What is the same for all findings of a kind."""

    severity: str
    title: str
    consequence: str
    remedy: str


#: The kinds of findings by name, in order of harm.
KINDS: dict[str, Kind] = {
    "unknown-target": Kind(
        "serious", "Rows without a target",
        "No model can learn from them, and a selection refuses them.",
        "Leave these rows out, or find their targets. All else here is about the other rows.",
    ),
    "leak": Kind(
        "serious", "Predicts the target almost alone",
        "If it is filled in after the event, or made from the target, every score is too good.",
        "Ask when the column is known. Exclude it unless that is before the target is: "
        "exclude=[...].",
    ),
    "identifier": Kind(
        "serious", "Looks like an identifier",
        "A model can learn the rows by heart, but new rows have other values.",
        "It is left out of the search; include=[...] keeps it.",
    ),
    "row-groups": Kind(
        "serious", "Rows with the same value look alike",
        "With rows of one person or machine on both sides of a split, every score is too good.",
        "Keep them together: groups=X[column] in fit and validate.",
    ),
    "ordered-rows": Kind(
        "serious", "Rows that follow each other look alike",
        "If rows are ordered by time, a score on shuffled rows knows the future.",
        "Validate on later rows: time=X[column] in fit and validate.",
    ),
    "missing-column": Kind(
        "serious", "Columns that the new rows lack",
        "A model that was trained with them cannot predict these rows.",
        "Add them to the new rows, or exclude them: exclude=[...].",
    ),
    "changed-type": Kind(
        "serious", "Columns of numbers with words in the new rows",
        "A model that was trained with numbers cannot read the words.",
        "Leave unknown values empty, or write numbers as in the old rows.",
    ),
    "target-outliers": Kind(
        "serious", "A few values of the target are far from all others",
        "They decide the score: R² measures little else.",
        "Correct or remove them, take the logarithm, or use a robust scoring such as "
        "neg_median_absolute_error.",
    ),
    "alike-rows": Kind(
        "warning", "Groups of rows share the values of several columns",
        "If they are of one person or machine, rows on both sides of a split make every score "
        "too good.",
        "Number the groups in a column, and keep them together: groups=X[column] in fit and "
        "validate.",
    ),
    "row-number": Kind(
        "warning", "Looks like a row number",
        "If rows are ordered, it gives the target away; new rows have larger numbers.",
        "Exclude it unless the order of the rows means something: exclude=[...].",
    ),
    "new-values": Kind(
        "warning", "Values that only the new rows have",
        "A model has never seen them; they count as unknown.",
        "Train with rows that have them, or join them with known values.",
    ),
    "more-missing": Kind(
        "warning", "Unknown more often in the new rows",
        "The score of a model is for rows with as many values as the old ones.",
        "Find out why values are missing now; exclude the column if they stay so.",
    ),
    "drift": Kind(
        "warning", "Other values in the new rows than in the old ones",
        "A score on the old rows says little about rows that differ from them.",
        "Find out what changed; exclude the column, or train with newer rows.",
    ),
    "conflicting-rows": Kind(
        "warning", "Equal rows have different targets",
        "No model can be right on all of them.",
        "Find out why; a column that tells them apart may be missing.",
    ),
    "duplicate-rows": Kind(
        "warning", "Rows occur several times",
        "A copy of a training row among the test rows makes every score too good.",
        "Remove the copies, or keep them together: groups=X[column] in fit and validate.",
    ),
    "missing-by-target": Kind(
        "warning", "Whether the value is missing depends on the target",
        "If values go missing after the event, the gaps give the target away.",
        "Find out why values are missing; exclude the column if the target is the reason.",
    ),
    "rare-class": Kind(
        "warning", "Classes with few rows",
        "Some folds have no row of them, so their scores are unstable.",
        "Merge or remove these classes, or collect more rows.",
    ),
    "imbalance": Kind(
        "warning", "One class has most of the rows",
        "Accuracy is high for a model that always says the largest class.",
        "Use scoring=\"roc_auc\" for two classes or \"balanced_accuracy\" for more.",
    ),
    "too-small": Kind(
        "warning", "Too few rows",
        "No score of these rows is precise enough to compare subsets.",
        "Collect more rows, or read every score with its interval.",
    ),
    "wide": Kind(
        "note", "More columns than rows",
        "Some columns fit the target by chance; the selection score is very optimistic.",
        "Trust the score on new data only.",
    ),
    "free-text": Kind(
        "warning", "Free text",
        "Every row has another text, so no model can learn from it as a category.",
        "It is left out of the search; turn it into numbers, such as counts of words.",
    ),
    "number-as-text": Kind(
        "warning", "Numbers written as text",
        "They are read as categories, and their order and size are lost.",
        "Write them as plain numbers with a decimal point and without units.",
    ),
    "spellings": Kind(
        "warning", "Labels that differ only in case or spaces",
        "Every spelling counts as a value of its own.",
        "Write each value in one way.",
    ),
    "mixed-types": Kind(
        "warning", "Numbers and words in one column",
        "All values are read as categories, and the order of the numbers is lost.",
        "Leave the words empty (unknown), or put them into a column of their own.",
    ),
    "date": Kind(
        "note", "Moments in time",
        "They become seconds since 1970. New rows are later than all that a model has seen.",
        "Use differences between dates or parts such as the month; exclude the column itself.",
    ),
    "sorted-rows": Kind(
        "note", "Rows are sorted by the target",
        "Folds that are not shuffled hold other classes or values than the rest.",
        'cv="auto" shuffles; set shuffle=True in a splitter of your own.',
    ),
    "copy": Kind(
        "note", "Has the values of another column",
        "Only one of them is needed; which one is chosen means nothing.",
        "Keep the one that you can explain.",
    ),
    "affine-copy": Kind(
        "note", "Is another column in another unit",
        "Only one of them is needed; which one is chosen means nothing.",
        "Keep the one that you can explain.",
    ),
    "one-to-one": Kind(
        "note", "Says the same as another column with other values",
        "Only one of them is needed; which one is chosen means nothing.",
        "Keep the one that you can explain.",
    ),
    "constant": Kind(
        "note", "Has one value only",
        "It tells nothing about the target.",
        "Remove it.",
    ),
    "nearly-constant": Kind(
        "note", "Has the same value in nearly all rows",
        "The few other rows decide whether it looks useful.",
        "Remove it unless those rows are the point.",
    ),
    "many-levels": Kind(
        "note", "A category with many values",
        "Most values have few rows, and new rows may have values that were never seen. Linear "
        "models and neighbours by name use the 100 most frequent values.",
        "Group rare values, or replace the column by what it stands for.",
    ),
    "few-values": Kind(
        "note", "Whole numbers with few values",
        "They are used as amounts; if they are codes, their order means nothing.",
        "If they are codes: nominal=[...] in fit.",
    ),
    "not-counted": Kind(
        "warning", "Too many different labels",
        "Labels of a table outside memory are counted in pairs, which takes too long here.",
        "It is left out of the search; group rare values, or load the table.",
    ),
    "outliers": Kind(
        "note", "A few values are far from all others",
        "They decide means and distances.",
        "Correct them, or take the logarithm or ranks.",
    ),
}  # fmt: skip
_ORDER = {kind: at for at, kind in enumerate(KINDS)}


@dataclass(frozen=True)
class Finding:
    """One thing that was found in a table.

    kind: one of the names in the manual, such as ``"leak"``.
    columns: the column that it is about first, then those that it is related to; empty for findings
        about rows or the target.
    evidence: what was seen.
    severity: "serious", "warning" or "note".
    consequence, remedy: why it matters, and what to do.
    """

    kind: str
    columns: tuple[str, ...]
    evidence: str
    severity: str

    @property
    def title(self) -> str:
        """Return the kind in words."""
        return KINDS[self.kind].title

    @property
    def column(self) -> str:
        """Return the column that it is about, or an empty string."""
        return self.columns[0] if self.columns else ""

    @property
    def consequence(self) -> str:
        """Return why it matters."""
        return KINDS[self.kind].consequence

    @property
    def remedy(self) -> str:
        """Return what to do."""
        return KINDS[self.kind].remedy

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, ready for JSON."""
        return asdict(self) | {"columns": list(self.columns)}


def finding(kind: str, columns: tuple[str, ...], evidence: str, severity: str = "") -> Finding:
    """Return a finding with the severity of its kind, unless another one is given."""
    return Finding(kind, columns, evidence, severity or KINDS[kind].severity)


class Note(str):
    """A sentence about the table, with the kind and the columns of the findings behind it."""

    kind: str
    severity: str
    columns: tuple[str, ...]

    @classmethod
    def of(cls, text: str, found: Sequence[Finding]) -> Note:
        """Return the note of findings of one kind."""
        note = cls(text)
        note.kind, note.severity = found[0].kind, found[0].severity
        note.columns = tuple(one.column for one in found if one.columns)
        return note


@dataclass(frozen=True)
class Check:
    """What :func:`fewest.check` found in a table, in order of harm.

    Attributes
    ----------
    findings : tuple of Finding
    n_rows, n_features : int
    n_seen : int or None
        The rows of the sample, where a table outside memory has more.

    Examples
    --------
    >>> import fewest
    >>> found = fewest.check(fewest.load("patients"))
    >>> len(found), [one.column for one in found.of("row-groups")]
    (2, ['patient'])
    """

    findings: tuple[Finding, ...]
    n_rows: int
    n_features: int
    n_seen: int | None = None

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    @property
    def serious(self) -> tuple[Finding, ...]:
        """Return the findings that make a score wrong."""
        return tuple(f for f in self.findings if f.severity == "serious")

    def of(self, kind: str) -> tuple[Finding, ...]:
        """Return the findings of a kind."""
        if kind not in KINDS:
            raise InputError(f"`kind` must be one of {', '.join(KINDS)}, but is {kind!r}.")
        return tuple(f for f in self.findings if f.kind == kind)

    def notes(
        self, severities: Sequence[str] = SEVERITIES, left_out: Sequence[str] | None = None
    ) -> list[Note]:
        """Return one paragraph for each kind that was found.

        Parameters
        ----------
        severities : those that are wanted
        left_out : names of columns
            What a search leaves out; by default identifiers and text. Of other findings those
            are not repeated whose columns are all left out: the remedy was taken.
        """
        notes = []
        for kind, severity, every in self._by_kind():
            known = KINDS[kind]
            found = [f for f in every if kind in UNLEARNABLE or not _solved(f, left_out or ())]
            for remedy, part in _by_remedy(known.remedy, kind, found, left_out):
                text = f"{known.title}: {_listed(part)} {known.consequence} {remedy}"
                notes += [Note.of(text, part)] if severity in severities and part else []
        return notes

    def _by_kind(self) -> list[tuple[str, str, list[Finding]]]:
        groups: dict[tuple[str, str], list[Finding]] = {}
        for one in self.findings:
            groups.setdefault((one.kind, one.severity), []).append(one)
        return [(kind, severity, found) for (kind, severity), found in groups.items()]

    def __str__(self) -> str:
        shape = f"{self.n_rows:,} rows, {self.n_features:,} features"
        if self.n_seen is not None:
            shape += f" (most is found in a sample of {self.n_seen:,} rows)"
        if not self.findings:
            return f"{shape}: nothing found."
        lines = [f"{shape}: {_counted(self)}", ""]
        for kind, severity, found in self._by_kind():
            lines += [f"{severity.upper()}  {KINDS[kind].title}"]
            lines += [_indented(text) for text in _evidence(found)]
            lines += [_indented(KINDS[kind].consequence), _indented(f"-> {KINDS[kind].remedy}"), ""]
        return "\n".join(lines[:-1])

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        names = ("", "finding", "seen", "why", "what to do")
        rows = [
            (severity, KINDS[kind].title, "<br>".join(map(html.escape, _evidence(found))),
             html.escape(KINDS[kind].consequence), html.escape(KINDS[kind].remedy))
            for kind, severity, found in self._by_kind()
        ]  # fmt: skip
        left = 'style="text-align: left"'  # Notebooks write tables to the right.
        head = "".join(f"<th {left}>{name}</th>" for name in names)
        body = "".join(f"<tr>{''.join(f'<td {left}>{c}</td>' for c in row)}</tr>" for row in rows)
        return f"<table><tr>{head}</tr>{body}</table>"

    def to_dict(self, *, most: int | None = None) -> dict[str, Any]:
        """Return plain data, ready for JSON; at most so many findings of each kind."""
        found = [one.to_dict() for _, _, same in self._by_kind() for one in same[:most]]
        size = {"n_rows": self.n_rows, "n_features": self.n_features}
        seen = {} if self.n_seen is None else {"n_seen": self.n_seen}
        return {**size, **seen, "findings": found}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Check:
        """Return the check of plain data; kinds that this version does not know are left out."""
        known = [one for one in plain["findings"] if one["kind"] in KINDS]
        found = [
            Finding(f["kind"], tuple(f["columns"]), f["evidence"], f["severity"]) for f in known
        ]
        return cls(tuple(found), plain["n_rows"], plain["n_features"], plain.get("n_seen"))

    def to_json(self) -> str:
        """Return the text of a JSON file."""
        kinds = {kind: asdict(KINDS[kind]) for kind, _, _ in self._by_kind()}
        plain = {"fewest": "check", **self.to_dict(), "kinds": kinds}
        return json.dumps(plain, indent=1, ensure_ascii=False)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the findings as a data frame, one row each.

        Parameters
        ----------
        backend : "pandas" or "polars", optional
            By default pandas, or polars where pandas is not installed.
        """
        from .._loaders.frames import frame_of

        keys = ("severity", "kind", "columns", "evidence", "consequence", "remedy")
        made = {key: [getattr(one, key) for one in self.findings] for key in keys}
        made["columns"] = [", ".join(one.columns) for one in self.findings]
        return frame_of(made, backend)


def in_order(found: list[Finding], n_rows: int, n_features: int) -> Check:
    """Return the check of these findings: the most harmful first, then by column."""
    order = sorted(found, key=lambda f: (SEVERITIES.index(f.severity), _ORDER[f.kind]))
    return Check(tuple(order), n_rows, n_features)


def _by_remedy(
    remedy: str, kind: str, found: list[Finding], left_out: Sequence[str] | None
) -> list[tuple[str, list[Finding]]]:
    """Return the findings by what is done: identifiers and text that the user wants are kept."""
    if kind not in UNLEARNABLE or left_out is None:
        return [(remedy, found)]
    out = [one for one in found if one.column in left_out]
    return [(remedy, out), (KEPT, [one for one in found if one not in out])]


def _solved(one: Finding, left_out: Sequence[str]) -> bool:
    """Whether all columns of a finding are left out."""
    return bool(one.columns) and set(one.columns) <= set(left_out)


def _evidence(found: list[Finding]) -> list[str]:
    texts = [f"{f.column}: {f.evidence}" if f.columns else f.evidence for f in found[:LISTED]]
    more = len(found) - LISTED
    return [*texts, f"and {more} more columns"] if more > 0 else texts


def _listed(found: list[Finding]) -> str:
    return "; ".join(_evidence(found)).rstrip(".") + "."


def _counted(check: Check) -> str:
    counts = {s: sum(f.severity == s for f in check.findings) for s in SEVERITIES}
    words = {"serious": "serious finding", "warning": "warning", "note": "note"}
    told = [f"{n} {words[s]}{'s' if n > 1 else ''}" for s, n in counts.items() if n]
    return ", ".join(told) + "."


def _indented(text: str) -> str:
    return textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="      ")
