"""``fewest network``: learn a Bayesian network from a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import arguments as a


def network(
    data: Annotated[str, a.DATA],
    search: Annotated[
        str,
        typer.Option(
            "--search",
            "-s",
            help="auto, exact, hill-climbing, tabu, annealing, genetic, ga-order, climb-order, "
            "plackett-luce or random.",
        ),
    ] = "auto",
    score: Annotated[str, typer.Option(help="k2, bic or bdeu.")] = "bic",
    max_parents: Annotated[
        int, typer.Option(min=0, help="The largest number of parents of a variable.")
    ] = 4,
    discretise: Annotated[
        str, typer.Option(help="How continuous columns are cut: frequency or width.")
    ] = "frequency",
    bins: Annotated[int, typer.Option(min=2, help="Intervals of a continuous column.")] = 4,
    nominal: Annotated[str | None, a.NOMINAL] = None,
    seed: Annotated[int, a.SEED] = 0,
    max_time: Annotated[str | None, typer.Option(help="Like 60s or 5m.")] = None,
    journal: Annotated[
        Path | None, typer.Option(help="Save every score in this file (searches over orderings).")
    ] = None,
    jobs: Annotated[int | None, a.JOBS] = None,
    bif: Annotated[Path | None, typer.Option(help="Write the network to this BIF file.")] = None,
    json: Annotated[Path | None, a.JSON] = None,
    report: Annotated[Path | None, a.REPORT] = None,
    options: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter of the search: population=500.")
    ] = None,
) -> None:
    """Learn a Bayesian network over all columns of DATA."""
    from ..data.discretise import Discretiser
    from ..models.networks.bif import bif_text
    from ..network import NetworkLearner
    from ..report.network_text import describe_network
    from ..run.stop import Seconds
    from . import build
    from .outputs import check_outputs, write_outputs
    from .terminal import say

    check_outputs(json, report)
    found = build.dataset(data, None)
    limit = a.seconds(max_time)
    learner = NetworkLearner(
        build.search(search, options) if options else search,
        score=score,
        max_parents=max_parents,
        discretiser=Discretiser(method=discretise, bins=bins),
        stop="auto" if limit is None else ["auto", Seconds(limit)],
        n_jobs=jobs,
        journal=journal,
        random_state=seed,
    )
    frame = found.frame()
    learner.fit(frame, nominal=a.words(nominal))
    say(describe_network(learner.network_, learner.result_))

    def page() -> str:
        from ..report.network_page import network_page

        facts = learner.facts(frame, random_state=seed)
        return network_page(learner.network_, learner.result_, facts, found.name)

    written = write_outputs(
        ("network", bif, lambda: bif_text(learner.network_)),
        ("result", json, learner.result_.to_json),
        ("report", report, page),
    )
    if not written:
        raise typer.Exit(1)
