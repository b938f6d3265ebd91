"""Every setting, seed and version that is needed to repeat a result."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._run.result import Result
    from .._run.result_format import HonestFigures
    from .._validation.comparison import Comparison
    from .._validation.validation import Validation


#: Options that say where to write or what to show, not what to find.
_ASIDE = {"json", "report", "journal", "quiet", "details", "format", "data", "verb"}
#: Options whose name on the command line is another.
_SPELLED = {"options": "--set"}
#: Values that are there anyway, so that the command stays short.
_DEFAULTS: dict[str, Any] = {
    "min_features": 0, "choose": "fewest", "cv": "auto", "validate": "auto", "scheme": "auto",
    "values": "levels", "neighbors": 1, "no_validate": False, "search": "auto", "seed": 0,
    "measure": "auto", "consensus": "auto", "racing": False,
}  # fmt: skip
#: What version 0.1 called the same.
_OLD_DEFAULTS: dict[str, Any] = {"cv": "seeds", "validate": True}
#: Settings by the words that a person would use for them.
_WORDS = {"data": "data fingerprint", "space": "subsets allowed", "stop": "stop rules"}


def command_line(command: dict[str, Any] | None, verb: str = "select") -> str:
    """Return the command that repeats the run, where it came from the command line.

    >>> command_line({"data": "my data.csv", "seed": 1, "validate": "none", "options": ["a=1"]})
    "fewest select 'my data.csv' --seed 1 --validate none --set a=1"
    """
    if not command or not command.get("data"):
        return ""
    words = ["fewest", str(command.get("verb", verb)), str(command["data"])]
    for name, value in command.items():
        if name in _ASIDE or value in (None, _DEFAULTS.get(name), _OLD_DEFAULTS.get(name)):
            continue
        flag = _SPELLED.get(name, "--" + name.replace("_", "-"))
        if isinstance(value, bool):
            words.append(flag if value else "--no-" + flag[2:])
        else:
            for part in value if isinstance(value, list) else [value]:
                words += [flag, str(part)]
    return shlex.join(words)


def settings_rows(result: Result) -> list[tuple[str, str]]:
    """Name and value of everything that went into the result, and how the run went."""
    settings = {k: v for k, v in result.settings.items() if k not in ("command", "versions")}
    rows = {
        "fewest": result.version,
        "search": settings.pop("search", result.search),
        "measure": settings.pop("measure", result.measure),
        "seed": result.seed,
        "stopped": result.stopped,
        "subsets scored": f"{result.evaluations:,} in {result.generations:,} generations or steps",
        "seconds": f"{result.seconds:.2f}",
    }
    skip = {"seed", "version"}
    named = {_WORDS.get(k, k.replace("_", " ")): v for k, v in settings.items() if k not in skip}
    rows |= {k: v for k, v in named.items() if v not in (None, [], {})}
    rows |= _validated(result.honest)
    rows |= {f"note {i + 1}": note for i, note in enumerate(result.notes)}
    rows |= result.settings.get("versions") or {}
    return [(name, _words(value)) for name, value in rows.items()]


def _validated(honest: HonestFigures | None) -> dict[str, Any]:
    if honest is None:
        return {"validation": "none"}
    judged = honest.get("settings", {}).get("estimator")
    return {
        "validation": f"{honest['scheme']}, {honest['metric']}, seed {honest['seed']}",
        **({} if judged is None else {"validated with": judged}),
        "test": f"{honest['test']}, p = {honest['p_value']:.4g}",
        "stability": honest["stabilities"],
    }


def comparison_rows(comparison: Comparison) -> list[tuple[str, str]]:
    """Return the same for a comparison: what the methods share, then what is their own."""
    done = comparison.validations
    first = next(iter(done.values()))
    shared = {k: v for k, v in first.settings.items() if _agree(done, k)}
    rows: dict[str, Any] = {
        "fewest": shared.pop("fewest", None),
        "scheme": f"{first.scheme}, {len(first.scores)} external folds",
        "metric": first.metric,
        "test": first.test,
        "seed": first.seed,
    }
    last = shared.pop("versions", {})
    rows |= {_WORDS.get(k, k): v for k, v in shared.items()}
    for name, validation in done.items():
        own = {k: v for k, v in validation.settings.items() if v and not _agree(done, k)}
        rows[f"method {name}"] = "; ".join(
            f"{_WORDS.get(k, k)}: {_words(v)}" for k, v in own.items()
        )
    rows |= last
    return [(name, _words(value)) for name, value in rows.items() if value not in (None, [], "")]


def _agree(done: dict[str, Validation], key: str) -> bool:
    values = [v.settings.get(key) for v in done.values()]
    return all(value == values[0] for value in values)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k} {_words(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_words(v) for v in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)
