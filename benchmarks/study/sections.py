"""The sections of the page of the study, each from the rows that it needs."""

from __future__ import annotations

from collections import defaultdict

from benchmarks.study.methods import FILTERS, MAIN, POPULATION, TEN
from benchmarks.study.rule import MOST_KEPT
from benchmarks.study.summary import (
    Found,
    Row,
    complete,
    front,
    gain,
    grouped,
    mean,
    means,
    share,
    without_budgets,
)

HEADS = "| method | gain | kept | stability | worse | rank | seconds |\n"


def table(lines: list[Row], head: str = HEADS) -> str:
    """Methods with their means."""
    body = "".join(
        f"| {x['method']} | {x['gain']:+.1f} | {x['share']:.2f} | {x['stability']:.2f} "
        f"| {x['worse']} | {x['rank']:.1f} | {x['seconds']:.2f} |\n"
        for x in lines
    )
    return head + "|---|---:|---:|---:|---:|---:|---:|\n" + body


def patience(found: Found) -> str:
    """What ten generations of patience change, over the searches that were run with both."""
    pairs = [
        (found[f"{s}, significance"], found[f"{s}, patience 10"])
        for s in POPULATION
        if {f"{s}, significance", f"{s}, patience 10"} <= set(found)
    ]
    if not pairs:
        return ""
    before = sum(mean(a, gain) for a, _ in pairs) / len(pairs)
    after = sum(mean(b, gain) for _, b in pairs) / len(pairs)
    more = sum(mean(b, gain) > mean(a, gain) for a, b in pairs)
    return (
        f"Patience gains more than the significance rule in {more} of {len(pairs)} searches: "
        f"{before:+.1f} becomes {after:+.1f} points.\n"
    )


def consensus_section(found: Found) -> str:
    """A consensus beside the single run, per data set."""
    pairs = [
        (single, f"{single}, consensus {kind}, half-se")
        for single in ("sfs", "sffs", "umda, patience 10")
        for kind in ("20", "replay")
        if len(found.get(f"{single}, consensus {kind}, half-se", ())) >= len(TEN)
        and single in found
    ]
    if not pairs:
        return ""
    parts = ["## Consensus beside the single run\n", "Gain / share of features kept / stability.\n"]
    singles = list(dict.fromkeys(single for single, _ in pairs))
    names = [n for s in singles for n in (s, *(b for a, b in pairs if a == s))]
    shared = sorted(set.intersection(*(set(found[name]) for name in names)))
    found = {name: {t: found[name][t] for t in shared} for name in names}
    parts.append(
        f"| table | {' | '.join(names)} |\n|---|{'---|' * len(names)}\n"
        + "".join(
            f"| {t} | {' | '.join(_three(found[n][t]) for n in names)} |\n"
            for t in next(iter(found.values()))
        )
        + f"| **mean** | {' | '.join(_three_means(found[n]) for n in names)} |\n"
    )
    return "\n".join(parts)


def _three(row: Row) -> str:
    return f"{gain(row):+.1f} / {share(row):.2f} / {row['stability']:.2f}"


def _three_means(by_table: dict[str, Row]) -> str:
    stability = mean(by_table, lambda r: r["stability"])
    return f"{mean(by_table, gain):+.1f} / {mean(by_table, share):.2f} / {stability:.2f}"


def archive_section(found: Found) -> str:
    """What the votes of the archive change in the searches that were run with and without."""
    lines = []
    for single in (f"{search}, patience 10" for search in POPULATION):
        voted = f"{single}, consensus archive"
        if not {single, voted} <= set(found):
            continue
        gaps = [gain(found[voted][t]) - gain(found[single][t]) for t in found[single]]
        lines.append(
            f"| {single} | {_three_means(found[single])} | {_three_means(found[voted])} "
            f"| {sum(g > 0 for g in gaps)} : {sum(g < 0 for g in gaps)} |\n"
        )
    head = (
        "## Votes of the archive\n\nThe best subset of each size that one search scored votes, "
        'and the answer is a prefix of the ranking (`consensus="archive"`): gain / share / '
        "stability without and with it, and tables on which it gains more : less.\n\n"
        "| search | best subset | votes | more : less |\n|---|---|---|---:|\n"
    )
    return head + "".join(lines) if lines else ""


def large_section(rows: list[Row], large: list[str]) -> str:
    """The few methods that are run on the large tables as well."""
    own = [row for row in rows if row["table"] in large]
    found = complete(without_budgets(grouped(own, (MAIN, *FILTERS), MAIN)))
    if len(found) < 3:
        return ""
    tables = next(iter(found.values()))
    told = ", ".join(f"{t} ({r['rows']:,} × {r['features']:,})" for t, r in tables.items())
    return f"## Large tables\n\n{table(means(found))}\nTables: {told}.\n"


def ten_section(found: Found) -> str:
    """The ten tables of the quick version, with the selectors of other libraries."""
    if len(found) < 4:
        return ""
    lines = sorted(means(found), key=lambda line: -line["gain"])
    best = front(lines, "share", False)
    marked = [
        {**x, "method": f"**{x['method']}**" if x["method"] in best else x["method"]} for x in lines
    ]
    few = [x for x in lines if x["share"] <= MOST_KEPT]
    told = f"{few[0]['method']}, {few[0]['gain']:+.1f} points" if few else "none"
    return (
        f"## The ten tables of the quick version\n\n{table(marked)}\nBold: no other method gains "
        f"more with fewer features. The largest gain with at most {MOST_KEPT:.2f} of the features: "
        f"{told}. Tables: {', '.join(next(iter(found.values())))}.\n"
    )


def unfinished(rows: list[Row], coverage: dict[str, tuple[int, int]]) -> str:
    """What was not run, did not finish in its CPU time, or refused its table."""
    late, refused = defaultdict(list), defaultdict(int)
    for row in rows:
        told = row.get("refused", "")
        name = (
            row["search"]
            if row["measure"] in (MAIN, "peer")
            else f"{row['measure']}: {row['search']}"
        )
        if told.startswith("did not finish"):
            late[f"{name} ({told})"].append(row["table"])
        elif told:
            refused[row["measure"]] += 1
    lines = [f"- {name}: {', '.join(sorted(tables))}" for name, tables in sorted(late.items())]
    if refused:
        told = ", ".join(f"{m} {n}" for m, n in sorted(refused.items()))
        lines.append(
            f"- Refused, because the model needs numbers without gaps or has no twin for replays: "
            f"{told} runs."
        )
    parts = "; ".join(f"{part} {done:,} of {all_:,}" for part, (done, all_) in coverage.items())
    head = f"Runs that are done (a method on a table): {parts}. The command goes on from there.\n"
    return "## What is done, and what is not\n\n" + "\n".join([head, *lines]) + "\n"


def safe_section(done: list[Row]) -> str:
    """How often each choice is significantly worse than all features."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for row in done:
        if row["measure"] not in (*FILTERS, "peer"):
            counts[row["choose"]].append(row["verdict"] == "worse")
    if not counts:
        return ""
    told = "; ".join(
        f'`choose="{choose}"` {sum(worse)} of {len(worse)}' for choose, worse in counts.items()
    )
    return (
        "## How often selection loses\n\n"
        "Methods on tables whose selections are significantly worse than all features (5×2cv F "
        f"test): {told}.\n"
    )


def budgets(rows: list[Row]) -> str:
    """The same searches with at most so many evaluations."""
    found = complete({m: r for m, r in grouped(rows, (MAIN,), MAIN).items() if "evaluations" in m})
    if len(found) < 4:
        return ""
    tables = len(next(iter(found.values())))
    return f"## Equal budgets of evaluations, {tables} tables\n\n" + table(means(found))


def models(rows: list[Row], measures: tuple[str, ...]) -> str:
    """The same searches around other models, each judged by itself."""
    parts = []
    for measure in measures:
        found = complete(grouped(rows, (measure,), measure))
        if len(found) > 2:
            tables = len(next(iter(found.values())))
            parts += [f"### {measure}, {tables} tables\n", table(means(found))]
    return "\n".join(["## Other models\n", *parts]) if parts else ""


def filters(rows: list[Row], judges: tuple[str, ...]) -> str:
    """Filters, judged by three classifiers."""
    lines = []
    for judge in judges:
        found = complete(grouped(rows, FILTERS, judge)) if rows else {}
        lines += [{**x, "method": f"{x['method']}, judged by {judge}"} for x in means(found)] \
            if found else []  # fmt: skip
    return "## Filters\n\n" + table(lines) if lines else ""


def known_relevant(done: list[Row]) -> str:
    """Precision and recall where the relevant features are known."""
    by: dict[str, list[Row]] = defaultdict(list)
    for row in done:
        if "recall" in row and row["measure"] in (MAIN, "peer"):
            by[f"{row['search']}, {row['choose']}"].append(row)
    if not by:
        return ""
    most = max(len(rows) for rows in by.values())
    lines = sorted(
        (
            (name, sum(r["precision"] for r in rows) / most, sum(r["recall"] for r in rows) / most)
            for name, rows in by.items()
            if len(rows) == most
        ),
        key=lambda line: -(line[1] * line[2]),
    )
    body = "".join(f"| {n} | {p:.2f} | {r:.2f} |\n" for n, p, r in lines[:25])
    tables = ", ".join(sorted({r["table"] for rows in by.values() for r in rows}))
    return (
        f"## Where the relevant features are known\n\nTables: {tables}. The best 25 methods.\n\n"
        "| method | precision | recall |\n|---|---:|---:|\n" + body
    )


def per_table(found: Found, lines: list[Row]) -> str:
    """Gain by table of the methods with the best ranks."""
    names = [line["method"] for line in lines[:6]]
    first = next(iter(found.values()))
    body = "".join(
        f"| {t} | {r['rows']} | {r['features']} | {100 * r['all']:.1f} | "
        + " | ".join(f"{gain(found[n][t]):+.1f} ({found[n][t]['size']:.1f})" for n in names)
        + " |\n"
        for t, r in first.items()
    )
    return (
        "## Table by table\n\nGain in points, and the mean number of features.\n\n"
        f"| table | rows | features | all | {' | '.join(names)} |\n"
        f"|---|---:|---:|---:|{'---:|' * len(names)}\n" + body
    )
