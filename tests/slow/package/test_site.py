"""The site as it is built: links, search, and pages that everybody can read."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect, sync_playwright

from served import serving
from servers import ServerProcess

ROOT = Path(__file__).resolve().parents[3]
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SHOWN = ["index", "first-game", "commands", "game-files", "http", "benchmarks"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; nothing in it was warned of."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", "-c", str(ROOT / "docs")]
    away = {**os.environ, "PUZZLEHUNT_SITE": "https://docs.example.org/"}
    done = subprocess.run(
        [*build, "-d", str(folder / "trees"), str(ROOT), str(folder / "pages")],
        capture_output=True, text=True, env=away, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "pages"


class Links(HTMLParser):
    """What a page leads to, and the anchors that it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for key, value in attributes:
            if key in ("href", "src") and value:
                self.links.append(value)
            elif key == "id" and value:
                self.anchors.add(value)


def test_every_link_within_the_site_leads_to_a_page_and_an_anchor(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html") if "_static" not in page.parts}
    assert len(pages) > 50
    for page, found in pages.items():
        for link in found.links:
            if urlsplit(link).scheme or link.startswith("//"):
                continue
            address, anchor = urldefrag(link)
            target = (page.parent / unquote(address.partition("?")[0])).resolve()
            target = page if not address else target
            assert target.exists(), f"{page.name}: {link}"
            if anchor and target in pages:
                assert unquote(anchor) in pages[target].anchors, f"{page.name}: {link}"


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|source)[^>]* src=\"([^\"]*)\"", text)
        loaded += re.findall(r"<link[^>]* rel=\"stylesheet\"[^>]* href=\"([^\"]*)\"", text)
        assert not [address for address in loaded if urlsplit(address).netloc], page


def test_the_address_of_the_site_is_that_of_the_build(site: Path) -> None:
    text = (site / "docs" / "clues.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://docs.example.org/docs/clues.html"' in text


def test_a_public_name_links_to_the_types_that_its_signature_names(site: Path) -> None:
    text = (site / "docs" / "api.html").read_text(encoding="utf-8")
    assert 'href="#puzzlehunt.Game"' in text
    assert 'id="puzzlehunt.Session.close"' in text


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address where the site is served."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium is installed: apt install chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_pages_can_be_read_by_everybody(
    browser: Browser, address: str, size: Any, scheme: Any
) -> None:
    with contextlib.closing(browser.new_context(viewport=size, color_scheme=scheme)) as context:
        page = context.new_page()
        for name in SHOWN:
            page.goto(f"{address}/docs/{name}.html")
            found = Axe().run(page).response["violations"]
            serious = [one for one in found if one["impact"] in ("serious", "critical")]
            told = [(one["id"], one["nodes"][0]["html"][:200]) for one in serious]
            assert not told, f"{name}: {told}"
            too_wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not too_wide, name


def test_the_first_address_leads_to_the_index_and_the_search_finds_a_page(
    browser: Browser, address: str
) -> None:
    with contextlib.closing(browser.new_context(viewport=DESK)) as context:
        page = context.new_page()
        page.goto(f"{address}/")
        expect(page.locator("h1")).to_have_text(re.compile("puzzlehunt"))
        page.locator("input[name=q]").first.fill("adversarial")
        page.keyboard.press("Enter")
        expect(page.locator("ul.search").get_by_role("link").first).to_be_visible()
        found = page.locator("ul.search").get_by_role("link").all_inner_texts()
        assert "Rules" in " ".join(found)


# What takes too long for the fast tests of blocks.


def shown(page: str, begins: str) -> str:
    """Return the block of a page that begins with a text."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(rf"^```\w*\n({re.escape(begins)}.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("command", "begins"),
    [
        ("4x6 --strategy parts", "4x6: parts"),
        ("4x6 --strategy entropy --strategy parts --strategy first --secrets 200", "4x6: a sample"),
    ],
)
def test_the_lab_prints_what_its_page_shows(run: Any, command: str, begins: str) -> None:
    part = "compare" if "first" in command else "run"
    printed = [line.rstrip() for line in run("lab", part, *command.split()).out.splitlines()]
    block = shown("lab.md", begins).splitlines()
    assert printed[: len(block)] == block


def test_a_tree_begins_as_the_page_of_the_lab_shows(run: Any, home: Path) -> None:
    run("lab", "run", "4x6", "--strategy", "optimal", "--tree", "4x6.tree")
    written = (home / "4x6.tree").read_text(encoding="utf-8")
    assert written.startswith(shown("lab.md", "puzzlehunt tree 1"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    yield from serving(tmp_path_factory.mktemp("served"))


def test_the_library_connects_to_a_board_as_its_page_shows(server: ServerProcess) -> None:
    board = server.make(game="cryptic").replace("/api/v1/boards/", "/b/")
    code = shown("library.md", "board = ").replace("http://HOST:8765/b/NAME-TOKEN", board)
    names: dict[str, Any] = {}
    exec("import puzzlehunt\n" + textwrap.dedent(code), names)
    assert len(names["board"].history.turns) == 1
