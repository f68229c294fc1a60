"""Where a tournament runs, and the checkpoint from which an interrupted one continues.

The first line of a checkpoint identifies the run. Each other line holds finished games, or a value
that a proof found, and a checksum, since one wrong digit would make a false proof. An incomplete
last line is ignored.
"""

import json
import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Generic, TypeVar, cast
from zlib import crc32

from puzzlehunt import __version__
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import PuzzlehuntError, check_number, missing_package
from puzzlehunt.game.files.atomic import write_atomically, writing
from puzzlehunt.game.game import fingerprint
from puzzlehunt.game.history import Turn
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.kernels import fast
from puzzlehunt.lab.batches import Batch, BatchResult, Player, Secrets
from puzzlehunt.strategies.search.branch_and_bound import Task
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds, ProofLog

Piece = TypeVar("Piece")
Done = TypeVar("Done")
Record = TypeVar("Record", BatchResult, BoundRecord)

_CHECK = ', "check": '
_CODES = ("first", "guess")
"""The keys of results whose values are codes."""
_SECONDS_ALONE = 2.0
"""Processes are started only after this many seconds of work: starting them takes as long."""


@dataclass(frozen=True, slots=True)
class Execution:
    """Where a run's games are played, and the file from which an interrupted run continues.

    `jobs` is the number of processes: by default one for each core, or a single one without the
    extra `fast`. `cluster` is the address of the scheduler of a Dask cluster, which plays the games
    instead. The results are the same. `checkpoint` is the file.

    >>> puzzlehunt.run("2x2", "first", execution=puzzlehunt.Execution(jobs=1)).played.total()
    4
    """

    jobs: int | None = None
    cluster: str | None = None
    checkpoint: str | Path | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None:
            check_number("jobs", self.jobs, 1, whole=True)


def play_all(
    player: Player, batches: Sequence[Batch], execution: Execution
) -> Iterator[BatchResult]:
    """Yield the results of the batches, in order."""
    processes = execution.jobs or (os.cpu_count() if fast.is_installed() else None) or 1
    left, here = deque(batches), execution.cluster is None
    if here and processes > 1:
        fast.check_installed(f"{processes} processes need joblib")
    end = time.monotonic() + _SECONDS_ALONE
    while left and here and (processes == 1 or time.monotonic() < end):
        yield player.play(left.popleft())
    if left:
        yield from _elsewhere(Player.play, player, [*left], processes)


def _elsewhere(
    function: Callable[[Player, Piece], Done],
    player: Player,
    pieces: Sequence[Piece],
    processes: int | None = None,
) -> Iterator[Done]:
    """Yield the results of a function for each piece of work, in order, from other processes."""
    import cloudpickle
    from joblib import Parallel, delayed

    pickled = cloudpickle.dumps((player.game, player.budget))
    parallel = Parallel(n_jobs=processes, return_as="generator")
    yield from parallel(delayed(_done)(function, pickled, piece) for piece in pieces)


def _done(function: Callable[[Player, Piece], Done], pickled: bytes, piece: Piece) -> Done:
    return function(_player(pickled), piece)


def _solve(player: Player, task: Task) -> tuple[int, int]:
    return cast(Optimal, player.strategy).search_of(player.position())[0].solve(task)


@lru_cache(maxsize=2)
def _player(pickled: bytes) -> Player:
    """Return the player of another process, which it keeps for the next piece of work."""
    return Player(*pickle.loads(pickled))


@contextmanager
def on_cluster(address: str) -> Iterator[None]:
    """Give the work inside the `with` block to the Dask cluster at an address.

    Raises PuzzlehuntError if it does not answer, is lost on the way, or Dask is not installed.
    """
    try:
        from distributed import Client, KilledWorker
        from joblib import parallel_config
    except ImportError:
        raise missing_package("a cluster needs Dask", "cluster") from None
    try:
        client = Client(address, timeout=5, set_as_default=False)
    except (OSError, ValueError, TypeError):
        raise PuzzlehuntError(
            f"cluster {address}: no scheduler answers there; expected an address such as "
            "tcp://127.0.0.1:8786"
        ) from None
    with client, parallel_config(backend="dask", client=client):
        if not client.ncores():
            raise PuzzlehuntError(f"cluster {address}: it has no workers; start some first")
        try:
            yield
        except (KilledWorker, CancelledError, OSError) as error:
            raise PuzzlehuntError(
                f"cluster {address}: it was lost on the way ({type(error).__name__}); with "
                "a checkpoint a run continues where it stopped"
            ) from None


def _header_of(player: Player, secrets: Secrets) -> dict[str, object]:
    """Return the first line of a checkpoint, which is the same for equal games and settings."""
    game, play = player.game, player.game.play
    items = game.history.items
    rows = [format_turn(game, each) if isinstance(each, Turn) else each.text for each in items]
    kind = "proof" if player.proves else "game"
    header: dict[str, object] = {"checkpoint": __version__, kind: fingerprint(game), "rows": rows}
    if player.proves:
        return header | {"pool": play.pool, "opening": play.opening}
    header["strategy"] = play.strategy_name
    header |= {name: getattr(play, name) for name in ("engine", "pool", "ties", "opening", "seed")}
    if not isinstance(secrets, int | None):
        return header | {"secrets": [*map(game.format_code, secrets)], "budget": player.budget}
    return header | {"secrets": secrets or "all", "budget": player.budget}


class Checkpoint(Generic[Record]):
    """The file of one run's results so far, which are of one `kind`; cut-off lines are removed.

    Raises PuzzlehuntError for a file of another run, and if the file cannot be read or written.
    """

    def __init__(self, path: Path, header: dict[str, object], kind: type[Record]) -> None:
        self.path = path
        self._kind: type[Record] = kind
        lines = self._read(json.dumps(header))
        self.results: list[Record] = [self._result(*each) for each in enumerate(lines[1:], start=2)]
        write_atomically(path, "".join(f"{line}\n" for line in lines))

    def _read(self, header: str) -> list[str]:
        if not self.path.exists():
            return [header]
        text = read_bytes(self.path, 512_000_000, PuzzlehuntError).decode("utf-8", "replace")
        lines = text.split("\n")[:-1]
        if text and lines[:1] != [header]:
            raise PuzzlehuntError(
                f"{self.path}: this is no checkpoint of this run; nothing was written. Name "
                "another file"
            )
        return lines or [header]

    def _result(self, number: int, line: str) -> Record:
        text = line.rpartition(_CHECK)[0] + "}"
        if line != _checked(text):
            raise PuzzlehuntError(
                f"{self.path}:{number}: this line was changed; nothing was written. Take it "
                "out, or name another file"
            )
        values = json.loads(text)
        codes = {key: tuple(values[key]) for key in _CODES if values.get(key) is not None}
        return self._kind._make((values | codes)[key] for key in self._kind._fields)

    def add(self, result: Record) -> None:
        """Append a result."""
        line = _checked(json.dumps(result._asdict()))
        with writing(self.path), self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"{line}\n")


def open_checkpoint(
    execution: Execution, player: Player, secrets: Secrets, kind: type[Record]
) -> Checkpoint[Record] | None:
    """Return the checkpoint of a run, None if there is to be none. Raises PuzzlehuntError."""
    if execution.checkpoint is None:
        return None
    return Checkpoint(Path(execution.checkpoint), _header_of(player, secrets), kind)


def _checked(text: str) -> str:
    """Return the text of a JSON object with its checksum as the last key."""
    return f"{text[:-1]}{_CHECK}{crc32(text.encode())}}}"


def open_proof(player: Player, execution: Execution, bounds: Callable[[Bounds], None]) -> None:
    """Set up a player's proof: where it reports bounds, its checkpoint, its cluster.

    Raises PuzzlehuntError for a checkpoint of another proof.
    """
    file = open_checkpoint(execution, player, None, BoundRecord)
    if file is not None:
        player.records = file.results

    def note(record: BoundRecord) -> None:
        player.records.append(record)
        if file is not None:
            file.add(record)

    def report(found: Bounds) -> None:
        player.bounds = found
        bounds(found)

    elsewhere = None if execution.cluster is None else partial(_elsewhere, _solve, player)
    strategy = cast(Optimal, player.strategy)
    strategy.proof_log = ProofLog(tuple(player.records), note, report, elsewhere)
