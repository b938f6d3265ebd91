"""What is said when no subset under the constraints reaches the threshold."""

from __future__ import annotations

from ..errors import InputError
from .monotone import Monotone


def hopeless(monotone: Monotone) -> InputError:
    """The sentence for a threshold out of reach."""
    return InputError(
        "No subset under these constraints reaches the threshold "
        f"{monotone.threshold:.6g}: allow more features (`max_features`, `budget`, `exclude`), "
        "or lower the threshold."
    )
