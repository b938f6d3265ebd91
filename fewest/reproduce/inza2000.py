"""Inza et al. (2000): FSS-EBNA around naive Bayes and ID3, tables 2 to 6 and fig. 7."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..classifiers.bayes.naive_bayes import NaiveBayes
from ..classifiers.trees.id3 import ID3
from ..classifiers.trees.tree import TreeClassifier
from ..data.dataset import Dataset
from ..data.rows import take_columns
from ..search.distribution.ebna import EBNA
from ..validation.validation import Validation
from .domains import domain_data
from .experiment import Cell, Experiment, Settings, summed
from .paper import Paper
from .training_size import DOMAIN, SIZES, by_size
from .validated import accuracy, baseline, halves, size, stopped, validated

PARTS = ("naive-bayes", "training-size", "id3")
#: A classifier, its name in the paper, its tables of accuracies and of sizes.
CLASSIFIERS: dict[str, tuple[Any, str, str, str]] = {
    "naive-bayes": (NaiveBayes, "NB", "3", "5"),
    "id3": (ID3, "ID3", "2", "4"),
}
#: Domains of a quick run.
QUICK = {
    "naive-bayes": ("Ionosphere", "Horse-colic", "Anneal", "LED24", "Image", "Chess"),
    "training-size": (DOMAIN,),
    "id3": ("Horse-colic",),
}
#: Individuals of a population, in full and quick.
POPULATION = {False: 1000, True: 200}


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """A classifier on a domain each, naive Bayes first; then a training size each."""
    for part in PARTS:
        if part == "training-size":
            for rows in SIZES:
                run = partial(by_size, paper, settings, rows, POPULATION[settings.quick])
                yield Experiment(part, DOMAIN, f"{rows} rows", run)
            continue
        for domain in paper.tables[CLASSIFIERS[part][2]]["rows"]:
            run = partial(_run, paper, settings, part, domain)
            yield Experiment(part, domain, "FSS-EBNA", run)


def _run(paper: Paper, settings: Settings, part: str, domain: str) -> list[Cell]:
    maker, short, accuracies, sizes = CLASSIFIERS[part]
    data = domain_data(paper, domain, settings.seed)
    v = validated(data, maker(), EBNA(population=POPULATION[settings.quick]), settings)
    without, selected = f"{short} without FSS", f"{short} & FSS-EBNA"
    return [
        baseline(accuracies, domain, without, v),
        accuracy(accuracies, domain, selected, v),
        Cell(accuracies, domain, "p-value", v.p_value, None, v.test),
        *(_tested if part == "id3" else _chosen)(sizes, domain, data, v, settings),
        stopped("6", domain, selected, v),
    ]


def _chosen(
    table: str, domain: str, data: Dataset, v: Validation, settings: Settings
) -> list[Cell]:
    every = Cell(table, domain, "NB without FSS", float(len(data.names)))
    return [every, size(table, domain, "NB & FSS-EBNA", v)]


def _tested(
    table: str, domain: str, data: Dataset, v: Validation, settings: Settings
) -> list[Cell]:
    """How many features the trees test, of all and of the selected ones."""
    whole = data.table()
    before, after = [], []
    for (train, _), support in zip(halves(data, settings), v.supports, strict=True):
        part = whole.take(train)
        before.append(_features(ID3().fit(part.X, part.y)))
        after.append(_features(ID3().fit(take_columns(part.X, support), part.y)))
    note = f"of {summed(v.sizes)[0]:.1f} selected"
    return [
        Cell(table, domain, "ID3 without FSS", *summed(before), f"of {len(data.names)}"),
        Cell(table, domain, "ID3 & FSS-EBNA", *summed(after), note),
    ]


def _features(tree: TreeClassifier) -> int:
    return len({int(f) for f in tree.tree_.feature if f >= 0})
