"""A server of boards under attack: kills without warning, and readers beside writers.

python tools/team_attacks.py kills 200      # kill -9 under load; acknowledged rows there?
python tools/team_attacks.py readers 10000  # each answer is the library's, of just its version?
python tools/team_attacks.py heads 1100     # half heads of requests: how long do others wait?
python tools/team_attacks.py followers 1000  # streams that nobody reads: how much memory?
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

# isort: split
import asyncio
import json
import random
import socket
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import psutil

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.merging import merge
from puzzlehunt.session.changes import Question
from puzzlehunt.web.snapshot import BoardSnapshot, answer_of
from servers import ServerProcess

_GAMES = ("cryptic", "mastermind", "wordle", "2x3")


def random_rows(game: Game, rng: random.Random) -> Iterator[str]:
    """Yield rows of a game with a guess each that was not made before, as one secret answers."""
    secret, seen = game.secrets.random(rng), set()
    while True:
        guess = game.guesses.random(rng)
        if guess in seen and len(seen) < game.guesses.size:
            continue
        seen.add(guess)
        clue = game.rule.notation.full_clue(game.score(guess, secret), guess)
        yield f"{game.format_code(guess)} {game.rule.notation.format(clue)}"


# Kills.


class _Writer(threading.Thread):
    """Adds rows to a board, and remembers those that were acknowledged."""

    def __init__(self, board: str, rows: Iterator[str]) -> None:
        super().__init__(daemon=True)
        self.board, self._rows = board, rows
        self.acknowledged: list[str] = []
        self.sent: list[str] = []
        self.is_over = False

    def run(self) -> None:
        with httpx.Client(timeout=10) as client:
            while not self.is_over:
                row = next(self._rows)
                self.sent.append(row)
                with suppress(httpx.HTTPError):
                    if client.post(f"{self.board}/rows", json={"rows": [row]}).status_code == 200:
                        self.acknowledged.append(row)


def kills(count: int, seed: int, folder: Path) -> dict[str, int]:
    """Kill a server so many times while rows are added; return what was counted."""
    rng = random.Random(seed)
    server = ServerProcess(folder / "boards")
    games = {name: gamefile.load(name) for name in _GAMES}
    boards = {name: server.make(game=name) for name in _GAMES}
    written: dict[str, list[str]] = {name: [] for name in _GAMES}
    sent: dict[str, set[str]] = {name: set() for name in _GAMES}
    counts = {"kills": 0, "rows acknowledged": 0, "rows lost": 0, "rows nobody sent": 0,
              "boards that moved": 0}  # fmt: skip
    try:
        for _ in range(count):
            writers = [_Writer(boards[name], random_rows(games[name], rng)) for name in _GAMES]
            for writer in writers:
                writer.start()
            end = time.monotonic() + 20
            while not any(writer.acknowledged for writer in writers) and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.6))
            server.kill()
            counts["kills"] += 1
            for name, writer in zip(_GAMES, writers, strict=True):
                writer.is_over = True
                writer.join(15)
                counts["rows acknowledged"] += len(writer.acknowledged)
                written[name] += writer.acknowledged
                sent[name] |= set(writer.sent)
            server.start()
            for name, board in boards.items():
                boards[name] = board.replace(_port(board), str(server.port))
                known = httpx.get(boards[name], timeout=20)
                counts["boards that moved"] += known.status_code != 200
                there = {row["guess"] for row in known.json()["rows"]}
                counts["rows lost"] += len({row.split()[0] for row in written[name]} - there)
                counts["rows nobody sent"] += len(there - {row.split()[0] for row in sent[name]})
                if len(written[name]) > 200:
                    # A board with hundreds of rows takes long to answer; a new one goes on.
                    boards[name] = server.make(game=name)
                    written[name], sent[name] = [], set()
    finally:
        server.stop()
    return counts


def _port(address: str) -> str:
    return address.split("/")[2].rpartition(":")[2]


# Readers beside writers.

_QUESTIONS = (
    ("candidates?limit=20", Question("candidates", 20)),
    ("suggestions?top=3", Question("suggest", 3)),
    ("certain", Question("certain")),
    ("conflicts?limit=3", Question("conflicts", 3)),
)


def readers(count: int, seed: int, folder: Path) -> dict[str, int]:
    """Ask so many questions while rows are written; compare each answer with the library's."""
    server = ServerProcess(folder / "boards")
    names = ("2x3", "3x4", "mastermind")
    boards = {name: server.make(game=name) for name in names}
    histories: dict[str, dict[int, list[str]]] = {name: {} for name in names}
    answers: list[tuple[str, int, int, str]] = []
    refused: list[str] = []
    is_over = threading.Event()

    def write(name: str) -> None:
        game, own = gamefile.load(name), random.Random(f"{seed} {name}")
        rows = random_rows(game, own)
        with httpx.Client(timeout=30) as client:
            while not is_over.is_set():
                step = own.random()
                if step < 0.6:
                    answer = client.post(f"{boards[name]}/rows", json={"rows": [next(rows)]})
                elif step < 0.8:
                    answer = client.post(f"{boards[name]}/lines", json={"line": "/undo"})
                else:
                    answer = client.post(f"{boards[name]}/lines", json={"line": "/drop 1"})
                if answer.status_code == 200:
                    known = client.get(boards[name]).json()
                    histories[name][known["version"]] = known["history"]["turns"]
                time.sleep(own.uniform(0, 0.1))

    def ask(number: int) -> None:
        own = random.Random(f"{seed} {number}")
        name, question = own.choice(names), own.randrange(len(_QUESTIONS))
        answer = clients[number % 8].get(f"{boards[name]}/{_QUESTIONS[question][0]}")
        if answer.status_code == 200:
            version = int(answer.headers["etag"].strip('"'))
            answers.append((name, version, question, answer.text))
        else:
            refused.append(answer.text)

    clients = [httpx.Client(timeout=30) for _ in range(8)]
    writers = [threading.Thread(target=write, args=(name,), daemon=True) for name in names]
    try:
        for thread in writers:
            thread.start()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(ask, range(count)))
        is_over.set()
        for thread in writers:
            thread.join()
    finally:
        server.stop()
    counts = {"requests": count, "compared": 0, "different": 0, "versions": 0,
              "of versions seen between two steps": 0, "refused": len(refused)}  # fmt: skip
    expected: dict[tuple[str, int, int], str] = {}
    for name, version, question, text in answers:
        turns = histories[name].get(version, [] if version == 0 else None)
        if turns is None:
            counts["of versions seen between two steps"] += 1
            continue
        key = name, version, question
        if key not in expected:
            expected[key] = _of_library(name, turns, question)
        counts["compared"] += 1
        if json.loads(expected[key]) != json.loads(text):
            counts["different"] += 1
            print(f"{name} {version} {_QUESTIONS[question][0]}:\n  {text}\n  {expected[key]}")
    counts["versions"] = sum(map(len, histories.values()))
    print(refused[:3])
    return counts


def _of_library(name: str, turns: list[str], question: int) -> str:
    """Return what the library answers after some rows, as JSON."""
    game = gamefile.load(name)
    history = merge(game, game.history, game.as_history(turns)).history
    _, asked = _QUESTIONS[question]
    return json.dumps(answer_of(BoardSnapshot(name, name, {}, history).session(), asked, 60))


# Half heads.


async def hold(port: int, count: int, seconds: float, host: str) -> int:
    """Keep so many connections to a server open for so long, none with a whole head of a request.

    Connections that are closed are made again. Return how many were made.
    """
    made, end = 0, time.monotonic() + seconds

    async def one() -> None:
        nonlocal made
        while time.monotonic() < end:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=(host, 0)
                )
                made += 1
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
                with suppress(TimeoutError):
                    async with asyncio.timeout(end - time.monotonic()):
                        await reader.read()
                writer.close()
            await asyncio.sleep(1)

    await asyncio.gather(*(one() for _ in range(count)))
    return made


def heads(
    count: int, seed: int, folder: Path, seconds: float = 20, host: str = "127.0.0.1"
) -> dict[str, float]:
    """Hold half heads on a server that may open 1,024 files; return how long others wait.

    `seed` is of the rows that they write, `host` where the attack comes from.
    """
    server = ServerProcess(folder / "boards", files=1024)
    log = server.folder.with_suffix(".log")
    try:
        board = server.make(game="mastermind")
        rows = random_rows(gamefile.load("mastermind"), random.Random(seed))
        size = log.stat().st_size
        command = [sys.executable, __file__, "hold", str(server.port), str(count), str(seconds)]
        attack = subprocess.Popen([*command, host], stdout=subprocess.PIPE, text=True)
        time.sleep(1)
        during, failed = _visits(board, rows, seconds - 2)
        made = int(attack.communicate(timeout=seconds + 30)[0])
        return {
            "connections made": made,
            "visits": len(during) + failed,
            "failed": failed,
            "median during (ms)": _milliseconds(statistics.median(during or [0])),
            "99 % during (ms)": _milliseconds(sorted(during or [0])[len(during) * 99 // 100]),
            "longest during (ms)": _milliseconds(max(during, default=0)),
            "log (bytes)": log.stat().st_size - size,
        }
    finally:
        server.stop()


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _visits(board: str, rows: Iterator[str], seconds: float) -> tuple[list[float], int]:
    """Read a board and add a row for so long, on a new connection each time.

    Return how long each visit took (seconds), and how many failed.
    """
    took, failed, end = list[float](), 0, time.monotonic() + seconds
    with httpx.Client(timeout=5, limits=httpx.Limits(max_keepalive_connections=0)) as client:
        while time.monotonic() < end:
            began = time.monotonic()
            try:
                known = client.get(board)
                written = client.post(f"{board}/rows", json={"rows": [next(rows)]})
                is_answered = known.is_success and written.is_success
            except httpx.HTTPError:
                is_answered = False
            if is_answered:
                took.append(time.monotonic() - began)
            else:
                failed += 1
            time.sleep(0.1)
    return took, failed


# Followers.


def followers(count: int, seed: int, folder: Path) -> dict[str, float]:
    """Follow boards of 960 rows without reading; return the memory, and how long a row takes."""
    server = ServerProcess(folder / "boards")
    process = psutil.Process(server.process.pid)
    rows = random_rows(gamefile.load("cryptic"), random.Random(seed))
    boards = [server.make(game="cryptic") for _ in range(4)]
    took, streams, memory = list[float](), list[socket.socket](), list[int]()
    try:
        for board in boards:
            first = [next(rows) for _ in range(960)]
            httpx.post(f"{board}/rows", json={"rows": first}, timeout=60).raise_for_status()
        before = process.memory_info().rss
        for number in range(count):
            stream = socket.socket()
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            stream.bind(("127.0.0.2", 0))
            stream.connect(("127.0.0.1", server.port))
            path = "/" + boards[number % 4].split("/", 3)[3]
            stream.sendall(f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            streams.append(stream)
        for number in range(20):
            began = time.monotonic()
            row = {"rows": [next(rows)]}
            httpx.post(f"{boards[number % 4]}/rows", json=row, timeout=60).raise_for_status()
            took.append(time.monotonic() - began)
            memory.append(process.memory_info().rss)
            time.sleep(0.5)
    finally:
        server.stop()
    return {
        "memory before (MB)": before // 10**6,
        "largest memory (MB)": max(memory) // 10**6,
        "memory after (MB)": memory[-1] // 10**6,
        "longest row (ms)": _milliseconds(max(took)),
        "median row (ms)": _milliseconds(statistics.median(took)),
    }


def _main() -> None:
    kind, number = sys.argv[1], int(sys.argv[2])
    if kind == "hold":
        print(asyncio.run(hold(number, int(sys.argv[3]), float(sys.argv[4]), sys.argv[5])))
        return
    run = {"kills": kills, "readers": readers, "heads": heads, "followers": followers}[kind]
    with tempfile.TemporaryDirectory() as place:
        print(run(number, int(sys.argv[3]) if len(sys.argv) > 3 else 1, Path(place)))


if __name__ == "__main__":
    _main()
