"""``fewest select`` as a person uses it: what it prints, writes, and how it ends."""

import json
import os
import signal
import time

import numpy as np
import pytest

from fewest import SubsetSelector
from fewest.data import generate
from fewest.data._write import write
from fewest.measures._default import FOR_CLASSES, FOR_NUMBERS
from tests.cli.calls import fewest, started, wait_for_lines, within, without_times
from tests.data.engine.sample import frame, parquet
from tests.keys import RESULT_KEYS


def test_select_prints_the_answer_and_writes_it(iris, tmp_path):
    asked = ("select", iris, "--measure", "naive-bayes", "--search", "sfs", "--seed", 1)
    out = fewest(*asked, "--json", tmp_path / "r.json")
    assert out.returncode == 0, out.stderr
    for words in ("150 rows", "Chosen:", "Honest accuracy", "All features", "Difference", "Search"):
        assert words in out.stdout
    assert "Stopped" not in out.stdout
    more = fewest(*asked, "--details").stdout
    assert all(words in more for words in ("Selection score", "Stability", "Stopped"))
    result = json.loads((tmp_path / "r.json").read_text())
    assert set(result) >= RESULT_KEYS
    assert result["features"][0] in out.stdout
    assert 0.9 < result["honest"]["score"] <= 1


def test_racing(iris, tmp_path):
    done = within(
        "select", iris, "--measure", "decision-tree(max_depth=2)", "--search", "sfs", "--cv", 10,
        "--racing", "--no-validate", "--json", tmp_path / "r.json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    notes = json.loads((tmp_path / "r.json").read_text())["notes"]
    assert any(note.startswith("Racing dropped ") for note in notes)


def test_constraints_and_options_reach_the_selector(iris, tmp_path):
    done = within(
        "select",
        iris,
        "-s",
        "ebna",
        "--set",
        "population=12",
        "--include",
        "sepal width",
        "--exclude",
        "petal width",
        "--max-features",
        2,
        "--no-validate",
        "--json",
        tmp_path / "r.json",
        "--max-generations",
        3,
    )
    assert done.exit_code == 0, done.output
    features = json.loads((tmp_path / "r.json").read_text())["features"]
    assert "sepal width" in features
    assert "petal width" not in features
    assert len(features) <= 2


def test_the_same_seed_gives_the_same_file(iris, tmp_path):
    files = []
    for name, jobs in (("a", 1), ("b", 2)):
        path = tmp_path / f"{name}.json"
        within(
            "select",
            iris,
            "-s",
            "ebna",
            "--set",
            "population=10",
            "--seed",
            4,
            "--json",
            path,
            "--jobs",
            jobs,
            "--no-validate",
        )
        files.append(without_times(path))
    assert files[0] == files[1]


def test_a_time_budget_ends_in_time(tmp_path):
    done = within(
        "select",
        "wdbc",
        "-m",
        "decision-tree(max_depth=3)",
        "-s",
        "random",
        "--set",
        "draws=1000000",
        "--max-time",
        "2s",
        "--json",
        tmp_path / "r.json",
    )
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "r.json").read_text())["partial"]


def test_pure_noise_is_called_an_illusion(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "noise.csv"
    header = ",".join([*(f"x{i}" for i in range(500)), "label"])
    rows = [",".join([*(f"{v:.4f}" for v in rng.normal(size=500)), "ab"[i % 2]]) for i in range(60)]
    path.write_text("\n".join([header, *rows]) + "\n")
    out = fewest(
        "select",
        path,
        "--search",
        "sfs",
        "--measure",
        "gaussian-nb",
        "--json",
        tmp_path / "r.json",
        env={**os.environ, "COLUMNS": "200"},
    )
    assert out.returncode == 0, out.stderr
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["score"] > 0.75
    assert abs(result["honest"]["score"] - 0.5) < 0.1
    assert "Do not believe the selection score. It is an illusion of the search" in " ".join(
        out.stdout.split()
    )


# A model that is trained, so that there is time to interrupt it.
SLOW = ["-m", "decision-tree(max_depth=3)"]
NEVER_ENDS = [*SLOW, "-s", "random", "--set", "draws=1000000000"]


@pytest.mark.unix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_writes_a_partial_result_and_exits_with_130(iris, tmp_path, name):
    path, journal = tmp_path / "part.json", tmp_path / "run.jsonl"
    process = started("select", iris, *NEVER_ENDS, "--json", path, "--journal", journal)
    wait_for_lines(process, journal)
    process.send_signal(getattr(signal, name))
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    plain = json.loads(path.read_text())
    assert plain["partial"]
    assert plain["stop_kind"] == "interrupt"


@pytest.mark.unix
def test_an_interrupt_during_the_validation_keeps_the_selection_and_exits_with_130(iris, tmp_path):
    path = tmp_path / "r.json"
    process = started(
        "select", iris, *SLOW, "-s", "ebna", "--set", "population=300",
        "--max-generations", 2, "--json", path, "--journal", tmp_path / "run.jsonl",
    )  # fmt: skip
    # The selection has 15 subsets; each external fold scores them again.
    keys = 0
    while keys < 15:
        assert process.poll() is None, process.communicate()
        raw = (tmp_path / "run.jsonl").read_bytes() if (tmp_path / "run.jsonl").exists() else b""
        lines = [json.loads(line) for line in raw.splitlines()[1:] if line.endswith(b"}")]
        keys = sum(len(line["keys"]) for line in lines)
        time.sleep(0.002)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert "Chosen:" in out
    assert "Traceback" not in err
    plain = json.loads(path.read_text())
    assert plain["honest"] is None
    if not plain["partial"]:
        assert "The validation was interrupted" in plain["notes"][-1]


def test_an_interrupted_validation_is_told_and_marked(iris, tmp_path, monkeypatch):
    def interrupted(*given, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("fewest._validation.external._external_fold", interrupted)
    done = within("select", iris, "--search", "sfs", "--json", tmp_path / "r.json")
    assert done.exit_code == 130
    assert "The validation was interrupted" in done.stderr
    assert "Chosen:" in done.stdout
    plain = json.loads((tmp_path / "r.json").read_text())
    assert plain["honest"] is None
    assert not plain["partial"]
    assert "The validation was interrupted" in plain["notes"][-1]


def test_an_interrupt_before_the_first_score_exits_with_130(iris, tmp_path, monkeypatch):
    def interrupted(*given, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr("fewest._run.execute.Executor.score", interrupted)
    done = within("select", iris, "--search", "sfs", "--json", tmp_path / "r.json")
    assert isinstance(done.exception, KeyboardInterrupt) or done.exit_code == 130
    assert not (tmp_path / "r.json").exists()


def test_the_death_of_a_worker_is_not_a_success(iris, tmp_path, monkeypatch):
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    from fewest._run.loop import Run

    inner = Run._look

    def dies(self, *given):
        inner(self, *given)
        if len(self.history) > 1:
            raise TerminatedWorkerError("gone")

    monkeypatch.setattr(Run, "_look", dies)
    done = within("select", iris, "--search", "sfs", "--json", tmp_path / "r.json")
    assert done.exit_code == 1
    assert "The run broke off: a worker process died" in done.stderr
    assert json.loads((tmp_path / "r.json").read_text())["stop_kind"] == "worker"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["select", "FOLDER"], "is a folder; give the path of a file in it"),
        (["select", "IRIS", "--jobs", "0"], "`n_jobs` must be None, a whole number of workers"),
        (["select", "IRIS", "--cv", "[1]"], "`--cv` must be "),
        (["select", "IRIS", "--cv", "9" * 30], "`--cv` must be "),
        (["select", "IRIS", "-m", "cfs", "--cv", "x"], "`--cv` must be "),
        (["select", "IRIS", "-m", "cfs", "--scoring", "x"], "`scoring` must be a scorer"),
        (["select", "IRIS", "--estimator", "naive-byes"], "`estimator` must be "),
        (["select", "IRIS", "--estimator", "linear-regression"], "must be a classifier"),
        (["compare", "IRIS", "--estimator", "naive-byes"], "`estimator` must be "),
        (["select", "IRIS", "--report", "FOLDER"], "`--report` must be a file that can be written"),
        (["select", "IRIS", "--json", "FOLDER/no/r.json"], "in a folder that does not exist"),
        (["compare", "IRIS", "--json", "FOLDER"], "`--json` must be a file that can be written"),
        (["compare", "IRIS", "--search", ","], "`--search` must name searches"),
    ],
)
def test_mistakes_are_told_before_any_work(iris, tmp_path, arguments, words):
    given = [str(iris) if a == "IRIS" else a.replace("FOLDER", str(tmp_path)) for a in arguments]
    done = within(*given)
    assert words in str(done.exception)
    assert "Chosen" not in done.output


def test_the_way_to_validate_is_chosen(iris, tmp_path):
    path = tmp_path / "r.json"
    done = within("select", iris, "-s", "sfs", "--validate", "corrected", "--json", path)
    assert done.exit_code == 0, done.output
    result = json.loads(path.read_text())
    assert result["honest"] is None
    assert result["corrected"]["replayed"] == "search"
    assert "Replayed score" in done.output
    done = within("select", iris, "--validate", "perhaps")
    assert done.exit_code == 1
    assert "`--validate` must be one of auto, nested, corrected, none" in str(done.exception)


def test_a_permutation_test_is_one_option(iris, tmp_path):
    path = tmp_path / "r.json"
    done = within("select", iris, "-s", "sfs", "--no-validate", "--permutations", 9, "--json", path)
    assert done.exit_code == 0, done.output
    assert "Permutation test  p = 0.100." in done.output
    assert len(json.loads(path.read_text())["extra"]["permutation"]["scores"]) == 9


def test_sizes_and_costs_as_people_say_them(iris, tmp_path):
    path = tmp_path / "r.json"
    given = ["select", iris, "-m", "gaussian-nb", "-s", "sfs", "--no-validate", "--json", path]
    done = within(*given, "--max-features", 0.5, "--costs", "petal width=3", "--budget", 3)
    assert done.exit_code == 0, done.output
    result = json.loads(path.read_text())
    assert result["settings"]["command"]["max_features"] == 0.5
    assert result["n_features"] <= 2
    costs = {entry["cost"] for entry in result["archive"] if entry["size"] == 1}
    assert costs == {1.0, 3.0}


def test_the_scheme_reaches_the_validation(iris, tmp_path):
    path = tmp_path / "r.json"
    given = ["select", iris, "-m", "gaussian-nb", "-s", "sfs", "--cv", 3, "--json", path]
    done = within(*given, "--validate", "nested", "--scheme", "1x3cv")
    assert done.exit_code == 0, done.output
    result = json.loads(path.read_text())
    assert result["honest"]["scheme"] == "1x3cv"
    assert len(result["honest"]["scores"]) == 3
    assert result["settings"]["command"]["scheme"] == "1x3cv"


def test_files_that_stay_on_disk_are_selected_from(tmp_path):
    table = frame().drop(columns="w")
    pattern = parquet(table, tmp_path)
    memory = SubsetSelector("mrmr", search="sfs", max_features=2).fit(table, target="y")
    out = tmp_path / "result.json"
    args = ("select", pattern, "--target", "y", "--measure", "mrmr", "--search", "sfs")
    found = fewest(*args, "--max-features", "2", "--json", out)
    assert found.returncode == 0, found.stderr
    assert "rows stay where they are" in found.stdout
    assert json.loads(out.read_text())["features"] == memory.result_.features
    model = ("select", pattern, "--target", "y", "--measure", "naive-bayes", "--search", "sfs")
    assert "`--validate nested` makes them" in fewest(*model, "--details").stdout
    judged = fewest(*model, "--validate", "nested", "--scheme", "1x3cv", "--json", out)
    assert "on rows that the selection never saw" in judged.stdout
    assert len(json.loads(out.read_text())["honest"]["scores"]) == 3
    missing = fewest("select", tmp_path / "no*.parquet")
    assert missing.returncode == 1
    assert "There is no Parquet file" in missing.stderr


def test_consensus_and_safe_from_the_command_line(iris, tmp_path):
    given = ["--search", "sfs", "--no-validate"]
    path = tmp_path / "agreed.json"
    out = fewest("select", iris, *given, "--consensus", "3", "--choose", "safe", "--json", path,
                 "--details")  # fmt: skip
    assert out.returncode == 0
    assert "The search ran on 3 samples of 70 % of the rows." in " ".join(out.stdout.split())
    assert json.loads(path.read_text())["extra"]["consensus"]["resamples"] == 3
    wrong = fewest("select", iris, *given, "--consensus", "often")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith('fewest: `--consensus` must be "auto", None')


def test_types_and_encoding_reach_the_data(tmp_path):
    rng = np.random.default_rng(0)
    draws = rng.normal(2, 1, size=(120, 2)).round(2)
    rows = [f"{x:.2f};{z};{round(x * 4) % 12}" for x, z in draws]
    path = tmp_path / "t.csv"
    path.write_bytes("\n".join(["größe;z;note", *rows]).encode("latin-1"))
    command = ["select", path, "--search", "sfs", "--no-validate"]
    assert "give its encoding" in str(within(*command).exception)
    command += ["--encoding", "latin-1"]
    assert "may be classes or amounts" in str(within(*command).exception)
    picked = {"continuous": list(FOR_NUMBERS), "nominal": list(FOR_CLASSES)}
    for kind, measures in picked.items():
        to = tmp_path / f"{kind}.json"
        done = within(*command, "--types", f"note={kind}", "--json", to)
        assert done.exit_code == 0, done.output
        assert json.loads(to.read_text())["measure"] in measures


def test_groups_time_and_weights_of_rows(tmp_path):
    for name, option, column in (
        ("patients", "--group-by", "patient"),
        ("sensors-in-time", "--time", "time"),
        ("survey", "--weight", "weight"),
    ):
        table, out = tmp_path / f"{name}.csv", tmp_path / "result.json"
        write(generate(name, 300), table)
        done = within("select", table, option, column, "--search", "sfs", "--json", out, "-q",
                      "--measure", "naive-bayes", "--scheme", "1x3cv",
                      "--permutations", 2)  # fmt: skip
        assert done.exit_code == 0, done.output
        result = json.loads(out.read_text())
        assert column not in result["names"]
        assert result["settings"]["command"][option.removeprefix("--").replace("-", "_")] == column
        assert result["honest"] is not None
        wrong = within("select", table, option, column + "s")
        assert f"`{option}` must name a column of the table, but '{column}s' is none; did you" in (
            str(wrong.exception)
        )
    filtered = within("select", tmp_path / "patients.csv", "--group-by", "patient", "--measure",
                      "cfs", "--search", "sfs", "--scheme", "1x3cv", "-q")  # fmt: skip
    assert filtered.exit_code == 0, filtered.output


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--group-by", "persn"), "but 'persn' is none; did you mean 'person'?"),
        (("--group-by", "label"), "but 'label' is the target."),
        (("--weight", "kind"), "`--weight` must name a column of numbers, but 'kind' has labels"),
        (("--time", "kind"), "`--time` must name a column of numbers or dates, but 'kind' has"),
        (
            ("--time", "day", "--group-by", "person"),
            "`--group-by` and `--time` cannot be given together",
        ),
        (("--weight", "debt"), "`sample_weight` must hold 40 numbers of at least 0"),
    ],
)
def test_wrong_columns_of_rows_are_one_sentence(tmp_path, given, message):
    lines = [
        f"p{i // 4},2024-01-{i % 28 + 1:02d},{'xyz'[i % 3]},{i % 5 - 2},{i % 7},{'ny'[i % 2]}"
        for i in range(40)
    ]
    table = tmp_path / "mine.csv"
    table.write_text("\n".join(["person,day,kind,debt,a,label", *lines]))
    done = within("select", table, "--measure", "naive-bayes", "--search", "sfs", *given)
    assert done.exit_code == 1
    assert message in str(done.exception)
    assert len(str(done.exception).split(". ")) == 1


def test_groups_of_features_have_a_new_name(tmp_path):
    table = tmp_path / "survey.csv"
    write(generate("survey", 300), table)
    asked = ["select", table, "--measure", "naive-bayes", "--search", "sfs", "--no-validate", "-q"]
    new = within(*asked, "--feature-groups", "q1,q2;q3,q4")
    with pytest.warns(FutureWarning, match="`--groups` .* is now called `--feature-groups`"):
        old = within(*asked, "--groups", "q1,q2;q3,q4")
    assert old.output.split("Search ")[0] == new.output.split("Search ")[0]


@pytest.mark.parametrize(("task", "target"), [("classification", "12 classes"),
                                              ("regression", "a numeric target")])  # fmt: skip
def test_the_task_says_what_whole_numbers_are(tmp_path, task, target):
    table = tmp_path / "stars.csv"
    rng = np.random.default_rng(0)
    lines = [f"{a:.3f},{b:.3f},{i % 12}" for i, (a, b) in enumerate(rng.normal(size=(240, 2)))]
    table.write_text("\n".join(["a,b,stars", *lines]))
    done = within("select", table, "--task", task, "--no-validate")
    assert done.exit_code == 0, done.output
    assert target in done.output
    unclear = within("select", table, "--no-validate")
    assert "(--task)" in str(unclear.exception)
    wrong = within("select", table, "--task", "classes")
    assert "`task` must be" in str(wrong.exception)


def test_quiet_prints_names_and_json_the_result(iris):
    asked = ["select", iris, "--measure", "naive-bayes", "--search", "sfs", "--no-validate"]
    printed = within(*asked, "--format", "json").stdout
    names = within(*asked, "--quiet").stdout.splitlines()
    assert json.loads(printed)["features"] == names
    assert within(*asked, "--format", "yaml").exit_code == 2


def test_the_first_screen_is_short_and_speaks_of_options(iris):
    text = within("select", iris, "--measure", "naive-bayes", "--search", "sfs").output
    assert len(text.splitlines()) <= 11
    assert "--details" in text
    assert "summary(" not in text


def test_memory_for_scans_reaches_the_table(tmp_path):
    pattern = parquet(frame(), tmp_path)
    command = ["select", pattern, "--target", "y", "--measure", "mrmr", "--search", "sfs"]
    assert within(*command, "--memory", "20 MB").exit_code == 0
    assert "`memory` must be an amount" in str(within(*command, "--memory", "lots").exception)


def test_levels_of_redundancy_are_printed(tmp_path):
    table = tmp_path / "table.csv"
    lines = [f"{a},{b},{a + b},{a}" for a in "xy" for b in "uv"] * 10
    table.write_text("\n".join(["first,second,both,class", *lines]))
    done = within("redundancy", table, "--level", 2)
    assert done.exit_code == 0, done.output
    assert "both    redundant given first, second: 0.000 bits" in done.output
    alone = within("redundancy", table, "--level", 0).output
    assert "first   not redundant: 1.000 bits" in alone
    wrong = within("redundancy", table, "--level", 7)
    assert wrong.exit_code == 1
    assert "`level` must be between 0 and 2" in str(wrong.exception)
