"""Experiments of the five documents: ``python -m papers inza2000``."""

import sys

import typer

from fewest import InputError

from .command import reproduce

app = typer.Typer(add_completion=False)
app.command()(reproduce)

if __name__ == "__main__":
    try:
        app()
    except InputError as error:
        sys.exit(str(error))
