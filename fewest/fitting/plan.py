"""Everything that a run needs, decided before its first score: fits and replays start from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..data.table import Table
from ..measures.base import Measure, Scorer
from ..run.conclude import chosen_mask
from ..run.journal import Journal
from ..run.loop import Outcome, Run
from ..run.safe import score_all_features
from ..run.stop import Stop
from ..run.versions import spelled
from ..search.base import Search
from ..search.spaces.base import Space
from ..seeds import streams


@dataclass(frozen=True, eq=False)
class Plan:
    """What is searched, how, by which measure, until when, and from which seed."""

    table: Table
    measure: Measure
    scorer: Scorer
    search: Search
    space: Space
    rules: tuple[Stop, ...]
    choose: object
    seed: int
    n_jobs: int | str | None = None
    notes: list[str] = field(default_factory=list)

    def run(self, *, journal: Journal | None = None, **options: Any) -> Outcome:
        """Run the search from its seed; ``options`` are those of the run, such as listeners."""
        settings: dict[str, Any] = {
            "stop": self.rules, "n_rows": self.table.n_rows, "n_jobs": self.n_jobs,
            "journal": journal,
        }  # fmt: skip
        _, for_search = streams(self.seed)
        run = Run(self.search, self.scorer, self.space, for_search, **settings, **options)
        outcome = run.go()
        if self.choose == "safe":
            score_all_features(outcome.archive, self.scorer)
        return outcome

    def chosen(self, outcome: Outcome) -> NDArray[np.bool_]:
        """The subset that a run of this plan ends with."""
        return chosen_mask(outcome, self.search, self.scorer, self.choose)

    def told(self, outcome: Outcome) -> dict[str, Any]:
        """What else the result should tell of a run of this plan."""
        del outcome
        return {}

    def on_table(self, table: Table) -> Self:
        """The same plan for other rows: the measure makes its folds anew."""
        for_folds, _ = streams(self.seed)
        return replace(self, table=table, scorer=self.measure.bind(table, for_folds))

    @property
    def identity(self) -> dict[str, Any]:
        """What makes two runs the same run."""
        return {
            "data": self.table.fingerprint,
            "rows": self.table.n_rows,
            "search": spelled(self.search),
            "measure": spelled(self.measure),
            "space": spelled(self.space),
            "space_kind": self.space.kind,
            "stop": [repr(rule) for rule in self.rules],
            "seed": self.seed,
            "version": __version__,
        }

    @property
    def header(self) -> dict[str, Any]:
        """The first line of a journal of this plan."""
        return {**self.identity, **self.space.layout(self.table.names)}
