import pytest

from fewest._report.page import write_saved
from fewest.testing._results import toy_result
from tests.cli.calls import within


def test_a_saved_result_becomes_a_page(tmp_path):
    toy_result().save(tmp_path / "r.json")
    page = tmp_path / "page.html"
    done = within("report", tmp_path / "r.json", "-o", page)
    assert done.exit_code == 0, done.output
    assert done.output == f"Written: {page}\n"
    assert "2 of 6 features are kept" in page.read_text(encoding="utf-8")


def test_pages_of_the_command_line_suggest_its_options(tmp_path):
    result = toy_result()
    result.notes.append("It is left out of the search; include=[...] keeps it.")
    result.save(tmp_path / "r.json")
    write_saved(tmp_path / "r.json", tmp_path / "python.html")
    within("report", tmp_path / "r.json", "-o", tmp_path / "shell.html")
    assert "include=[...] keeps it" in (tmp_path / "python.html").read_text(encoding="utf-8")
    assert "--include keeps it" in (tmp_path / "shell.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"fewest": "result", "format": 1}'])
def test_other_files_are_a_sentence(tmp_path, text):
    (tmp_path / "r.json").write_text(text)
    done = within("report", tmp_path / "r.json", "-o", tmp_path / "page.html")
    assert done.exit_code == 1
    assert "r.json" in str(done.exception)
    assert not (tmp_path / "page.html").exists()
