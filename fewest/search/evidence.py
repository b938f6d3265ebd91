"""What the study of the manual found of a search, for the note of ``search="auto"``."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Any


@lru_cache(maxsize=1)
def evidence() -> dict[str, Any]:
    """Tables, and gain, share and stability by search; ``python -m benchmarks.study`` writes it.

    >>> sorted(evidence())
    ['methods', 'rows', 'tables']
    """
    found: dict[str, Any] = json.loads(
        (resources.files("fewest.search") / "evidence.json").read_text(encoding="utf-8")
    )
    return found


def quoted(name: str) -> str:
    """What a search gained in the study, in a sentence; nothing for one that was not in it.

    >>> quoted("exhaustive")
    ''
    """
    told, methods = evidence(), evidence()["methods"]
    if name not in methods:
        return ""
    own = methods[name]
    text = (
        f" In a study of {told['tables']} tables with naive Bayes it gained {own['gain']:+.1f} "
        f"points over all features and kept {own['share']:.0%} of them (stability "
        f"{own['stability']:.2f})."
    )
    if "consensus" in methods:
        agreed = methods["consensus"]
        text += (
            f' `search="sfs", consensus=20, choose="half-se"` gained {agreed["gain"]:+.1f} with '
            f"{agreed['share']:.0%} ({agreed['stability']:.2f}), in the time of 20 searches."
        )
    return text
