"""Mistakes of a first day, each with the sentence that it gets."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier

import fewest
from fewest import SubsetSelector
from fewest._cli import main
from tests.cli.calls import write_iris

TEXT = Path(__file__).with_name("mistakes.txt").read_text(encoding="utf-8")
MISTAKES = re.findall(r"^(\$ fewest|>>>) (.+)\n(.+)$", TEXT, re.MULTILINE)
IRIS = fewest.load("iris")
NAMES = {
    "np": np, "pd": pd, "fewest": fewest, "SubsetSelector": SubsetSelector, "IRIS": IRIS,
    "X": IRIS.X, "Y": IRIS.y, "LDA": SubsetSelector("lda", search="sfs"),
    "KNeighborsClassifier": KNeighborsClassifier,
}  # fmt: skip


def test_there_are_more_than_thirty():
    assert len(MISTAKES) == TEXT.count("\n$ ") + TEXT.count("\n>>> ") > 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a good table and several bad ones."""
    made = tmp_path_factory.mktemp("mistakes")
    write_iris(made / "iris.csv")
    (made / "notes.txt").write_text("not a table")
    (made / "empty.csv").write_text("")
    (made / "ragged.csv").write_text("a,b,class\n1,2,x\n3,4\n")
    (made / "titled.csv").write_text("Flowers of 1936\n\na,b,class\n1,2,x\n3,4,y\n")
    pd.DataFrame([["Flowers of 1936", None], ["a", "class"], [1, "x"]]).to_excel(
        made / "titled.xlsx", header=False, index=False
    )
    (made / "one.csv").write_text("a,b,class\n" + "1,2,x\n3,4,x\n" * 8)
    (made / "twice.csv").write_text("a,a,class\n1,2,x\n3,4,y\n")
    (made / "bare.csv").write_text("1.5,2,x\n3.5,4,y\n")
    (made / "unnamed.csv").write_text("1,2,x\n3,4,y\n5,6,x\n")
    (made / "words.csv").write_text("a,b,class\n" + "u,2,0\nv,3,1\nw,4,0\n" * 10)
    (made / "gaps.csv").write_text("a,b,comment\n1,2,x\n3,4,\n5,6,\n")
    (made / "three.csv").write_text("a,b,class\n1,2,x\n3,4,y\n5,6,x\n")
    return made


@pytest.mark.parametrize(("prompt", "what", "sentence"), MISTAKES)
def test_a_mistake_gets_its_sentence(prompt, what, sentence, folder, monkeypatch, capsys):
    if prompt == ">>>":
        with pytest.raises(ValueError) as caught:
            eval(what, dict(NAMES))
        assert str(caught.value) == sentence
        return
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["fewest", *what.split()])
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    assert main._run() == 1
    assert capsys.readouterr().err == f"fewest: {sentence}\n"
