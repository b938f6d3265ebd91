"""``fewest network``: learn a Bayesian network from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._errors import InputError
from . import arguments as a
from .options import NetworkOptions, command
from .running import check_outputs, in_order, recording, shows, write_outputs
from .terminal import complain, say

if TYPE_CHECKING:
    from .._interrupts import Interrupts
    from ..networks._learner import NetworkLearner
    from ..networks._network_facts import NetworkFacts


def run(o: NetworkOptions) -> None:
    """Learn with the options ``o``, print, write; also what ``fewest resume`` calls."""
    in_order(lambda interrupts: _run(o, interrupts))


network = command(NetworkOptions, run, "Learn a Bayesian network over all columns of DATA.")


def fingerprint(o: NetworkOptions) -> str:
    """Return what distinguishes the data of a run from all others."""
    from ..networks._discrete_rows import DiscreteFrame

    frame = _dataset(o).frame()
    _, table = DiscreteFrame.learn(frame, _discretiser(o), a.words(o.nominal))
    return table.fingerprint


def _dataset(o: NetworkOptions) -> Any:
    """Load the table; its last column is a variable as the others are, and may have unknowns."""
    from .. import load

    return load(o.data, types=a.types(o.types), encoding=o.encoding)


def _run(o: NetworkOptions, interrupts: Interrupts) -> int:
    from .._interrupts import INTERRUPTED_EXIT_CODE
    from .._report.network_report import describe_network, network_page
    from ..networks._bif import bif_text

    check_outputs(o.json, o.report)
    learner = _learner(o)
    found = _dataset(o)
    frame = found.frame()
    learner.fit(frame, nominal=a.words(o.nominal))
    result = learner.result_
    result.settings["command"] = {k: v for k, v in o.to_dict().items() if v is not None}
    facts = _facts(o, learner, frame, interrupts)
    interrupts.hold()
    say(describe_network(learner.network_, result))
    outputs: list[Any] = [
        ("network", o.bif, lambda: bif_text(learner.network_)),
        ("result", o.json, result.to_json),
    ]
    if facts is not None:
        page = network_page(learner.network_, result, facts, found.name)
        outputs.append(("report", o.report, lambda: page))
    written = write_outputs(*outputs)
    if interrupts.seen or result.stop_kind == "interrupt":
        return INTERRUPTED_EXIT_CODE
    return 0 if written else 1


def _facts(
    o: NetworkOptions, learner: NetworkLearner, frame: Any, interrupts: Interrupts
) -> NetworkFacts | None:
    """Return what the report shows beside the network, which takes further searches."""
    from .._interrupts import whole_runs_only

    if o.report is None:
        return None
    try:
        if not interrupts.seen:
            with whole_runs_only():
                return learner.facts(frame, random_state=o.seed)
    except KeyboardInterrupt:
        pass
    complain("The run was interrupted: there is no report; `fewest resume --report` writes it.")
    return None


def _learner(o: NetworkOptions) -> NetworkLearner:
    from .._run.stop_rules import Seconds
    from ..networks._learner import NetworkLearner
    from . import objects as build

    limit = a.seconds(o.max_time)
    return NetworkLearner(
        build.network_search(o.search, o.options),
        score=_score(o),
        max_parents=o.max_parents,
        discretiser=_discretiser(o),
        stop="auto" if limit is None else ["auto", Seconds(limit)],
        n_jobs=o.jobs,
        journal=recording(o),
        random_state=o.seed,
        verbose=int(shows(o)),
    )


def _score(o: NetworkOptions) -> Any:
    """Return the score by its name; that of Hsu (2004) with its parameters."""
    from ..networks._inferential_loss import InferentialLoss

    if o.score != "inferential-loss":
        given = {"--evidence": o.evidence, "--queries": o.queries,
                 "--inference": None if o.inference == "auto" else o.inference}  # fmt: skip
        for option, value in given.items():
            if value is not None:
                raise InputError(f"`{option}` goes with --score inferential-loss: add that.")
        return o.score
    evidence = a.words(o.evidence)
    return InferentialLoss(evidence=evidence, n_queries=o.queries, inference=o.inference)


def _discretiser(o: NetworkOptions) -> Any:
    from ..data._discretise import Discretiser

    return Discretiser(method=o.discretise, bins=o.bins)
