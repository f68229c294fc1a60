"""How fast boards are changed and followed by a team: a load on loopback.

    python benchmarks/team.py [--seconds 60] [--rows 20] [--people 50] [--boards 100]

People follow one board, and one person each of some boards more; together they add so many rows a
second, on boards of cryptic and other games. Each row is timed until it is acknowledged; each
follower of the shared board notes when the version of a row reaches it. At the end the rows on all
boards are compared with those that were acknowledged.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import psutil

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from servers import ServerProcess

_GAMES = ("cryptic", "mastermind", "nethack", "wordle")


class Follower:
    """Somebody who follows a board, and notes when each version arrives."""

    def __init__(self, client: httpx.AsyncClient, board: str) -> None:
        self._client, self._board = client, board
        self.arrived: dict[int, float] = {}
        self.newest = -1
        self.bytes = 0

    async def follow(self) -> None:
        """Read events until cancelled."""
        async with self._client.stream("GET", f"{self._board}/events", timeout=None) as answer:
            async for line in answer.aiter_lines():
                self.bytes += len(line)
                if line.startswith("id:"):
                    version, now = int(line[3:]), time.perf_counter()
                    for passed in range(self.newest + 1, version + 1):
                        self.arrived[passed] = now
                    self.newest = max(self.newest, version)


def rows_of(game: Game, rng: random.Random) -> Any:
    """Yield rows of a game, each with another guess, as one secret answers them, half unread."""
    secret = game.secrets.random(rng)
    seen = set()
    while True:
        guess = game.guesses.random(rng)
        if guess in seen:
            continue
        seen.add(guess)
        clue = game.rule.notation.full_clue(game.score(guess, secret), guess)
        yield f"{game.format_code(guess)} {game.rule.notation.format(clue)}"


async def load(server: ServerProcess, asked: argparse.Namespace) -> dict[str, Any]:
    """Put a load on a server; return what was measured."""
    rng = random.Random(asked.seed)
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(limits=limits, timeout=30) as client:
        boards = []
        for number in range(asked.boards + 1):
            name = "cryptic" if number == 0 else _GAMES[number % len(_GAMES)]
            boards.append((server.make(game=name), rows_of(gamefile.load(name), rng)))
        shared = boards[0][0]
        followers = [Follower(client, shared) for _ in range(asked.people)]
        followers += [Follower(client, board) for board, _ in boards[1:]]
        tasks = [asyncio.create_task(follower.follow()) for follower in followers]
        await asyncio.sleep(2)
        times: list[float] = []
        acknowledged: list[tuple[int, float]] = []
        written: Counter[str] = Counter()
        errors: list[str] = []

        async def add(board: str, row: str, is_shared: bool) -> None:
            began = time.perf_counter()
            try:
                answer = await client.post(f"{board}/rows", json={"rows": [row], "by": "Ann"})
            except httpx.HTTPError as error:
                errors.append(repr(error))
                return
            ended = time.perf_counter()
            if answer.status_code != 200:
                errors.append(answer.text)
                return
            times.append(ended - began)
            written[board] += 1
            if is_shared:
                acknowledged.append((answer.json()["version"], ended))

        first: list[float] = []

        async def suggest(board: str) -> None:
            began = time.perf_counter()
            answer = await client.get(f"{board}/suggestions")
            if answer.status_code == 200:
                first.append(time.perf_counter() - began)
            elif answer.status_code != 503:
                errors.append(answer.text)

        memory, work = 0, set()
        began = time.perf_counter()
        for number in range(int(asked.seconds * asked.rows)):
            await asyncio.sleep(max(0.0, began + number / asked.rows - time.perf_counter()))
            # Everybody is as busy: the people of the shared board together write a third of it all.
            is_shared = rng.random() < asked.people / (asked.people + asked.boards)
            board, rows = boards[0] if is_shared else rng.choice(boards[1:])
            work.add(asyncio.create_task(add(board, next(rows), is_shared)))
            if number % int(asked.rows) == 0:
                work.add(asyncio.create_task(suggest(board)))
                memory = max(memory, _memory(server.process.pid))
        await asyncio.gather(*work)
        await asyncio.sleep(3)
        lags = [
            max(0.0, follower.arrived.get(version, float("inf")) - ended)
            for version, ended in acknowledged
            for follower in followers[: asked.people]
        ]
        lost = 0
        for board, _ in boards:
            answer = await client.get(board)
            lost += abs(len(answer.json()["rows"]) - written[board])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "rows": len(times), "on the shared board": len(acknowledged), "errors": len(errors),
        "lost or doubled": lost,
        "acknowledged (ms)": quantiles(times), "follower up to date (ms)": quantiles(lags),
        "suggestions asked by programs (ms)": quantiles(first),
        "memory (MB)": round(memory / 1e6), "sent to a follower (MB)": round(
            statistics.mean(f.bytes for f in followers[: asked.people]) / 1e6, 1),
        "first errors": errors[:3],
    }  # fmt: skip


def quantiles(values: list[float]) -> dict[str, float]:
    if not values:
        return {}
    ordered = sorted(1000 * value for value in values)
    places = {"median": 0.5, "99 %": 0.99, "slowest": 1.0}
    return {
        name: round(ordered[min(len(ordered) - 1, int(place * len(ordered)))], 1)
        for name, place in places.items()
    }


def _memory(pid: int) -> int:
    """Return the memory of a process and its children (bytes, proportional set size)."""
    total = 0
    process = psutil.Process(pid)
    for each in (process, *process.children(recursive=True)):
        try:
            total += each.memory_full_info().pss
        except psutil.Error:
            continue
    return total


def first_suggestions(server: ServerProcess, count: int) -> dict[str, float]:
    """Return how long after a row its first suggestion is there, on fresh boards of cryptic."""
    rng, times = random.Random(5), []
    rows = rows_of(gamefile.load("cryptic"), rng)
    for _ in range(count):
        board = server.make(game="cryptic")
        began = time.perf_counter()
        httpx.post(f"{board}/rows", json={"rows": [next(rows)]}, timeout=30)
        answer = httpx.get(f"{board}/suggestions", timeout=30)
        assert answer.json()["suggestions"]
        times.append(time.perf_counter() - began)
    return quantiles(times)


def beside_a_heavy_board(server: ServerProcess, count: int) -> dict[str, float]:
    """Return how long a small board's answers take while two questions about 32x10 are open."""
    heavy, small = server.make(game="32x10"), server.make(game="mastermind")
    rng, times = random.Random(6), []
    heavy_rows, rows = (
        rows_of(gamefile.load("32x10"), rng),
        rows_of(gamefile.load("mastermind"), rng),
    )
    for _ in range(5):
        httpx.post(f"{heavy}/rows", json={"rows": [next(heavy_rows)]}, timeout=30)
    httpx.get(f"{small}/suggestions", timeout=30)

    async def measure() -> None:
        async with httpx.AsyncClient(timeout=60) as client:
            for number in range(count):
                if number % 10 == 0:
                    await client.post(f"{heavy}/rows", json={"rows": [next(heavy_rows)]})
                    busy = [
                        asyncio.create_task(client.get(f"{heavy}/{what}"))
                        for what in ("suggestions", "candidates", "explanation")
                    ]
                    await asyncio.sleep(0.3)
                began = time.perf_counter()
                if number % 10 == 0:
                    await client.post(f"{small}/rows", json={"rows": [next(rows)]})
                await client.get(f"{small}/candidates?limit={number}")
                times.append(time.perf_counter() - began)
                if number % 10 == 9:
                    await asyncio.gather(*busy)

    asyncio.run(measure())
    return quantiles(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rows", type=float, default=20)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "boards")
        try:
            print(json.dumps({"first suggestion after a row (ms)": first_suggestions(server, 20)}))
            print(json.dumps({"beside a heavy board (ms)": beside_a_heavy_board(server, 30)}))
            print(json.dumps(asyncio.run(load(server, asked)), indent=2))
        finally:
            server.stop()
            log = server.folder.with_suffix(".log").read_text().splitlines()
            print(f"lines of the server's log: {len(log)}")
            print("\n".join(log[-5:]))


if __name__ == "__main__":
    main()
