"""The parts of the manual that are made from what the classes declare."""

from __future__ import annotations

import importlib
import importlib.util
import pydoc
import re
from types import FunctionType

import pytest

import fewest
from tests.docs.pages import ROOT


@pytest.fixture(scope="module")
def generate():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(generate, tmp_path):
    generate.write(tmp_path / "generated")
    return tmp_path / "generated"


def documented(*files):
    text = "".join(file.read_text() for file in files)
    return re.findall(r"\.\. auto(?:class|function):: (\S+)", text)


def test_every_search_stands_on_one_page(generate, folder):
    found = documented(*(folder / f"{family}.txt" for family in generate.FAMILIES))
    assert sorted(found) == sorted(f"fewest.search.{r['class']}" for r in fewest.list_searches())


def test_every_name_is_in_a_capability_table(folder):
    for what, rows in (("searches", fewest.list_searches()), ("measures", fewest.list_measures())):
        text = (folder / f"{what}.txt").read_text()
        assert [r["name"] for r in rows] == re.findall(r"\* - ``(.+)``", text)


def test_what_the_manual_documents_is_there(folder):
    names = documented(*folder.glob("*.txt"), *(ROOT / "docs" / "algorithms").glob("*.rst"))
    reference = (ROOT / "docs" / "reference.rst").read_text()
    names += [f"fewest.{name}" for name in re.findall(r"^   ([a-zA-Z][\w.]+)$", reference, re.M)]
    assert len(names) > 80
    for name in names:
        thing = pydoc.locate(name)
        assert thing is not None, name
        assert (thing.__doc__ or "").strip(), f"{name} has no docstring"


def test_every_public_name_is_in_the_manual(generate, folder):
    found = documented(*folder.glob("*.txt"), *(ROOT / "docs" / "algorithms").glob("*.rst"))
    summary = (ROOT / "docs" / "reference.rst").read_text()
    found += re.findall(r"^   ([a-zA-Z][\w.]+)$", summary, re.M)
    known = {name.rsplit(".", 1)[-1] for name in found}
    for package in generate.PACKAGES:
        room = importlib.import_module(package)
        things = {name: getattr(room, name) for name in room.__all__}
        public = {n for n, thing in things.items() if isinstance(thing, (type, FunctionType))}
        assert sorted(public - known) == [], package


@pytest.mark.parametrize("listed", [fewest.list_searches, fewest.list_measures])
def test_sources_are_cited_in_one_way(listed):
    cited = re.compile(r"^[A-ZÁ-Ž][^();]+ \((19|20)\d\d(, thesis)?\)(, [^();]+)?$")
    for row in listed():
        for source in row["source"].split("; "):
            plain = source[0].islower()  # no paper: "enumeration"
            assert plain or cited.match(source), f"{row['name']}: {source}"


def test_every_public_name_has_an_example(generate):
    for package in generate.PACKAGES:
        room = importlib.import_module(package)
        for name in room.__all__:
            thing = getattr(room, name)
            if isinstance(thing, type | FunctionType):
                assert ">>> " in (thing.__doc__ or ""), f"{package}.{name} has no example"
