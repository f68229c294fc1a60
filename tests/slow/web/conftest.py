"""A server for each file, since some tests end it; a browser, and pages for a person each."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from board_pages import NewPage
from served import serving
from servers import ServerProcess

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    yield from serving(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None and os.environ.get("CI") == "true":
        pytest.fail("no chromium is installed, and the pages are to be tested in one")
    if path is None:
        pytest.skip("no chromium is installed: apt install chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=path, args=ARGUMENTS)


@pytest.fixture
def new_page(browser: Browser, server: ServerProcess) -> Iterator[NewPage]:
    """Open pages, each for a person of its own; nothing may go wrong in their scripts."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(address: str, name: str = "", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(15_000)
        if name:
            context.add_cookies(
                [{"name": "puzzlehunt-nickname", "value": name, "url": server.url("")}]
            )
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not problems
