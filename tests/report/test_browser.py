"""The page in a real browser: headless Chromium, skipped where there is none."""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import threading
from pathlib import Path

import psutil
import pytest

from fewest._report.page import write
from fewest.testing._results import toy_comparison, toy_result

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found"),
    pytest.mark.xdist_group("browser"),
    # Chromium sometimes stops answering, and some calls of Playwright then wait for ever.
    pytest.mark.flaky(reruns=2, only_rerun=["^(TargetClosedError|TimeoutError|Error): "]),
]
#: Seconds after which a browser is killed, so that whoever waits for it hears of it.
PATIENCE = 120

EVIL = "<script>alert(1)</script>"
NAMES = [EVIL, "age", "</script><img src=x onerror=alert(2)>", "bmi", "sex", "a&b", "dose", "hb"]


@pytest.fixture
def browser():
    """A browser of its own for each test, killed when the test takes too long."""
    others = set(psutil.Process().children())
    with playwright.sync_playwright() as started:
        driver = set(psutil.Process().children()) - others
        limit = threading.Timer(PATIENCE, _kill, [driver])
        limit.start()
        launched = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield launched
        with contextlib.suppress(playwright.Error):
            launched.close()
    limit.cancel()


def _kill(driver):
    """Kill the browsers of Playwright's driver; its calls then raise an error."""
    for process in driver:
        for child in process.children(recursive=True):
            child.kill()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a page; whatever it complains of or asks for is noted and must stay empty."""
    notes = []

    def open_(write, what, **options) -> object:
        path = Path(tmp_path) / "page.html"
        write(what, path)
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(60_000)
        noted: list[str] = []
        page.on("console", lambda message: noted.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: noted.append(str(error)))
        page.on("dialog", lambda dialog: (noted.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: noted.append(f"asks for {request.url}"))
        page.goto(path.as_uri())
        assert noted.pop(0) == f"asks for {path.as_uri()}"
        notes.append(noted)
        return page

    yield open_
    assert not any(notes), notes


def column(page, position: int) -> list[str]:
    return page.locator(f"#subsets tbody tr td:nth-child({position})").all_inner_texts()


def test_every_figure_is_drawn(opened):
    page = opened(write, toy_result(NAMES))
    holders = page.locator("[data-chart]")
    assert holders.count() == 7
    assert page.locator("[data-chart] > svg").count() == 7
    assert page.locator("svg .cell").count() == 8 * 6


def test_names_are_only_text(opened):
    page = opened(write, toy_result(NAMES))
    assert EVIL in page.locator(".chips li").all_inner_texts()
    assert page.locator("img").count() == 0
    assert any(EVIL in text for text in column(page, 5))
    assert any(EVIL in text for text in page.locator("svg text").all_text_contents())


def test_table_sorts_both_ways(opened):
    page = opened(write, toy_result(NAMES))
    best = [float(v) for v in column(page, 1)]
    assert best == sorted(best, reverse=True)
    size = page.locator('th[data-key="size"]')
    size.locator("button").click()
    assert size.get_attribute("aria-sort") == "ascending"
    small = [int(v) for v in column(page, 3)]
    assert small == sorted(small)
    size.locator("button").click()
    large = [int(v) for v in column(page, 3)]
    assert large == sorted(large, reverse=True)
    assert large[0] > small[0]


def test_features_sort_by_numbers_and_are_copied(opened, tmp_path):
    page = opened(write, toy_result(NAMES))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cells = page.locator("#features tbody tr td:nth-child(3)")
    share = page.locator("#features th", has_text="selected in")
    for direction, reverse in (("descending", True), ("ascending", False)):
        share.locator("button").click()
        assert share.get_attribute("aria-sort") == direction
        found = [int(text) for text in cells.all_inner_texts()]
        assert found == sorted(found, reverse=reverse)
        assert found[0] != found[-1]
    page.click("text=Copy features")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert ast.literal_eval(copied.removeprefix("features = ")) == NAMES[:2]
    page.click("#features >> text=Copy table")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0].split("\t") == ["feature", "kept", "selected in"]
    assert len(lines) == 9


def test_table_filters_by_features_and_size(opened):
    page = opened(write, toy_result(NAMES))
    page.fill("#filter", "AGE, -bmi")
    kept = column(page, 5)
    assert kept
    assert all("age" in text and "bmi" not in text for text in kept)
    page.fill("#most", "3")
    assert all(int(v) <= 3 for v in column(page, 3))
    page.fill("#filter", "no such feature")
    assert column(page, 5) == []
    assert page.inner_text("#count").startswith("0 of ")


def test_more_rows_on_request(opened):
    page = opened(write, toy_result(NAMES))
    assert len(column(page, 1)) == 20
    page.click("#more")
    assert len(column(page, 1)) > 20


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_theme_follows_the_system_and_switches(opened, scheme):
    page = opened(write, toy_result(), color_scheme=scheme)

    def ground() -> str:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    before = ground()
    assert before == {"light": "rgb(251, 251, 250)", "dark": "rgb(20, 23, 27)"}[scheme]
    page.click("#theme")
    assert ground() != before
    page.click("#theme")
    assert ground() == before


def test_paper_is_light(opened):
    page = opened(write, toy_result(), color_scheme="dark")
    page.emulate_media(media="print")
    style = (
        "(({color, backgroundColor}) => [color, backgroundColor])(getComputedStyle(document.body))"
    )
    assert page.evaluate(style) == ["rgb(27, 31, 36)", "rgb(255, 255, 255)"]
    assert not page.is_visible("#theme")


def test_hovering_speaks(opened):
    page = opened(write, toy_result())
    page.locator("#figure-stability .bar").first.hover()
    assert "of 10 folds" in page.inner_text("#tip")
    page.locator("#figure-generations svg").hover()
    assert "best so far" in page.inner_text("#tip")


def test_phone_has_no_sideways_scroll(opened):
    long = [f"a feature with quite a long name {j}" for j in range(8)]
    page = opened(write, toy_result(long), viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for word in page.locator(".legend text").all():
        box, around = word.bounding_box(), word.locator("xpath=ancestor::figure").bounding_box()
        assert box["x"] + box["width"] <= around["x"] + around["width"]


def test_words_in_tables_stay_whole_on_a_phone(opened):
    page = opened(
        write,
        toy_comparison(["ga-uniform", "sfs"]),
        viewport={"width": 390, "height": 800},
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for cell in page.locator(".scroll td:first-child").all():
        assert cell.bounding_box()["height"] < 3 * 27  # at most two lines and the padding


def test_features_stand_under_the_numbers_on_a_phone(opened):
    page = opened(write, toy_result(NAMES), viewport={"width": 390, "height": 800})
    row = page.locator("#subsets tbody tr").first.locator("td")
    first, last = row.first.bounding_box(), row.last.bounding_box()
    assert last["y"] >= first["y"] + first["height"] - 1
    assert last["x"] + last["width"] <= 390


@pytest.mark.parametrize("width", [390, 1200])
def test_boxes_of_a_network_do_not_overlap(opened, width):
    result = toy_result([f"a feature with a long name {j}" for j in range(12)])
    arcs = [(0, j) for j in range(2, 8)] + [(1, j) for j in range(8, 12)]
    result.extra["network"] = {"names": result.names, "arcs": arcs, "rows": 50}
    page = opened(write, result, viewport={"width": width, "height": 800})
    boxes = [node.bounding_box() for node in page.locator("svg .node").all()]
    assert len(boxes) == 12
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart = abs(a["y"] - b["y"]) > 20
            assert apart or abs(a["x"] - b["x"]) >= min(a["width"], b["width"])
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_script_that_was_put_into_a_page_does_not_run(browser, tmp_path):
    path = Path(tmp_path) / "page.html"
    write(toy_result(), path)
    evil = "<script>document.title = 'evil'</script><img src=x onerror=\"document.title='evil'\">"
    path.write_text(path.read_text(encoding="utf-8").replace("<main", evil + "<main", 1))
    page = browser.new_page()
    page.goto(path.as_uri())
    page.locator("[data-chart] > svg").first.wait_for()
    assert page.title() != "evil"


def test_comparison_opens(opened):
    page = opened(write, toy_comparison(["ebna", EVIL]))
    assert page.locator("[data-chart] > svg").count() == 2


@pytest.mark.parametrize("folds", [True, False])
def test_result_without_validation_opens(opened, folds):
    page = opened(write, toy_result(honest=False, folds=folds))
    assert page.locator("[data-chart] > svg").count() == 4
    assert page.locator(".alarm").count() == int(folds)


def test_live_page_follows_the_journal(browser, tmp_path):
    import json

    from fewest._report.live_server import LiveServer
    from fewest._run.whole_files import lock

    def line(value: float) -> str:
        told = {"generation": int(100 * value), "frequency": [1.0, 0.5, 0.0]}
        return json.dumps({**told, "keys": ["c0", "80"], "value": [0.5, value]}) + "\n"

    path = Path(tmp_path) / "run.jsonl"
    head = {"fewest": "journal", "format": 1, "search": EVIL, "space": "Subsets(3)", "seed": 1}
    head["names"] = ["a", EVIL, "c"]
    path.write_text(json.dumps(head) + "\n" + line(0.6))
    with LiveServer(str(path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.set_default_timeout(60_000)
        noted: list[str] = []
        page.on("console", lambda message: noted.append(message.text))
        page.on("pageerror", lambda error: noted.append(str(error)))
        try:
            page.goto(server.address)
            page.locator("figure svg").nth(1).wait_for()
            assert EVIL in page.inner_text("#run")
            with path.open("a") as file:
                file.write(line(0.75))
            page.get_by_text("Best so far: 0.7500").wait_for()
            assert page.locator("#best li").all_inner_texts() == ["a"]
            assert page.locator("#figure-frequency .cell").count() == 3 * 2
            assert EVIL in page.locator("#figure-frequency text title").all_text_contents()
            page.get_by_text("the search has ended").wait_for()
            with path.open("a") as file:
                lock(file.fileno(), path)
                page.get_by_text("live", exact=True).wait_for()
        finally:
            server.shutdown()
    assert noted == []
