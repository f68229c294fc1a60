"""Draw the boards of docs/*.png, with two people on each, at a desk and on a phone.

python tools/board_picture.py     write the pictures; needs chromium
"""

import base64
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal

import httpx
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PORT = 8799
PICTURES = {
    "board": (
        "cryptic",
        {
            "Ann": ["HORSE BWR__", "EBONY WRRRR", "LURED WRR__"],
            "Ben": ["LEASH BRR__ # chapter 2", "PRATE BR___", "HELIX R____ ?"],
        },
    ),
    "capitals": (
        "capitals",
        {"Ann": ["Vienna 11000-12500km . _ _"], "Ben": ["Quito _ = < _"]},
    ),
    "hebrew": (
        "game: wordle\nsecret: {language: he}\n",
        {"Ann": ["מילים ...GG"], "Ben": ["סיפור .Y..."]},
    ),
}
"""The game of each picture, and who writes which rows."""
HEIGHT = 760
DESK = ViewportSize(width=1140, height=HEIGHT)
PHONE = ViewportSize(width=390, height=HEIGHT)


def main() -> None:
    """Serve a board, have it played, and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "puzzlehunt", "serve", "--data", folder]
        server = subprocess.Popen(
            [*command, "--port", str(PORT)], stderr=subprocess.PIPE, text=True
        )
        try:
            assert server.stderr is not None
            next(line for line in server.stderr if "Ctrl-C" in line)
            for name, (game, rows) in PICTURES.items():
                draw(made(f"http://127.0.0.1:{PORT}", game, rows), name)
        finally:
            server.terminate()
            server.wait()


def made(address: str, game: str, rows_of: dict[str, list[str]]) -> str:
    """Return the address of the page of a board with rows."""
    boards, kind = f"{address}/api/v1/boards", "file" if "\n" in game else "game"
    with httpx.Client(timeout=30) as client:
        board = client.post(boards, json={kind: game, "name": "lighthouse"}).json()["board"]
        for name, rows in rows_of.items():
            for row in rows:
                client.post(f"{boards}/{board}/rows", json={"rows": [row], "by": name})
    return f"{address}/b/{board}"


def draw(address: str, name: str) -> None:
    """Write the picture, with a name, of a board at an address."""
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        with playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]) as browser:
            ann = opened(browser, address, DESK, "light", "Ann")
            ben = opened(browser, address, PHONE, "dark", "Ben")
            ann.click("#suggestions td button >> nth=0")
            ben.get_by_text("is about to play").wait_for()
            ann.get_by_text("Ben", exact=True).first.wait_for()
            shots = [ann.screenshot(), ben.screenshot()]
            images = "".join(
                f'<img src="data:image/png;base64,{base64.b64encode(one).decode()}">'
                for one in shots
            )
            gap, margin = 24, 16
            width = DESK["width"] + PHONE["width"] + gap + 2 * margin
            page = browser.new_page(viewport={"width": width, "height": HEIGHT + 2 * margin})
            page.set_content(
                f"<body style='margin:{margin}px;display:flex;gap:{gap}px;background:#c9ced6'>"
                f"<style>img{{border-radius:12px}}</style>{images}"
            )
            page.screenshot(path=ROOT / "docs" / f"{name}.png")


def opened(
    browser: Browser,
    address: str,
    size: ViewportSize,
    scheme: Literal["light", "dark"],
    name: str,
) -> Page:
    """Return the board's page as somebody sees it, once everything is computed."""
    context = browser.new_context(viewport=size, color_scheme=scheme, locale="en-GB")
    context.add_cookies([{"name": "puzzlehunt-name", "value": name, "url": address}])
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#pending", state="hidden")
    return page


if __name__ == "__main__":
    main()
