"""How long after a tap a row is on a teammate's page, in Chromium, while others write.

    python benchmarks/taps.py [--boards 20] [--taps 5] [--rows 10] [--followers 28]

Two pages are phones. Ann's has rows typed on its tiles; the time begins with the tap on Enter and
ends when Ben's page has painted the row. Other people follow the board over HTTP, and a program
adds so many rows a second to it. As a team's board has some 50 rows, there are several boards, one
after the other. All of it runs on this machine.
"""

import argparse
import asyncio
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from playwright.async_api import Browser, Page, async_playwright
from team import Follower, quantiles, rows_of

from puzzlehunt.game.files import gamefile

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from servers import ServerProcess, http

_TAPPED = """
addEventListener("click", (event) => {
  if (event.target.closest("[data-enter]")) {
    window.tapped = performance.timeOrigin + event.timeStamp;
  }
}, true);
"""
_SHOWN = """
(word) => new Promise((done) => {
  const look = (now) => {
    const rows = [...document.querySelectorAll("#rows .guess")];
    if (rows.some((row) => row.textContent.replace(/\\s/g, "") === word)) {
      requestAnimationFrame(() => done(performance.timeOrigin + performance.now()));
    } else {
      requestAnimationFrame(look);
    }
  };
  look();
})
"""


async def _opened(browser: Browser, address: str, name: str) -> Page:
    context = await browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    await context.add_cookies([{"name": "puzzlehunt-name", "value": name, "url": address}])
    page = await context.new_page()
    await page.add_init_script(_TAPPED)
    await page.goto(address)
    await page.wait_for_selector("#keyboard", state="visible")
    return page


async def _tap(ann: Page, ben: Page, row: str) -> float:
    """Return how long after a tap on Ann's page a row is on Ben's (s)."""
    guess, clue = row.split()
    await ann.keyboard.type(guess + clue)
    shown = asyncio.create_task(ben.evaluate(_SHOWN, guess))
    await ann.tap("[data-enter]")
    arrived = float(await asyncio.wait_for(shown, 30))
    return (arrived - float(await ann.evaluate("window.tapped"))) / 1000


async def _write(client: httpx.AsyncClient, board: str, rows: Iterator[str], rate: float) -> None:
    """Add so many rows a second to a board, until cancelled."""
    while True:
        body = {"rows": [next(rows)], "by": "Cy"}
        sent = client.post(f"{board}/rows", json=body, timeout=30)
        _, answer = await asyncio.gather(asyncio.sleep(1 / rate), sent)
        answer.raise_for_status()


async def measure(server: ServerProcess, asked: argparse.Namespace) -> dict[str, object]:
    """Play boards with taps and with rows of a program; return what was measured."""
    game, rng = gamefile.load("cryptic"), random.Random(asked.seed)
    times, written, seconds = list[float](), 0, 0.0
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with async_playwright() as playwright, httpx.AsyncClient(limits=limits) as client:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for _ in range(asked.boards):
            board, rows = server.make(game="cryptic"), rows_of(game, rng)
            address = board.replace("/api/v1/boards/", "/b/")
            followers = [Follower(client, board) for _ in range(asked.followers)]
            following = [asyncio.create_task(one.follow()) for one in followers]
            ann = await _opened(browser, address, "Ann")
            ben = await _opened(browser, address, "Ben")
            began = time.monotonic()
            writing = asyncio.create_task(_write(client, board, rows, asked.rows))
            for _ in range(asked.taps):
                await asyncio.sleep(0.5)
                times.append(await _tap(ann, ben, next(rows)))
            seconds += time.monotonic() - began
            written += len(http.get(board).json()["rows"]) - asked.taps
            for task in (writing, *following):
                task.cancel()
            await asyncio.gather(writing, *following, return_exceptions=True)
            await ann.context.close()
            await ben.context.close()
    shown = {"taps": len(times), "rows by the program, a second": round(written / seconds, 1)}
    return {**shown, "row on the teammate's page (ms)": quantiles(times)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--taps", type=int, default=5, help="rows that are tapped on each board")
    parser.add_argument("--rows", type=float, default=10, help="by a program, a second")
    parser.add_argument("--followers", type=int, default=28, help="beside the two pages")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "boards", "--requests", "0")
        try:
            print(json.dumps(asyncio.run(measure(server, asked)), indent=2))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
