"""How fast a board's page is on a slow phone, and what one more row costs.

    python benchmarks/pages.py [--runs 5] [--slower 4] [--megabits 1.6] [--latency 150]

Chromium is slowed down by its own tools, as a phone of 390 x 844 with an empty cache; all figures
are medians. The first board is that of cryptic. A key is pressed again and again from the first
moment on, until it is seen. One more row is added by a program to a board of 27 rows.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from servers import ServerProcess, http

_ROWS = 27
_PAINTS = """
window.paint = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.paint = Math.max(window.paint, entry.startTime);
}).observe({ type: "largest-contentful-paint", buffered: true });
const look = () => {
  const typed = [...document.querySelectorAll("#next .tile")];
  if (!window.shown && typed.some((tile) => tile.textContent.trim() === "H")) {
    window.shown = performance.now();
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
_HANDLERS = """
window.spent = {};
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (name, take) {
  listen.call(this, name, name !== "state" ? take : (event) => {
    const begun = performance.now();
    take(event);
    window.spent[event.lastEventId] ??= performance.now() - begun;
  });
};
"""


@contextmanager
def phone(browser: Browser, asked: argparse.Namespace) -> Iterator[tuple[Page, CDPSession]]:
    """Yield a page on a slow phone, and the connection to its tools."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    bytes_a_second = asked.megabits * 1e6 / 8
    tools.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": asked.latency, "downloadThroughput": bytes_a_second,
        "uploadThroughput": bytes_a_second / 2,
    })  # fmt: skip
    tools.send("Emulation.setCPUThrottlingRate", {"rate": asked.slower})
    yield page, tools
    context.close()


def first_paint(browser: Browser, address: str, asked: argparse.Namespace) -> tuple[float, float]:
    """Return the largest paint (s) and the bytes of a first visit."""
    with phone(browser, asked) as (page, tools):
        sizes: list[float] = []
        tools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        page.add_init_script(_PAINTS)
        page.goto(address)
        page.wait_for_timeout(2_500)
        return page.evaluate("window.paint") / 1000, sum(sizes)


def first_key(browser: Browser, address: str, asked: argparse.Namespace) -> float:
    """Return when the first of many keys is seen in a tile (s)."""
    with phone(browser, asked) as (page, _):
        page.add_init_script(_PAINTS)
        page.goto(address, wait_until="commit")
        until = time.monotonic() + 10
        while not page.evaluate("window.shown") and time.monotonic() < until:
            page.keyboard.press("h")
            page.wait_for_timeout(20)
        return float(page.evaluate("window.shown") or "nan") / 1000


def one_more_row(browser: Browser, api: str, asked: argparse.Namespace) -> dict[str, float]:
    """Return the bytes of an event with one more row, and the script time (ms) on its arrival."""
    with phone(browser, asked) as (page, tools):
        events: list[str] = []
        tools.on("Network.eventSourceMessageReceived", lambda event: events.append(event["data"]))
        page.add_init_script(_HANDLERS)
        page.goto(api.replace("/api/v1/boards/", "/b/"))
        page.wait_for_selector("#pending", state="hidden", timeout=60_000)
        page.wait_for_timeout(3_000)
        before = len(events)
        answer = http.post(f"{api}/rows", json={"rows": ["TABLE R____"], "by": "Ann"})
        version = answer.json()["version"]
        page.wait_for_timeout(4_000)
        spent = page.evaluate("(version) => window.spent[version]", version)
        http.post(f"{api}/lines", json={"line": "/undo", "by": "Ann"})
        row = next(data for data in events[before:] if json.loads(data)["version"] == version)
        total = sum(len(data.encode()) for data in events[before:])
        return {"row": len(row.encode()), "script": float(spent), "answers": total}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--slower", type=float, default=4, help="how many times slower (processor)")
    parser.add_argument("--megabits", type=float, default=1.6, help="of the network, a second")
    parser.add_argument("--latency", type=float, default=150, help="of a round trip, in ms")
    asked = parser.parse_args()
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = ServerProcess(Path(folder) / "boards", "cryptic")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            address = server.addresses["cryptic"]
            first = [first_paint(browser, address, asked) for _ in range(asked.runs)]
            keys = [first_key(browser, address, asked) for _ in range(asked.runs)]
            words = [word for word in _words() if word != "TABLE"][:_ROWS]
            long = server.make(game="cryptic", rows="\n".join(f"{word} _____" for word in words))
            more = [one_more_row(browser, long, asked) for _ in range(asked.runs)]
            asked.slower = 1
            fast = [one_more_row(browser, long, asked) for _ in range(asked.runs)]
        finally:
            server.stop()
        for title, unit, values in (
            ("largest paint", "s", [paint for paint, _ in first]),
            ("first key shown", "s", keys),
            ("sent for a first visit", "kB", [size / 1000 for _, size in first]),
            ("sent for one more row", "kB", [one["row"] / 1000 for one in more]),
            ("the same with its answers", "kB", [one["answers"] / 1000 for one in more]),
            ("scripts for one more row", "ms", [one["script"] for one in fast]),
            ("the same on the slow processor", "ms", [one["script"] for one in more]),
        ):
            print(f"| {title} | {statistics.median(values):.3g} {unit} "
                  f"| {min(values):.3g} to {max(values):.3g} |")  # fmt: skip


def _words() -> list[str]:
    from puzzlehunt.game.files import gamefile

    game = gamefile.load("cryptic")
    return [game.format_code(code) for code in list(game.secrets)[::100]]


if __name__ == "__main__":
    main()
