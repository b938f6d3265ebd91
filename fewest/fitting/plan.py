"""Everything that a run needs, decided before its first score: fits and replays start from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.table import Table
from ..measures.base import Measure, Scorer
from ..run.conclude import chosen_mask
from ..run.loop import Outcome, Run
from ..run.stop import Stop
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
    n_jobs: int | None = None
    notes: list[str] = field(default_factory=list)

    def run(self, **options: Any) -> Outcome:
        """Run the search from its seed; ``options`` are those of the run (journal, listeners)."""
        settings: dict[str, Any] = {
            "stop": self.rules, "n_rows": self.table.n_rows, "n_jobs": self.n_jobs,
        }  # fmt: skip
        _, for_search = streams(self.seed)
        return Run(self.search, self.scorer, self.space, for_search, **settings, **options).go()

    def chosen(self, outcome: Outcome) -> NDArray[np.bool_]:
        """The subset that a run of this plan ends with."""
        return chosen_mask(outcome, self.search, self.scorer, self.choose)
