"""Inza et al. (2000): FSS-EBNA around naive Bayes and ID3, tables 1 to 7 and fig. 7."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from fewest._validation.validation import Validation
from fewest.classifiers._trees.tree import ID3, TreeClassifier
from fewest.data._dataset import Dataset
from fewest.data._rows import take_columns
from fewest.search._network_models import EBNA

from .domains import domain_data
from .experiment import Cell, Experiment, Settings, mean_std
from .paper import Paper
from .readings import MLC, READINGS, Reading
from .training_size import DOMAIN, SIZES, by_size
from .validated import accuracy, baseline, halves, seconds, size, stopped, validated

PARTS = ("domains", "naive-bayes", "training-size", "id3")
#: The name of a classifier in the paper, its tables of accuracies and of sizes.
CLASSIFIERS = {"naive-bayes": ("NB", "3", "5"), "id3": ("ID3", "2", "4")}
#: Domains of a quick run.
QUICK = {
    "domains": ("Ionosphere", "Horse-colic", "Anneal", "LED24"),
    "naive-bayes": ("Ionosphere", "Horse-colic", "Anneal", "LED24", "Image", "Chess"),
    "training-size": (DOMAIN,),
    "id3": ("Horse-colic",),
}
#: Individuals of a population, in full and quick.
POPULATION = {False: 1000, True: 200}


def experiments(paper: Paper, settings: Settings) -> Iterator[Experiment]:
    """Yield the domains; naive Bayes in two readings; a training size each; ID3."""
    for domain in paper.tables["1"]["rows"]:
        yield Experiment("domains", domain, "data", partial(_details, paper, settings, domain))
    for domain in paper.tables["3"]["rows"]:
        for reading in READINGS:
            run = partial(_naive_bayes, paper, settings, reading, domain)
            yield Experiment("naive-bayes", domain, reading.of("FSS-EBNA"), run)
    for rows in SIZES:
        run = partial(by_size, paper, settings, rows, POPULATION[settings.quick])
        yield Experiment("training-size", DOMAIN, f"{rows} rows", run)
    for domain in paper.tables["2"]["rows"]:
        yield Experiment("id3", domain, "FSS-EBNA", partial(_id3, paper, settings, domain))


def _details(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    """Return table 1: rows, classes and features."""
    table = domain_data(paper, domain, settings.seed).table()
    nominal = int(table.nominal.sum())
    figures = {
        "instances": table.n_rows,
        "classes": table.n_classes,
        "continuous features": table.n_features - nominal,
        "nominal features": nominal,
    }
    return [Cell("1", domain, name, float(figure)) for name, figure in figures.items()]


def _naive_bayes(paper: Paper, settings: Settings, reading: Reading, domain: str) -> list[Cell]:
    data = domain_data(paper, domain, settings.seed)
    scheme = reading.scheme(settings)
    v = validated(data, reading.model(), _ebna(settings), settings, scheme, reading.level)
    cells = _figures("naive-bayes", domain, v)
    cells.append(Cell("5", domain, "NB without FSS", float(len(data.names))))
    cells.append(size("5", domain, "NB & FSS-EBNA", v))
    return [replace(cell, reading=reading.name) for cell in cells]


def _id3(paper: Paper, settings: Settings, domain: str) -> list[Cell]:
    data = domain_data(paper, domain, settings.seed)
    v = validated(data, ID3(), _ebna(settings), settings, level=MLC.level)
    return [*_figures("id3", domain, v), *_tested("4", domain, data, v, settings)]


def _ebna(settings: Settings) -> EBNA:
    return EBNA(population=POPULATION[settings.quick])


def _figures(part: str, domain: str, v: Validation) -> list[Cell]:
    """Return what both classifiers have: accuracies, their test, generations and times."""
    short, accuracies, _ = CLASSIFIERS[part]
    selected = f"{short} & FSS-EBNA"
    return [
        baseline(accuracies, domain, f"{short} without FSS", v),
        accuracy(accuracies, domain, selected, v),
        Cell(accuracies, domain, "p-value", v.p_value, None, v.test),
        stopped("6", domain, selected, v),
        seconds("7", domain, selected, v),
    ]


def _tested(
    table: str, domain: str, data: Dataset, v: Validation, settings: Settings
) -> list[Cell]:
    """Count the features that the trees test, of all and of the selected ones."""
    whole = data.table()
    before, after = [], []
    for (train, _), support in zip(halves(data, settings), v.supports, strict=True):
        part = whole.take(train)
        before.append(_features(ID3().fit(part.X, part.y)))
        after.append(_features(ID3().fit(take_columns(part.X, support), part.y)))
    note = f"of {mean_std(v.sizes)[0]:.1f} selected"
    return [
        Cell(table, domain, "ID3 without FSS", *mean_std(before), f"of {len(data.names)}"),
        Cell(table, domain, "ID3 & FSS-EBNA", *mean_std(after), note),
    ]


def _features(tree: TreeClassifier) -> int:
    return len({int(f) for f in tree.tree_.feature if f >= 0})
