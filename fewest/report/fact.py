"""One thing that a result says, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fact:
    """One thing that a result says.

    Parameters
    ----------
    kind : str
        What it is about: ``"selection"``, ``"honest"``, ``"difference"``, ...
    label : str
        A word or two to put before it.
    value : str
        The figure, where it has one.
    text : str
        Full sentences that stand on their own beside the label.
    """

    kind: str
    label: str
    value: str
    text: str

    def sentence(self) -> str:
        """The figure, where there is one, and the text.

        >>> Fact("honest", "Honest accuracy", "91.0 %", "Expect this.").sentence()
        '91.0 %. Expect this.'
        """
        return f"{self.value}. {self.text}" if self.value else self.text
