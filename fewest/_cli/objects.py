"""From options to objects: data set, measure, search, selector."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._errors import InputError, nearest_names
from . import arguments

if TYPE_CHECKING:
    from .._subset_selector import SubsetSelector
    from ..data import Dataset
    from ..measures._measure import Measure
    from ..search._search import Search
    from .options import SelectOptions


def checked(o: SelectOptions) -> Dataset:
    """Return the data, once all that can be checked without scoring a subset is checked."""
    from .._fitting.consensus import check_consensus
    from .._run.execute import check_workers
    from .._validation.schemes import check_way, scheme_shape
    from ..measures._wrappers.refusals import check_scorer
    from .running import check_outputs

    check_outputs(o.json, o.report)
    check_scorer(o.scoring)
    check_workers(o.jobs)
    arguments.seconds(o.max_time)
    arguments.folds(o.cv)
    check_way(o.way)
    check_consensus(arguments.value(o.consensus))
    scheme_shape(o.scheme)
    data = dataset(o.data, o.target, o.types, o.encoding, o.task, o.memory)
    for option in ("include", "exclude"):
        if data.target in (arguments.words(getattr(o, option)) or ()):
            raise InputError(f"`--{option}` must name features, but {data.target!r} is the target.")
    if o.validates and o.estimator is not None:
        check_estimator(o.estimator, data)
    return data


def check_estimator(name: str, data: Dataset) -> None:
    """Refuse a name that is none, and a classifier for numbers or a regressor for classes."""
    from sklearn.base import is_classifier

    from ..measures._models_by_name import named_estimator

    classes = data.table().classes is not None
    if is_classifier(named_estimator(name)) != classes:
        kind, target = ("classifier", "classes") if classes else ("regressor", "numbers")
        raise InputError(
            f"`--estimator` must be a {kind}, because the target {data.target!r} has {target}, "
            f"but is {name!r}."
        )


def dataset(
    name: str,
    target: str | None,
    types: str | None = None,
    encoding: str | None = None,
    task: str | None = None,
    memory: str | None = None,
) -> Dataset:
    """Load the data set behind a path or a name; ``task`` says what its target is for."""
    from .. import load
    from ..data._as_table import checked_task
    from ..data._columns import is_unknown

    task = checked_task(task)
    kinds = arguments.types(types)
    data = load(name, target=target, types=kinds, encoding=encoding, memory=memory)
    known = getattr(data, "y", None)
    if target is None and hasattr(data, "task") and known is not None:
        unknown = sum(is_unknown(label) for label in known.tolist())
        if unknown:
            raise InputError(
                f"Without --target the last column is the target, and {data.target!r} is unknown "
                f"in {unknown} of {len(known)} rows; name the target, with --target "
                f"{data.target!r} if it is this one."
            )
    return replace(data, task=task) if task is not None and hasattr(data, "task") else data


#: Options that name a column which describes the rows, by what it is for.
ROW_OPTIONS = {"groups": "--group-by", "time": "--time", "sample_weight": "--weight"}


def with_rows(o: SelectOptions, data: Dataset) -> tuple[Dataset, dict[str, Any]]:
    """Return the data without the columns that describe rows, and these as ``fit`` takes them."""
    named = {"groups": o.group_by, "time": o.time, "sample_weight": o.weight}
    columns = {name: column for name, column in named.items() if column is not None}
    if not columns:
        return data, {}
    from ..data._engine.open import is_stored

    if is_stored(data.X):
        raise InputError(
            "`--group-by`, `--time` and `--weight` need the rows in memory, but they stay where "
            "they are: load a sample of them."
        )
    for name, column in columns.items():
        _check_column(ROW_OPTIONS[name], column, data)
    if "groups" in columns and "time" in columns:
        raise InputError("`--group-by` and `--time` cannot be given together: leave one out.")
    given = {name: data.column(column) for name, column in columns.items()}
    for name, wanted in (("time", "numbers or dates"), ("sample_weight", "numbers")):
        if name in given and given[name].dtype == object:
            raise InputError(
                f"`{ROW_OPTIONS[name]}` must name a column of {wanted}, but {columns[name]!r} has "
                f"labels, such as {given[name][0]!r}."
            )
    return data.without(tuple(columns.values())), given


def _check_column(option: str, column: str, data: Dataset) -> None:
    """Refuse a name that is no feature, with the names that are near it."""
    if column in data.names:
        return
    near = nearest_names(column, data.names, loosely=True)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else "."
    what = "is the target." if column == data.target else f"is none{hint}"
    raise InputError(f"`{option}` must name a column of the table, but {column!r} {what}")


def for_fit(o: SelectOptions, rows: dict[str, Any]) -> dict[str, Any]:
    """Return what the measure reads of the rows; a filter has no folds, its validation has."""
    folds = measure(o.measure, o.classifier, o.cv, o.scoring)
    filters = not isinstance(folds, str) and folds.estimator is None
    return {name: rows[name] for name in rows if not filters or name == "sample_weight"}


def measure(name: str, classifier: str | None, cv: str, scoring: str | None) -> Measure | str:
    """Return the measure by name, with its classifier if any; ``auto`` waits for the data."""
    if name == "auto" and classifier is None:
        return name
    if name == "auto":
        raise InputError("`--classifier` goes with mdl and mdl-fs: add --measure mdl-fs.")
    from ..measures._measure_names import resolve_measure

    found = resolve_measure(name, cv=arguments.folds(cv), scoring=scoring)
    if classifier is not None:
        if "classifier" not in found.get_params(deep=False):
            raise InputError(f"`--classifier` goes with mdl and mdl-fs, but the measure is {name}.")
        found.set_params(classifier=classifier)
    return found


def search(name: str, options: list[str] | None) -> Any:
    """Return the search by name, with its parameters set."""
    given = arguments.settings(options)
    if name in ("auto", "guidelines") and not given:
        return name
    from ..search._auto import Guidelines
    from ..search._search_names import search_class

    cls: Any = Guidelines if name == "guidelines" else search_class(name)
    try:
        found = cls(**given)
    except TypeError:
        known = ", ".join(sorted(field.name for field in fields(cls))) or "none"
        raise InputError(
            f"`--set` names a parameter that the search {name} does not have; it has: {known}."
        ) from None
    found.check_parameters()
    return found


def network_search(name: str, options: list[str] | None) -> Search | str:
    """Return the search for a network by its short or long name, with its parameters set."""
    from ..networks._runs import STRUCTURE_SEARCHES

    if options and name == "auto":
        raise InputError("`--set` goes with a search that is named: add --search iterated-tabu.")
    return search(STRUCTURE_SEARCHES.get(name, name), options) if options else name


def findable(data: str) -> str:
    """Return a path that leads to the data from every folder; a name stays as it is."""
    from ..data._engine.open import looks_stored

    return str(Path(data).resolve()) if Path(data).exists() or looks_stored(data) else data


def stop_rules(o: SelectOptions, budget: float | None) -> Any:
    """Return the rules of ``--max-time``, ``--max-evaluations`` and ``--max-generations``."""
    from .._run.stop_rules import Evaluations, Generations, Seconds

    rules: list[Any] = []
    if budget is not None:
        rules.append(Seconds(budget))
    if o.max_evaluations is not None:
        rules.append(Evaluations(o.max_evaluations))
    if o.max_generations is not None:
        return [*rules, Generations(o.max_generations)]
    return [*rules, "auto"]


def selector(o: SelectOptions, budget: float | None = None, **more: Any) -> SubsetSelector:
    """Return the selector of the options ``o`` of ``fewest select``."""
    from .._subset_selector import SubsetSelector

    return SubsetSelector(
        measure=measure(o.measure, o.classifier, o.cv, o.scoring),
        search=search(o.search, o.options),
        cv=arguments.folds(o.cv),
        scoring=o.scoring,
        racing=o.racing,
        screen=o.screen,
        stop=stop_rules(o, budget),
        choose=arguments.value(o.choose),
        consensus=arguments.value(o.consensus),
        include=arguments.words(o.include),
        exclude=arguments.words(o.exclude),
        groups=arguments.groups(arguments.renamed_groups(o.groups, o.feature_groups)),
        costs=arguments.costs(o.costs),
        budget=o.budget,
        min_features=o.min_features,
        max_features=o.max_features,
        n_jobs=o.jobs,
        random_state=o.seed,
        refit=False,
        **more,
    )
