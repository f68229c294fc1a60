"""Pages of boards in a real browser: made, opened, typed on."""

from collections.abc import Callable
from typing import Any

import httpx
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from servers import ServerProcess

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}

NewPage = Callable[..., Page]


def made(server: ServerProcess, game: str, *rows: str) -> str:
    """Return the address of the page of a new board, of a game by its name or its file's text."""
    address = server.make(**{"file" if ":" in game else "game": game})
    if rows:
        httpx.post(f"{address}/rows", json={"rows": rows, "by": "Cy"}, timeout=30)
    return address.replace("/api/v1/boards/", "/b/")


def turns(address: str) -> list[str]:
    """Return the turns of a board as the server has them."""
    answer = httpx.get(f"{address.replace('/b/', '/api/v1/boards/')}", timeout=30).json()
    return list(answer["history"]["turns"])


def run_line(page: Page, line: str) -> None:
    page.fill("#line", line)
    page.press("#line", "Enter")


def rows(page: Page) -> Any:
    return page.locator(".rows > li")


def settled(page: Page) -> None:
    expect(page.locator("#pending")).to_be_hidden(timeout=20_000)


def check_look(page: Page, what: str) -> None:
    """Assert that a page is as wide as its window, and that axe finds no fault, light and dark."""
    size = page.viewport_size
    assert size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], what
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page).response["violations"]
        told = [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
        assert not told, f"{what}, {scheme}: {told}"
