"""Marks of significance: which methods differ from the one that a table compares them with."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.stats import ttest_ind

from fewest._validation.significance import f_test_5x2cv

from .experiment import Cell

#: Below these p values a figure is marked: † and *.
DAGGER_P, STAR_P = 0.05, 0.1


def significance(
    cells: Sequence[Cell],
    table: str,
    reference: str,
    into: str | None = None,
    independent: bool = False,
) -> list[Cell]:
    """Return the marks of a table, from the values of its figures that each mean is made of.

    2 means † (p < 0.05), 1 means * (p < 0.1), 0 no mark.

    Parameters
    ----------
    cells : the figures found
    table : str
    reference : str
        A method, or ``"highest"`` or ``"lowest"`` mean of the domain.
    into : str, optional
        The table of the marks; by default ``"TABLE marks"``.
    independent : bool
        Whether the values are of independent runs, which Welch's t test compares; others are
        the ten of a 5×2cv, which the F test compares.

    Examples
    --------
    >>> scores = [0.9, 0.8] * 5
    >>> one = Cell("6.2", "D", "SFS", 85.0, each=scores)
    >>> two = Cell("6.2", "D", "FSS-EBNA", 85.0, each=scores)
    >>> [cell.here for cell in significance([one, two], "6.2", "FSS-EBNA")]
    [0.0]
    """
    found = []
    own = [cell for cell in cells if cell.table == table and cell.each and not cell.reading]
    for domain in dict.fromkeys(cell.domain for cell in own):
        here = [cell for cell in own if cell.domain == domain]
        best = _compared_with(here, reference)
        for cell in here:
            if best is not None and cell.method != reference:
                p = 1.0 if cell is best else _p_value(best.each, cell.each, independent)
                mark = 2.0 if p < DAGGER_P else 1.0 if p < STAR_P else 0.0
                name = into or f"{table} marks"
                found.append(Cell(name, domain, cell.method, mark, note=f"p = {p:.2f}"))
    return found


def _compared_with(cells: Sequence[Cell], reference: str) -> Cell | None:
    if reference == "highest":
        return max(cells, key=lambda cell: cell.here)
    if reference == "lowest":
        return min(cells, key=lambda cell: cell.here)
    return next((cell for cell in cells if cell.method == reference), None)


def _p_value(a: Sequence[float], b: Sequence[float], independent: bool) -> float:
    if list(a) == list(b):
        return 1.0
    if independent or len(a) != 10 or len(b) != 10:
        return float(ttest_ind(a, b, equal_var=False).pvalue)
    return f_test_5x2cv(a, b)
