"""The house itself: imports point up, importing is light, everything public is there."""

import ast
import inspect
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import fewest
import fewest.classifiers
import fewest.measures
import fewest.search
from tests import public_names

ROOT = Path(fewest.__file__).parent
#: From the ground up. A file may import from its own line and the lines above it.
FLOORS = [
    {"_version", "_errors", "_interrupts", "_lazy_names", "_parameters", "_workers"},
    {"_kernels"},
    {"data"},
    {"_models"},
    {"classifiers"},
    {"measures"},
    {"search"},
    {"_run"},
    {"_fitting"},
    {"networks"},
    {"_joint", "_score_subsets", "_subset_selector", "_feature_weighter"},
    {"_scan_costs", "_validation"},
    {"_report"},
    {"extend", "stop", "testing"},
    {"_cli", "__main__"},
]
FLOOR = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}


def imports(path):
    package = list(path.relative_to(ROOT).parent.parts)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.name == "__init__.py":  # Names for type checkers may come from anywhere.
        tree.body = [node for node in tree.body if not isinstance(node, ast.If)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            module = base + (node.module.split(".") if node.module else [])
            yield from ([module] if module else [[alias.name] for alias in node.names])
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fewest"):
            yield node.module.split(".")[1:] or [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1:] for a in node.names if a.name.startswith("fewest"))


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_up(path):
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if room == "__init__":
        return
    assert room in FLOOR, f"{room} has no floor: say where it stands"
    lower = [m[0] for m in imports(path) if m and m[0] in FLOOR and FLOOR[m[0]] > FLOOR[room]]
    assert lower == []


def loaded_after(code):
    script = f"import sys; {code}; print(' '.join(sys.modules))"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(out.stdout.split())


def test_importing_fewest_is_light():
    heavy = {"pandas", "polars", "plotly", "ortools", "matplotlib", "numba", "sklearn", "pyarrow"}
    assert not loaded_after("import fewest") & heavy


def test_the_selector_pulls_no_extras():
    # scikit-learn itself imports pandas where it is installed.
    heavy = {"plotly", "ortools", "matplotlib", "polars", "jinja2"}
    assert not loaded_after("from fewest import SubsetSelector") & heavy


def test_the_command_line_starts_light():
    heavy = {"numpy", "numba", "sklearn", "pandas", "plotly", "ortools", "scipy"}
    assert not loaded_after("import fewest._cli.main") & heavy


@pytest.mark.parametrize("name", fewest.__all__)
def test_every_public_name_is_there_and_documented(name):
    public = getattr(fewest, name)
    assert name == "__version__" or (public.__doc__ or "").strip()


PUBLIC = {"classifiers", "data", "extend", "measures", "networks", "search", "stop", "testing"}


def test_what_is_private_starts_with_an_underscore():
    rooms = {p.stem for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()}
    assert {room for room in rooms if not room.startswith("_")} == PUBLIC
    inside = [p for room in PUBLIC for p in (ROOT / room).glob("*") if p.suffix in ("", ".py")]
    assert [p for p in inside if not p.name.startswith("_")] == []


def test_the_public_rooms_import_by_attribute():
    # By the function itself: a room that another one imported would be there without it.
    rooms = sorted(PUBLIC)
    script = f"import fewest; print([fewest.__getattr__(room).__name__ for room in {rooms}])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == str([f"fewest.{room}" for room in rooms]), done.stderr


@pytest.mark.parametrize("package", public_names.PACKAGES)
def test_names_for_type_checkers_are_those_of_the_tables(package):
    path, text = public_names.written(package)
    assert path.read_text(encoding="utf-8") == text


def test_no_two_modules_and_no_two_classes_share_a_name():
    modules, classes = Counter(), Counter()
    for path in ROOT.rglob("*.py"):
        modules[path.stem.lstrip("_")] += not path.stem.startswith("__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes.update(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert [name for name, count in (modules + classes).items() if count > 1] == []


#: The verbs, and what they take by position: what is fitted and the data.
VERBS = {
    "SubsetSelector": 1,
    "NetworkLearner": 1,
    "compare": 3,
    "load": 1,
    "score_subsets": 3,
    "validate": 3,
}


@pytest.mark.parametrize("name", VERBS)
def test_parameters_after_the_data_are_keyword_only(name):
    parameters = inspect.signature(getattr(fewest, name)).parameters.values()
    by_position = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert len(by_position) == VERBS[name]


REGISTERED = [fewest.search.search_class(name) for name in fewest.search.SEARCHES] + [
    fewest.measures._measure_names.measure_class(name)
    for name in fewest.measures._measure_names.MEASURES
]


@pytest.mark.parametrize("cls", REGISTERED, ids=lambda cls: cls.__name__)
def test_parameters_after_the_first_are_keyword_only(cls):
    parameters = inspect.signature(cls).parameters.values()
    assert sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters) <= 1


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        fewest.nothing  # noqa: B018


def test_no_room_is_called_utils():
    assert not [p for p in ROOT.rglob("*") if p.stem in {"utils", "util", "helpers", "common"}]
