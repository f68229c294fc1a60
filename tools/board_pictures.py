"""Take pictures of a team's board in all its states: a phone and a desk, light and dark.

    python tools/board_pictures.py FOLDER [--source DIR] [--only STATE ...]
    python tools/board_pictures.py --docs

Serves the boards of the checkout DIR (this one if it is not given), has rows played through the API
and looked at in Chromium. FOLDER gets a picture of each state and look, and contact sheets of each
look as HTML and PNG. A state that an older checkout does not have is named and left out. `--docs`
draws the boards of docs/*.png instead, with two people on each, at a desk and on a phone.
"""

import argparse
import base64
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

import support
from board_pages import PHONE, run_line
from servers import ServerProcess, http

LONG = yaml.safe_load((support.ROOT / "examples" / "heart-2018.yaml").read_text())["turns"]
FIVE = [*LONG[:4], "EBONY WRRRR # chapter 2"]
COLOURS = """
title: Wool of the harbour
secret: {symbols: [red, green, blue, yellow, pink, brown], length: 4}
rule: pegs
"""
WIDE = ["AABBCCDDEEFFAABB BBBBWWWWWWW", "ABCDEFABCDEFABCD BBBWWWWWWWW"]
QUORDLE = ["RAISE YY..Y ..... YY..G ..YY.", "CLOUT ....G .G.Y. G.... .YY.."]
SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    "desk": {"viewport": {"width": 1280, "height": 800}},
}
LANGUAGE = "game: wordle\nsecret: "
SCHEMES = ("light", "dark")


def _offline(page: Page) -> None:
    page.context.set_offline(True)
    for line in ("LEASH BRR__", "PRATE BR___"):
        run_line(page, line)
    page.get_by_text("lines wait").wait_for(timeout=5_000)


def _opened(menu: str) -> Callable[[Page], None]:
    """Return a step that opens a menu of the board."""
    return lambda page: page.locator("summary", has_text=menu).first.click(timeout=5_000)


def _helped(page: Page) -> None:
    page.get_by_role("button", name="Help").click(timeout=5_000)
    page.wait_for_timeout(500)


@dataclass(frozen=True)
class State:
    """A board, the keys that are pressed on its page, and what is done there next.

    `game` is a name or a game file, "" for the home page; `visitor` has a name, "" if asked for it.
    """

    game: str = "cryptic"
    rows: Sequence[str] = ()
    keys: str = ""
    then: Callable[[Page], None] | None = None
    visitor: str = "Ann"


STATES = {
    "home": State(""),
    "empty": State(),
    "arriving": State(visitor=""),
    "five rows": State(rows=FIVE, keys="HORSEBW"),
    "27 rows": State(rows=LONG),
    "contradiction": State("mastermind", ["RGBY BW", "RGBO BBB", "PPPP BB"]),
    "quordle": State("quordle", QUORDLE, "SPENDG.Y"),
    "octordle": State("octordle", [f"RAISE {' '.join(['YY..Y ..... YY..G ..YY.'] * 2)}"]),
    "nethack": State("nethack", ["ABCDE 1G2T", "AABBC 0G1T"], "ABC1"),
    "16x6": State("16x6", WIDE, "AABB"),
    "columns": State("capitals", ["Vienna 1500kmNE = > _"]),
    "hebrew": State(f"{LANGUAGE}{{language: he}}\n", ["שלומי Y..YY", "אנחנו GG..."]),
    "hindi": State(f"{LANGUAGE}{{language: hi, length: 3}}\n", ["करना .G."]),
    "turkish": State(f"{LANGUAGE}{{language: tr}}\n", ["insan .YY.."]),
    "colours": State(COLOURS, ["red-red-green-blue BW", "pink-brown-blue-red W"]),
    "solved": State("wordle", ["RAISE ..Y..", "CLINT ..Y.Y", "WIDTH won"]),
    "share": State(rows=FIVE, then=_opened("Share")),
    "menu": State(rows=FIVE, then=_opened("Board")),
    "help": State(rows=FIVE, then=_helped),
    "offline": State(rows=FIVE, then=_offline),
}


DOCS = {
    "board": State(
        rows=[
            "HORSE BWR__", "LEASH BRR__ # chapter 2", "EBONY WRRRR", "PRATE BR___", "LURED WRR__",
            "HELIX R____ ?",
        ]
    ),
    "capitals": State("capitals", ["Vienna 11000-12500km . _ _", "Quito _ = < _"]),
    "hebrew": State(f"{LANGUAGE}{{language: he}}\n", ["מילים ...GG", "סיפור .Y..."]),
}  # fmt: skip
"""The boards of the pictures in docs/, by their names."""
DOCS_HEIGHT = 760


@contextmanager
def looking(browser: Browser, address: str, visitor: str, **look: Any) -> Iterator[Page]:
    """Yield a page as somebody sees it, once everything is computed."""
    context = browser.new_context(locale="en-GB", **look)
    context.set_default_timeout(30_000)
    if visitor:
        context.add_cookies([{"name": "puzzlehunt-name", "value": visitor, "url": address}])
    page = context.new_page()
    page.goto(address)
    if page.locator("#pending").count():
        page.wait_for_selector("#pending", state="hidden")
    yield page
    context.close()


def address_of(server: ServerProcess, state: State) -> str:
    """Return the address of a new board in a state, whose rows are of two people."""
    if not state.game:
        return server.url("/")
    kind = "file" if "\n" in state.game else "game"
    board = server.make(**{kind: state.game, "name": "lighthouse"})
    for number, row in enumerate(state.rows):
        body = {"rows": [row], "by": ("Ann", "Ben")[number % 2]}
        http.post(f"{board}/rows", json=body).raise_for_status()
    return board.replace("/api/v1/boards/", "/b/")


def picture(page: Page, state: State, path: Path) -> None:
    """Press the keys of a state, do what is next, and write a picture of the page."""
    for key in state.keys:
        page.keyboard.press(key)
    if state.then:
        state.then(page)
    page.wait_for_timeout(400)
    page.screenshot(path=path)


def contact_sheet(browser: Browser, folder: Path, look: str, names: Sequence[str]) -> None:
    """Write the pictures of a look side by side, each below its name."""
    width = 390 if look.startswith("phone") else 760
    figures = "".join(
        f'<figure><figcaption>{name}</figcaption><img src="{look}-{name}.png"></figure>'
        for name in names
    )
    style = (
        "body{display:flex;flex-wrap:wrap;gap:16px;margin:16px;background:#c9ced6}"
        "figcaption{font:16px sans-serif}"
        f"figure{{margin:0}}img{{width:{width}px;display:block}}"
    )
    sheet = folder / f"{look}.html"
    sheet.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{figures}")
    page = browser.new_page(viewport={"width": 4 * 406 + 16, "height": 800})
    page.goto(sheet.as_uri())
    page.screenshot(path=sheet.with_suffix(".png"), full_page=True)


def picture_of_two(browser: Browser, address: str, path: Path) -> None:
    """Write a picture of a board as Ann sees it at a desk, and Ben on a phone."""
    desk, phone = ({"width": width, "height": DOCS_HEIGHT} for width in (1140, 390))
    with (
        looking(browser, address, "Ann", viewport=desk, color_scheme="light") as ann,
        looking(browser, address, "Ben", viewport=phone, color_scheme="dark") as ben,
    ):
        ann.click("#suggestions td button >> nth=0")
        ben.get_by_text("is about to play").wait_for()
        ann.get_by_text("Ben", exact=True).first.wait_for()
        shots = [base64.b64encode(page.screenshot()).decode() for page in (ann, ben)]
    gap, margin = 24, 16
    width = desk["width"] + phone["width"] + gap + 2 * margin
    page = browser.new_page(viewport={"width": width, "height": DOCS_HEIGHT + 2 * margin})
    page.set_content(
        f"<body style='margin:{margin}px;display:flex;gap:{gap}px;background:#c9ced6'>"
        "<style>img{border-radius:12px}</style>"
        + "".join(f'<img src="data:image/png;base64,{shot}">' for shot in shots)
    )
    page.screenshot(path=path)


def main() -> None:
    """Take all pictures of a checkout, or those of the documents."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", help="where the pictures go")
    parser.add_argument("--docs", action="store_true", help="draw docs/*.png instead")
    parser.add_argument("--source", type=Path, default=support.ROOT, help="checkout to serve")
    parser.add_argument("--only", nargs="+", choices=STATES, default=[*STATES], metavar="STATE")
    asked = parser.parse_args()
    if asked.docs == bool(asked.folder):
        parser.error("name a folder, or write --docs")
    if asked.folder:
        asked.folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {"PYTHONPATH": str(asked.source.resolve()), "PYTHONSAFEPATH": "1"}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder) / "boards")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        taken: dict[str, list[str]] = {}
        try:
            for name, state in DOCS.items() if asked.docs else ():
                path = support.ROOT / "docs" / f"{name}.png"
                picture_of_two(browser, address_of(server, state), path)
            for name in () if asked.docs else asked.only:
                state = STATES[name]
                try:
                    address = address_of(server, state)
                    with looking(browser, address, "Ben"):
                        for size, options in SIZES.items():
                            for scheme in SCHEMES:
                                look = f"{size}-{scheme}"
                                options = {**options, "color_scheme": scheme}
                                with looking(browser, address, state.visitor, **options) as page:
                                    picture(page, state, asked.folder / f"{look}-{name}.png")
                                taken.setdefault(look, []).append(name)
                except (PlaywrightError, AssertionError, OSError) as error:
                    print(f"{name}: not in this checkout ({str(error).splitlines()[0]})")
            for look, names in taken.items():
                contact_sheet(browser, asked.folder, look, names)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
