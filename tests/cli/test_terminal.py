"""Nothing of the user's reaches the terminal as a command."""

import ast
from pathlib import Path

import pytest

import fewest
from fewest._cli.terminal import WarnOnce, clean
from tests.cli.calls import fewest as run
from tests.cli.calls import within

EVIL = "a\x1b[31mred\x9b2J\x07\u202etxt"
ROOM = Path(fewest.__file__).parent / "_cli"


@pytest.mark.parametrize("sign", list("\x1b\x9b\x07\r\x00\u202e\u2028\udc80"))
def test_control_characters_are_replaced(sign):
    assert clean(f"a{sign}b") == "a\ufffdb"


def test_ordinary_text_stays():
    text = "Größe, 数, عربى, a\tb\nc 👩‍🔬"
    assert clean(text) == text
    assert clean("a\nb", lines=False) == "a\ufffdb"


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda p: p.name)
def test_commands_print_only_through_this_module(path):
    if path.name == "terminal.py":
        return
    calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]
    names = {ast.unparse(call.func) for call in calls}
    assert not names & {"print", "typer.echo", "Console().print", "sys.stdout.write"}


@pytest.fixture
def evil(tmp_path):
    """Escapes in a column, in a class and in the name of the file."""
    path = tmp_path / "e\x1b[2Jvil.csv"
    rows = "".join(f"{i},{i % 3},{EVIL if i % 2 else 'b'}\n" for i in range(40))
    path.write_text(f"{EVIL},second,{EVIL} class\n{rows}")
    return path


@pytest.mark.parametrize("command", [
    ["select", "EVIL", "-s", "sfs", "--journal", "JOURNAL"], ["data", "describe", "EVIL"],
    ["score", "EVIL", "-f", "second"], ["select", "EVIL", "--include", "nothing"],
    ["select", "EVIL/x"], ["compare", "EVIL", "-s", "sfs,sbe"],
])  # fmt: skip
def test_no_command_lets_escapes_through(evil, tmp_path, command):
    places = {"EVIL": str(evil), "JOURNAL": str(tmp_path / "j\x1b.jsonl")}
    given = [places.get(a, a.replace("EVIL", str(evil))) for a in command]
    out = run(*given)
    for sign in "\x1b\x9b\x07\u202e":
        assert sign not in out.stdout + out.stderr
    if "JOURNAL" in command:
        shown = within("watch", places["JOURNAL"], "--once")
        assert shown.exit_code == 0
        assert "\x1b[31mred" not in shown.output


def test_every_warning_is_told_once(capsys):
    import warnings

    with WarnOnce():
        warnings.simplefilter("always")
        for _ in range(2):
            warnings.warn("evil \x1b", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "fewest: warning: evil \ufffd\n"
