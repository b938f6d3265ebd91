"""How the documentation is built: `make docs`."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
os.environ.setdefault("MPLBACKEND", "Agg")

import generate  # noqa: E402  (beside this file)

import fewest  # noqa: E402

generate.write(HERE / "generated")


def bars(app, what, name, obj, options, lines):
    """Let docstrings write the size of a set as |S|, which would be a substitution otherwise."""
    for i, line in enumerate(lines):
        if "|" in line and not line.lstrip().startswith((">>>", "...")):
            lines[i] = line.replace("|", r"\|")


def setup(app):
    app.connect("autodoc-process-docstring", bars, priority=1)


project = "fewest"
author = "The fewest developers"
copyright = author
release = version = fewest.__version__
language = "en"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "generated/*.txt"]
templates_path = ["_templates"]
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "none"
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"plot_",
    "abort_on_example_error": True,
    "image_scrapers": ("gallery",),
    "download_all_examples": False,
    "show_memory": False,
    "remove_config_comments": True,
    "within_subsection_order": "FileNameSortKey",
    "default_thumb_file": str(HERE / "_static" / "fewest.svg"),
}

html_theme = "furo"
html_title = f"fewest {release}"
html_static_path = ["_static"]
html_css_files = ["fewest.css"]
html_copy_source = False
html_show_sphinx = False
