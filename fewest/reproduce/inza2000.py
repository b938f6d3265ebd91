"""Inza et al. (2000): FSS-EBNA around naive Bayes and ID3, tables 2 to 6."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..classifiers.id3 import ID3
from ..classifiers.naive_bayes import NaiveBayes
from ..data.dataset import Dataset
from ..search.ebna import EBNA
from .domains import domain_data
from .experiment import Cell, Experiment, Settings, summed
from .paper import Paper
from .validated import accuracy, baseline, halves, size, stopped, validated

#: A classifier, its name in the paper, its tables of accuracies and of sizes.
PARTS: dict[str, tuple[Any, str, str, str]] = {
    "naive-bayes": (NaiveBayes, "NB", "3", "5"),
    "id3": (ID3, "ID3", "2", "4"),
}
#: Domains of a quick run.
QUICK = ("Ionosphere", "Horse-colic", "Anneal", "LED24")
#: Individuals of a population, in full and quick.
POPULATION = {False: 1000, True: 200}


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """A classifier on a domain each, naive Bayes first."""
    for part in PARTS:
        for domain in paper.domains:
            run = partial(_run, paper, settings, part, domain)
            yield Experiment(part, domain, "FSS-EBNA", run)


def _run(paper: Paper, settings: Settings, part: str, domain: str) -> list[Cell]:
    maker, short, accuracies, sizes = PARTS[part]
    data = domain_data(paper, domain, settings.seed)
    v = validated(data, maker(), EBNA(population=POPULATION[settings.quick]), settings)
    without, selected = f"{short} without FSS", f"{short} & FSS-EBNA"
    return [
        baseline(accuracies, domain, without, v),
        accuracy(accuracies, domain, selected, v),
        Cell(accuracies, domain, "p-value", v.p_value, None, v.test),
        _all_features(sizes, domain, without, part, data, settings),
        size(sizes, domain, selected, v),
        stopped("6", domain, selected, v),
    ]


def _all_features(
    table: str, domain: str, method: str, part: str, data: Dataset, settings: Settings
) -> Cell:
    """All features; for ID3 those that its trees test."""
    if part == "naive-bayes":
        return Cell(table, domain, method, float(len(data.names)))
    whole = data.table()
    tested = []
    for train, _ in halves(data, settings):
        part_table = whole.take(train)
        tree = ID3().fit(part_table.X, part_table.y).tree_
        tested.append(len({int(f) for f in tree.feature if f >= 0}))
    return Cell(table, domain, method, *summed(tested))
