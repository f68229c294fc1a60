"""How long after a tap a row is on a teammate's page, in Chromium, while others write.

    python benchmarks/taps.py [--boards 20] [--taps 5] [--rows 10] [--followers 28]

Two pages are phones. Ann's has rows typed on its tiles; the time begins with the tap on Enter and
ends when Ben's page has painted the row. Other people follow the board over HTTP, and a program
adds so many rows a second to it. As a team's board has some 50 rows, there are several boards, one
after the other. All of it runs on this machine, so the processor time that a row takes is measured,
too: that of the server without its workers, and that of Ben's page.
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
import psutil
from playwright.async_api import Browser, CDPSession, Page, async_playwright
from team import Follower, quantiles, rows_of

from puzzlehunt.game.files import gamefile

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from servers import ServerProcess, http

_TAPPED = """
addEventListener("click", (event) => {
  if (event.target.closest("#keyboard .main")) {
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


async def _busy(tools: CDPSession) -> float:
    """Return the processor time of a page's main thread so far (s)."""
    metrics = await tools.send("Performance.getMetrics")
    return float(next(one["value"] for one in metrics["metrics"] if one["name"] == "TaskDuration"))


async def _tap(ann: Page, ben: Page, row: str) -> float:
    """Return how long after a tap on Ann's page a row is on Ben's (s)."""
    guess, clue = row.split()
    await ann.keyboard.type(guess + clue)
    shown = asyncio.create_task(ben.evaluate(_SHOWN, guess))
    await ann.tap("#keyboard .main")
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
    times, written, process = list[float](), 0, psutil.Process(server.process.pid)
    seconds = page_busy = server_busy = 0.0
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
            tools = await ben.context.new_cdp_session(ben)
            await tools.send("Performance.enable", {"timeDomain": "threadTicks"})
            began, page_began, server_began = (
                time.monotonic(),
                await _busy(tools),
                process.cpu_times(),
            )
            writing = asyncio.create_task(_write(client, board, rows, asked.rows))
            for _ in range(asked.taps):
                await asyncio.sleep(0.5)
                times.append(await _tap(ann, ben, next(rows)))
            seconds += time.monotonic() - began
            page_busy += await _busy(tools) - page_began
            server_busy += sum(process.cpu_times()[:2]) - sum(server_began[:2])
            written += len(http.get(board).json()["rows"])
            for task in (writing, *following):
                task.cancel()
            await asyncio.gather(writing, *following, return_exceptions=True)
            await ann.context.close()
            await ben.context.close()
    return {
        "taps": len(times),
        "rows a second": round(written / seconds, 1),
        "row on the teammate's page (ms)": quantiles(times),
        "processor time of a row (ms)": {
            "server": round(1000 * server_busy / written, 1),
            "page": round(1000 * page_busy / written, 1),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--taps", type=int, default=5, help="rows that are tapped on each board")
    parser.add_argument("--rows", type=float, default=10, help="by a program, a second")
    parser.add_argument("--followers", type=int, default=28, help="beside the two pages")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "boards")
        try:
            print(json.dumps(asyncio.run(measure(server, asked)), indent=2))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
