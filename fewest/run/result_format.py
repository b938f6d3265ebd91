"""What a saved result must hold; anything else is named with its field."""

from __future__ import annotations

import dataclasses
from typing import Any, get_type_hints

from ..errors import InputError, brief
from .shapes import check_fields

Plain = dict[str, Any]
#: What the report reads of each entry; entries may hold more.
HISTORY: Plain = {
    "generation": int, "evaluations": int, "best": float, "mean": float, "std": float,
    "mean_size": float, "best_so_far": float, "best_size": int,
}  # fmt: skip
SUBSET: Plain = {
    "features": list[int], "value": float, "size": int, "cost": float, "generation": int,
    "std": float,
}  # fmt: skip
NETWORK: Plain = {"names": list[str], "arcs": list[list[int]], "rows": int}
#: What every validation has.
HONEST: Plain = {
    "accuracy": float, "std": float, "scores": list[float], "baseline": float,
    "baseline_std": float, "baseline_scores": list[float], "p_value": float, "sizes": list[int],
    "supports": list[list[bool]], "stability": float, "stabilities": dict[str, float],
    "scheme": str, "test": str, "metric": str,
}  # fmt: skip


def check_format(plain: Plain, newest: int, where: str) -> None:
    """Refuse a format that this version does not know."""
    found = plain.get("format")
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise InputError(f"`format` in {where} must be a whole number, but is {brief(found)}.")
    if found > newest:
        raise InputError(
            f"{where} was written by a newer fewest ({plain.get('version')}): upgrade to read it."
        )


def check_result(plain: Plain, cls: type, where: str) -> None:
    """Refuse the plain data of a result that do not have the fields of ``cls``."""
    fields = [f for f in dataclasses.fields(cls) if f.name in plain or _is_needed(f)]
    check_fields(plain, get_type_hints(cls), [f.name for f in fields], where)
    names, support = plain["names"], plain["support"]
    if len(support) != len(names) or not all(isinstance(bit, bool) for bit in support):
        raise InputError(f"`support` in {where} must be true or false for each of its names.")
    if plain["features"] != [name for name, bit in zip(names, support, strict=True) if bit]:
        raise InputError(f"`features` in {where} must be the names that `support` marks.")
    for name, shape in (("history", HISTORY), ("archive", SUBSET), ("front", SUBSET)):
        for i, entry in enumerate(plain.get(name, [])):
            check_fields(entry, shape, set(shape) - {"std"}, f"`{name}[{i}]` of {where}")
    for entry in [*plain["archive"], *plain.get("front", [])]:
        if not all(0 <= j < len(names) for j in entry["features"]):
            raise InputError(f"`archive` in {where} must point to its {len(names)} names.")
    _check_shares(plain["history"], len(names), where)
    _check_honest(plain.get("honest"), len(names), where)
    _check_extra(plain.get("extra", {}), where)


def _is_needed(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _check_shares(history: list[Plain], n: int, where: str) -> None:
    for i, entry in enumerate(history):
        shares = entry.get("frequency", [0.0] * n)
        check_fields({"frequency": shares}, {"frequency": list[float]}, (), where)
        if len(shares) != n or None in shares:
            raise InputError(f"`history[{i}].frequency` in {where} must have {n} numbers.")


def _check_honest(honest: Plain | None, n: int, where: str) -> None:
    if honest is None:
        return
    check_fields(honest, HONEST, HONEST, f"`honest` of {where}")
    folds = len(honest["scores"])
    rows = honest["supports"]
    same = {folds, len(honest["baseline_scores"]), len(honest["sizes"]), len(rows)} == {folds}
    if folds < 2 or not same or any(len(row) != n for row in rows):
        raise InputError(f"`honest` in {where} must have one entry per fold in all its lists.")


def _check_extra(extra: Plain, where: str) -> None:
    network = extra.get("network")
    if network is None:
        return
    inside = f"`extra.network` of {where}"
    check_fields({"network": network}, {"network": dict[str, Any]}, (), inside)
    check_fields(network, NETWORK, NETWORK, inside)
    ends = [end for arc in network["arcs"] for end in arc]
    if any(len(arc) != 2 for arc in network["arcs"]) or not all(
        0 <= end < len(network["names"]) for end in ends
    ):
        raise InputError(f"`arcs` in {inside} must be pairs that point to its names.")
