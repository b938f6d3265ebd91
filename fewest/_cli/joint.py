"""``fewest joint``: how classifiers behave together."""

from __future__ import annotations

import json as plain_json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .._errors import InputError
from . import arguments as a
from .terminal import say

if TYPE_CHECKING:
    from .._joint.behaviour import JointBehaviour


#: The fourteen classifiers of the thesis, by name.
CLASSIC = "id3,c4.5,oc1,t2,naive-bayes,nb-tree,hoodg,ib1,ib4,pebls,table-majority,one-r,cn2,ripper"


def joint(
    data: Annotated[str, a.DATA],
    target: Annotated[str | None, a.TARGET] = None,
    types: Annotated[str | None, a.TYPES] = None,
    encoding: Annotated[str | None, a.ENCODING] = None,
    classifiers: Annotated[
        str,
        typer.Option(
            "--classifiers",
            "--estimators",
            help="Models by name, with parameters: t2,svc(C=10). `fewest measures` lists them.",
        ),
    ] = CLASSIC,
    scheme: Annotated[
        str, typer.Option(help="2:1 (one split), or a number of folds: every row is predicted.")
    ] = "2:1",
    score: Annotated[str, typer.Option(help="The score of networks: bic, k2 or bdeu.")] = "bic",
    search: Annotated[
        str,
        typer.Option(
            help="How networks are found: auto, exact (proven), genetic, climbing, or tests (of "
            "independence)."
        ),
    ] = "auto",
    max_parents: Annotated[
        int, typer.Option(help="Maximum arcs that lead to a classifier; 0 sets no limit.", min=0)
    ] = 3,
    repeats: Annotated[
        int, typer.Option(help="Networks learned from noise, and from bootstrap samples.", min=0)
    ] = 20,
    simplify: Annotated[
        str,
        typer.Option(help="Arcs to read: recover (half and what matters as much), half, or none."),
    ] = "recover",
    ensemble: Annotated[
        int | None, typer.Option(help="Also suggest an ensemble of N classifiers.")
    ] = None,
    seed: Annotated[int, a.SEED] = 0,
    jobs: Annotated[int | None, a.JOBS] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
) -> None:
    """Learn a Bayesian network over the predictions of classifiers on DATA, and read it."""
    from .._joint.behaviour import check_size, joint_behaviour
    from .._report.page import joint_page
    from .._report.text import describe_dataset
    from ..measures._models_by_name import named_estimator
    from . import objects as build
    from .running import check_outputs, write_outputs

    check_outputs(json, report)
    models = {name: named_estimator(name) for name in names_of(classifiers)}
    if ensemble is not None:
        check_size(ensemble, len(models))
    found = build.dataset(data, target, types, encoding)
    say(describe_dataset(found))
    behaviour = joint_behaviour(
        models,
        found.X,
        found.y,
        scheme=a.folds(scheme) if scheme != "2:1" else scheme,
        score=score,
        search=search,
        max_parents=max_parents or None,
        simplify=simplify,
        repeats=repeats,
        n_jobs=jobs,
        random_state=seed,
    )
    describe(behaviour, ensemble)
    if not write_outputs(
        ("joint behaviour", json, lambda: plain_json.dumps(behaviour.to_dict(), indent=1) + "\n"),
        ("report", report, lambda: joint_page(behaviour, found.name)),
    ):
        raise typer.Exit(1)


def names_of(text: str) -> list[str]:
    """Split names at commas; commas inside brackets belong to the parameters.

    >>> names_of("t2,k-nn(n_neighbors=3, weights='distance')")
    ['t2', "k-nn(n_neighbors=3, weights='distance')"]
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    names = [part.strip() for part in parts if part.strip()]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"`--classifiers` must name each model once, but names {twice!r} twice.")
    return names


def describe(found: JointBehaviour, ensemble: int | None) -> None:
    """Print what the network says."""
    from .._report.classifiers_together import joint_answer

    answer = joint_answer(found)
    say(f"\n{answer['headline']}")
    width = max(len(name) for name in found.names)
    for name, accuracy in zip(found.names, found.predictions.accuracy, strict=True):
        mark = "  original" if found.readings["hard"][name] else ""
        say(f"  {name:<{width}}  {accuracy:.4f}{mark}")
    for sentence in answer["sentences"]:
        say(sentence["text"])
    for warning in answer["warnings"]:
        say(f"{warning['title']}: {warning['text']}")
    if ensemble is not None:
        suggested = found.suggest_ensemble(ensemble)
        say(f"\nSuggested ensemble: {', '.join(suggested.members)}")
        for name, value in suggested.accuracy.items():
            say(f"  {name:<13}  {value:.4f}  (on rows that the choice has not seen)")
