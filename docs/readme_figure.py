"""Make the figure of the README again: `python docs/readme_figure.py`."""

import runpy
from pathlib import Path

HERE = Path(__file__).parent

names = runpy.run_path(str(HERE.parent / "examples" / "plot_2_noise.py"))
names["figure"].savefig(HERE / "_static" / "noise.png", dpi=100)
