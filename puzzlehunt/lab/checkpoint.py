"""Checkpoints: files from which an interrupted tournament or proof continues.

The first line identifies the run. Each other line holds finished games, or a value that a proof
found, and a checksum, since one wrong digit would make a false proof. An incomplete last line, left
by an interrupt, is ignored.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, cast
from zlib import crc32

from puzzlehunt import __version__
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files.atomic import write_atomically, writing
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.lab.batches import BatchResult, Player
from puzzlehunt.lab.secrets import Secrets
from puzzlehunt.lab.worker_pool import Execution, solve_all
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds, ProofLog

JsonObject: TypeAlias = dict[str, Any]

_MOST_BYTES = 512_000_000
"""Largest checkpoint (bytes): far more than the games of the longest tournament."""


def header_of(player: Player, secrets: Secrets = None) -> JsonObject:
    """Return the first line of a checkpoint, which is the same for equal games and settings."""
    game, play = player.game, player.game.play
    items = game.history.items
    rows = [game.format_turn(each) if isinstance(each, Turn) else each.text for each in items]
    if player.proves:
        return {
            "checkpoint": __version__,
            "proof": fingerprint(game),
            "rows": rows,
            "pool": play.pool,
            "opening": play.opening,
        }
    return {
        "checkpoint": __version__,
        "game": fingerprint(game),
        "rows": rows,
        "strategy": play.strategy_name,
        "engine": play.engine,
        "pool": play.pool,
        "ties": play.ties,
        "opening": play.opening,
        "seed": play.seed,
        "secrets": _secrets_text(game, secrets),
        "budget": player.budget,
    }


def _secrets_text(game: Game, secrets: Secrets) -> int | str:
    """Return what the header says about the secrets; a hash identifies given secrets."""
    if secrets is None or isinstance(secrets, int):
        return "all" if secrets is None else secrets
    texts = "\n".join(map(game.format_code, secrets))
    return f"{len(secrets)} given, {hashlib.sha256(texts.encode()).hexdigest()[:12]}"


class Checkpoint:
    """The file of one run's results so far, which are JSON objects; cut-off lines are removed.

    Raises PuzzlehuntError for a file of another run, and if the file cannot be read or written.
    """

    def __init__(self, path: Path, header: JsonObject) -> None:
        self.path, self.header = path, header
        self.results = self._read()
        lines = [json.dumps(header), *map(_line, self.results)]
        write_atomically(path, "".join(f"{line}\n" for line in lines))

    def _read(self) -> list[JsonObject]:
        try:
            text = read_bytes(self.path, _MOST_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise PuzzlehuntError(f"{self.path}: cannot be read ({error.strerror})") from None
        if not text:
            return []
        first, *lines = text.split("\n")
        header = _object(first)
        if "checkpoint" not in header:
            raise PuzzlehuntError(
                f"{self.path}: this is not a checkpoint; nothing was written. Name another file"
            )
        if header != self.header:
            keys = [key for key in self.header if header.get(key) != self.header[key]]
            differing = ", ".join(f"{key} {header.get(key)!r}" for key in keys)
            raise PuzzlehuntError(
                f"{self.path}: the checkpoint of another run ({differing}); nothing was written. "
                "Name another file"
            )
        results = list(map(_object, lines[:-1]))
        for number, result in enumerate(results, start=2):
            if result.pop("check", None) != _checksum(result):
                raise PuzzlehuntError(
                    f"{self.path}:{number}: this line was changed; nothing was written. Take it "
                    "out, or name another file"
                )
        return results

    def add(self, result: JsonObject) -> None:
        """Append a result."""
        with writing(self.path), self.path.open("a", encoding="utf-8") as file:
            file.write(_line(result) + "\n")


def _object(line: str) -> JsonObject:
    """Return the object that a line holds, an empty one if it holds none."""
    try:
        value = json.loads(line)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {}


def _checksum(result: JsonObject) -> int:
    return crc32(json.dumps(result).encode())


def _line(result: JsonObject) -> str:
    return json.dumps(result | {"check": _checksum(result)})


def line_of(result: BatchResult) -> JsonObject:
    """Return the line of a batch's result."""
    return asdict(result)


def result_of(line: JsonObject) -> BatchResult:
    """Return the result of a batch from its line."""
    first, basis = line["first"], line["basis"]
    basis = basis if isinstance(basis, str) else ""
    return BatchResult(**line | {"first": first and tuple(first), "basis": basis})


@contextmanager
def proving(
    player: Player,
    execution: Execution,
    report: Callable[[Bounds], None],
    records: list[BoundRecord],
) -> Iterator[None]:
    """Set up a player's proof: where it reports bounds, its checkpoint, its cluster.

    What it finds, and what its checkpoint has, is added to `records`. Raises PuzzlehuntError for a
    checkpoint of another proof.
    """
    strategy, file = cast(Optimal, player.strategy), None
    if execution.checkpoint is not None:
        file = Checkpoint(Path(execution.checkpoint), header_of(player))
        # Earlier versions kept bounds of single second guesses, too.
        records += [_record(line) for line in file.results if line.get("second") is None]
    earlier = tuple(records)

    def note(record: BoundRecord) -> None:
        records.append(record)
        if file is not None:
            file.add(record._asdict())

    elsewhere = None if execution.cluster is None else partial(solve_all, player)
    before = strategy.proof_log
    strategy.proof_log = ProofLog(lambda: earlier, note, report, elsewhere)
    try:
        yield
    finally:
        strategy.proof_log = before


def _record(line: JsonObject) -> BoundRecord:
    first, answer, floor, guess = (line[name] for name in BoundRecord._fields)
    return BoundRecord(tuple(first), answer, floor, guess and tuple(guess))
