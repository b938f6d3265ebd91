"""What the study of the manual found of a search, for the note of ``search="auto"``."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any


@lru_cache(maxsize=1)
def evidence() -> dict[str, Any]:
    """Gain, share and stability by search, on tables with few rows and with many.

    ``python -m benchmarks.study`` writes it.

    >>> sorted(evidence())
    ['few', 'few_rows', 'many', 'rows']
    """
    found: dict[str, Any] = json.loads(
        (resources.files("fewest.search") / "evidence.json").read_text(encoding="utf-8")
    )
    return found


def quoted(name: str, n_rows: int) -> str:
    """What a search gained on the tables of the study that are like this one, in a sentence.

    Nothing for a search that was not in the study.

    >>> quoted("exhaustive", 100)
    ''
    """
    told = evidence()
    few = n_rows < told["few_rows"]
    kind = told["few" if few else "many"]
    tables, methods = kind["tables"], kind["methods"]
    if name not in methods:
        return ""
    own = methods[name]
    text = (
        f" In a study of {tables} tables with {'fewer than' if few else 'at least'} "
        f"{told['few_rows']} rows, with naive Bayes, it gained {own['gain']:+.1f} points over all "
        f"features and kept {own['share']:.0%} of them (stability {own['stability']:.2f})."
    )
    if "consensus" in methods:
        agreed = methods["consensus"]
        text += (
            f' `search="sfs", consensus=20, choose="half-se"` gained {agreed["gain"]:+.1f} with '
            f"{agreed['share']:.0%} ({agreed['stability']:.2f}), in the time of 20 searches."
        )
    return text
