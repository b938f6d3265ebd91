"""The figures of the examples: they are returned, not shown, so they are looked up by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst


def _get_sg_image_scraper() -> Callable[..., str]:
    return save_new_figures


def save_new_figures(block: Any, names: dict[str, Any], settings: dict[str, Any]) -> str:
    """Save the figures that this block of an example made, and return the text that shows them."""
    paths = []
    for value in names["example_globals"].values():
        if isinstance(value, Figure) and not hasattr(value, "_in_gallery"):
            value._in_gallery = True
            paths.append(next(names["image_path_iterator"]))
            value.savefig(paths[-1], dpi=110)
    return figure_rst(paths, settings["src_dir"])
