"""One self-contained page: the answer in plain words, figures, settings, the best subsets."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._errors import InputError
from .._run.result import read_json
from .._run.whole_files import write_whole
from .._version import __version__
from .charts import result_charts
from .facts import selection_unit
from .first_screen import answer
from .provenance import command_line, comparison_rows, settings_rows
from .summary import summarize
from .votes import feature_tables

if TYPE_CHECKING:
    from .._joint.behaviour import JointBehaviour
    from .._run.result import Result
    from .._validation.comparison import Comparison


#: Turns suggestions in Python into those of another language.
Spell = Callable[[str], str]
#: Headings of the columns of the table of subsets.
WORDS = {"value": "selection score", "std": "std of folds"}


def write(subject: Result | Comparison, path: str | os.PathLike[str]) -> None:
    """Write the page of a result or of a comparison: one file that needs no data and no network.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from fewest.testing._results import toy_result
    >>> page = pathlib.Path(tempfile.mkdtemp()) / "page.html"
    >>> write(toy_result(), page)
    >>> "2 of 6 features are kept" in page.read_text(encoding="utf-8")
    True
    """
    page: Any = comparison_page if hasattr(subject, "validations") else result_page
    write_whole(path, page(subject), "report")


def write_saved(
    saved: str | os.PathLike[str], path: str | os.PathLike[str], spell: Spell = str
) -> None:
    """Write the page of a result or a comparison that was saved as JSON."""
    write_whole(path, _saved_page(read_json(saved, "result"), str(saved), spell), "report")


def _saved_page(plain: Any, where: str, spell: Spell) -> str:
    """Return the page of what a file holds, whoever wrote it."""
    from .._run.result import Result

    compared = isinstance(plain, dict) and plain.get("fewest") == "comparison"
    try:
        if compared:
            from .._validation.comparison import Comparison

            return comparison_page(Comparison.from_dict(plain, where), spell)
        return result_page(Result.from_dict(plain, where), spell)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # Fields that are checked nowhere else, as inside a validation of another version.
        raise InputError(
            f"{where} is damaged: a page cannot be made of it ({type(error).__name__}: {error})."
        ) from error


def result_page(result: Result, spell: Spell = str) -> str:
    """Return the HTML of a result; ``spell`` turns what it suggests into options of a command."""
    summary = summarize(result)
    command = result.settings.get("command")
    return render(
        copied=f"features = {json.dumps(list(result.features), ensure_ascii=False)}",
        title=_title(command, f"{result.search} over {result.measure}"),
        answer=_spelled(answer(result), spell),
        charts=[chart.to_dict() for chart in result_charts(summary)],
        tables=feature_tables(result, selection_unit(result)),
        alternatives=result.alternatives,
        ties=result.ties,
        command=command_line(command),
        settings=[
            (name, spell(value) if name.startswith("note ") else value)
            for name, value in settings_rows(result)
        ],
        subsets=summary["subsets"],
    )


def comparison_page(comparison: Comparison, spell: Spell = str) -> str:
    """Return the HTML of a comparison; see :func:`result_page`."""
    from .method_comparison import comparison_answer, comparison_charts, comparison_tables

    command = comparison.settings.get("command")
    return render(
        title=_title(command, f"{len(comparison.validations)} methods compared"),
        answer=_spelled(comparison_answer(comparison), spell),
        charts=[chart.to_dict() for chart in comparison_charts(comparison)],
        tables=comparison_tables(comparison),
        command=command_line(command, "compare"),
        settings=comparison_rows(comparison),
    )


def _spelled(answer: dict[str, Any], spell: Spell) -> dict[str, Any]:
    """Return the first screen with its sentences and warnings in the words of the reader."""
    parts = ("sentences", "warnings")
    return answer | {
        part: [one | {"text": spell(one["text"])} for one in answer[part]] for part in parts
    }


def joint_page(found: JointBehaviour, name: str = "") -> str:
    """Return the HTML of the joint behaviour of classifiers."""
    from .classifiers_together import joint_answer, joint_charts, joint_tables

    settings = [
        ("rows predicted", f"{len(found.predictions.target):,}"),
        ("score", found.learner.score),
        ("seed", found.seed),
        ("fewest", found.version),
    ]
    return render(
        title=f"{name or 'Classifiers'}: {len(found.names)} classifiers together",
        answer=joint_answer(found),
        charts=[chart.to_dict() for chart in joint_charts(found)],
        tables=joint_tables(found),
        settings=settings,
    )


def render(
    *,
    charts: list[dict[str, Any]],
    subsets: dict[str, Any] | None = None,
    copied: str = "",
    **given: Any,
) -> str:
    """Return the page from its parts; whatever comes from the data is escaped.

    ``copied`` is what the button beside the features puts into the clipboard.
    """
    parts = {"alternatives": [], "ties": 0, "command": "", **given}
    safe = {name: asset(name) for name in ("page.css", "charts.js", "page.js")}
    safe["answer_html"] = answer_html(parts.pop("answer"))
    safe["data"] = script_json({"charts": charts, "subsets": subsets, "copied": copied})
    policy = content_policy([safe["page.css"]], [safe["charts.js"], safe["page.js"]])
    return template(
        "page.html.jinja",
        safe,
        charts=charts,
        subsets=subsets,
        words=WORDS,
        version=__version__,
        policy=policy,
        **parts,
    )


def content_policy(styles: list[str], scripts: list[str]) -> str:
    """Return the policy of a page: these styles and scripts, by their hashes, and nothing else.

    >>> content_policy([], ["alert(1)"])[:47]
    "default-src 'none'; img-src data:; script-src '"
    """
    parts = ["default-src 'none'", "img-src data:"]
    for name, texts in (("style-src", styles), ("script-src", scripts)):
        if texts:
            parts.append(" ".join([name, *map(_hash, texts)]))
    return "; ".join(parts)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def answer_html(told: dict[str, Any]) -> str:
    """Render the first screen of a page from its :func:`~fewest._report.first_screen.answer`."""
    return template("answer.html.jinja", {}, answer=told).strip()


def template(name: str, safe: dict[str, str], **parts: Any) -> str:
    """Return a template filled in: ``safe`` texts as they are, all other parts escaped."""
    jinja2 = check_jinja2()
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    mark = jinja2.utils.markupsafe.Markup
    known = {key.replace(".", "_"): mark(text) for key, text in safe.items()}
    return str(environment.from_string(asset(name)).render(**parts, **known))


def script_json(data: Any) -> str:
    """JSON that may stand inside a script element, whatever strings it holds.

    >>> script_json("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    # These five never occur in JSON outside strings, so escapes are always right.
    for sign in "<>&'\u2028":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def asset(name: str) -> str:
    """Return the text of a file that ships with the report."""
    return (resources.files("fewest._report") / "assets" / name).read_text(encoding="utf-8")


def _title(command: dict[str, Any] | None, otherwise: str) -> str:
    name = Path(str(command["data"])).name if command and command.get("data") else otherwise
    return f"fewest · {name}"


def check_jinja2() -> Any:
    """Return the package that fills in templates, or a sentence that names the extra."""
    try:
        import jinja2
    except ImportError as error:
        raise InputError(
            "A report page needs jinja2, which is not installed: pip install 'fewest[report]'."
        ) from error
    return jinja2


def notebook_html(result: Result) -> str:
    """Return the first screen of the page of a result, as a notebook shows it.

    >>> from fewest.testing._results import toy_result
    >>> "2 of 6 features are kept" in notebook_html(toy_result())
    True
    """
    # An id may stand in a document once only, a result in many cells.
    body = answer_html(answer(result)).replace(' id="answer"', "", 1)
    return f'<div class="fewest"><style>{asset("notebook.css")}</style>{body}</div>'
