"""Small changes to a module: another comparison, sign, number or connective."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_LEFT_OUT = (ast.FunctionDef, ast.ClassDef, ast.Raise, ast.Assert, ast.JoinedStr)


@dataclass(frozen=True)
class Change:
    """One expression of a function that is replaced by another."""

    function: int  # the line on which the function, or the first of its decorators, begins
    line: int
    before: str
    after: str
    start: int  # in the text, in bytes
    end: int

    def apply(self, text: str) -> str:
        """Return the text of the module with the change."""
        data = text.encode()
        return (data[: self.start] + f"({self.after})".encode() + data[self.end :]).decode()


def changes(text: str) -> list[Change]:
    """Return all changes to the bodies and defaults of the functions of a module."""
    offsets = [0]
    for line in text.encode().splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    found = []
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
            for node in _expressions(function):
                found += [_change(first, node, other, offsets) for other in _others(node)]
    return found


def _change(function: int, node: ast.expr, other: ast.expr, offsets: list[int]) -> Change:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return Change(
        function, node.lineno, ast.unparse(node), ast.unparse(other),
        offsets[node.lineno - 1] + node.col_offset,
        offsets[node.end_lineno - 1] + node.end_col_offset,
    )  # fmt: skip


def _expressions(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield what a function computes: no types, words, errors, inner functions or checks by zip."""
    waiting: list[ast.AST] = [*function.body, *function.args.defaults]
    waiting += [default for default in function.args.kw_defaults if default is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _LEFT_OUT) or (isinstance(node, ast.keyword) and node.arg == "strict"):
            continue
        if isinstance(node, ast.AnnAssign):
            waiting += [node.value] if node.value else []
            continue
        if isinstance(node, ast.expr):
            yield node
        waiting.extend(ast.iter_child_nodes(node))


def _others(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an expression may be changed to."""
    other = copy.deepcopy(node)
    if isinstance(other, ast.Compare) and len(other.ops) == 1:
        other.ops = [_COMPARISONS[type(other.ops[0])]()]
        yield other
    elif isinstance(other, ast.BinOp) and type(other.op) in _OPERATORS and not _textual(other):
        other.op = _OPERATORS[type(other.op)]()
        yield other
    elif isinstance(other, ast.BoolOp):
        other.op = ast.And() if isinstance(other.op, ast.Or) else ast.Or()
        yield other
    elif isinstance(other, ast.UnaryOp) and isinstance(other.op, ast.Not | ast.USub):
        yield other.operand
    elif isinstance(other, ast.Constant) and type(other.value) is bool:
        yield ast.Constant(not other.value)
    elif isinstance(other, ast.Constant) and type(other.value) in (int, float):
        yield ast.Constant(other.value + 1 if abs(other.value) < 2 else other.value * 2)


def _textual(node: ast.BinOp) -> bool:
    """Return whether an operator joins words or unites types."""
    return any(
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and (part.value is None or isinstance(part.value, str)))
        for part in ast.walk(node)
    )
