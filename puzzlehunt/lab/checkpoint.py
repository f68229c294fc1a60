"""Checkpoints: files from which an interrupted tournament or proof continues.

The first line identifies the run. Each other line holds finished games, or a value that a proof
found, and a checksum, since one wrong digit would make a false proof. An incomplete last line, left
by an interrupt, is ignored.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar, cast
from zlib import crc32

from puzzlehunt import __version__
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import PuzzlehuntError, SessionError
from puzzlehunt.game.files.atomic import write_atomically
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.lab.batches import LAB_ONLY, BatchResult, Player
from puzzlehunt.lab.secrets import Secrets
from puzzlehunt.lab.worker_pool import Execution, solve_on_cluster
from puzzlehunt.strategies.basis import Basis, EvaluationScope
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds, ProofLog

Found = TypeVar("Found")
JsonObject: TypeAlias = dict[str, object]

_MOST_BYTES = 512_000_000
"""Largest checkpoint (bytes): far more than the games of the longest tournament."""


def header_of(game: Game, secrets: Secrets, budget: int | None) -> JsonObject:
    """Return the first line of a checkpoint, which is the same for equal games and settings."""
    play = game.play
    return {
        "checkpoint": __version__,
        "game": fingerprint(game),
        "rows": rows_of(game),
        "strategy": play.strategy_name,
        "engine": play.engine,
        "pool": play.pool,
        "ties": play.ties,
        "opening": play.opening,
        "seed": play.seed,
        "secrets": _secrets_text(game, secrets),
        "budget": budget,
    }


def rows_of(game: Game) -> list[str]:
    """Return the rows of a game's own history, as text."""

    def text(item: Item) -> str:
        if not isinstance(item, Turn):
            return item.text
        doubt = " ?" if item.doubted else ""
        return f"{game.format_code(item.guess)} {game.rule.format(item.clue)}{doubt}"

    return list(map(text, game.history.items))


def _secrets_text(game: Game, secrets: Secrets) -> int | str:
    """Return what the header says about the secrets; a hash identifies given secrets."""
    if secrets is None or isinstance(secrets, int):
        return "all" if secrets is None else secrets
    texts = "\n".join(map(game.format_code, secrets))
    return f"{len(secrets)} given, {hashlib.sha256(texts.encode()).hexdigest()[:12]}"


class Checkpoint(Generic[Found]):
    """The file of one run's results so far. Raises PuzzlehuntError for a file of another run.

    `line_of` makes a line of a result, and `result_of` reads it back; it raises KeyError, TypeError
    or ValueError for a line that holds no result. `what` names the results in messages.
    """

    def __init__(
        self,
        path: Path,
        header: JsonObject,
        line_of: Callable[[Found], JsonObject],
        result_of: Callable[[JsonObject], Found],
        what: str,
    ) -> None:
        self.path, self.header = path, header
        self._line_of, self._result_of, self._what = line_of, result_of, what
        self._results = self._read()

    @classmethod
    def of_games(cls, path: Path, header: JsonObject) -> "Checkpoint[BatchResult]":
        """Return the file of a tournament's games."""
        return Checkpoint(path, header, _line, _result, "games that were played")

    def _read(self) -> list[Found]:
        """Return the results in the file. Raises PuzzlehuntError if it is of another run."""
        try:
            text = read_bytes(self.path, _MOST_BYTES).decode("utf-8")
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise PuzzlehuntError(f"{self.path}: cannot be read ({reason})") from None
        lines = text.splitlines(keepends=True)
        if not lines:
            return []
        try:
            header: object = json.loads(lines[0])
        except ValueError:
            header = None
        if not isinstance(header, dict) or "checkpoint" not in header:
            raise PuzzlehuntError(
                f"{self.path}: this is not a checkpoint; nothing was written. Name another file"
            )
        if header != self.header:
            keys = [key for key in self.header if header.get(key) != self.header[key]]
            differing = ", ".join(f"{key} {header.get(key)!r}" for key in keys) or "more keys"
            raise PuzzlehuntError(
                f"{self.path}: the checkpoint of another run ({differing}); nothing was written. "
                "Name another file"
            )
        results: list[Found] = []
        if not lines[-1].endswith("\n"):
            del lines[-1]
        for number, line in enumerate(lines[1:], start=2):
            try:
                results.append(self._result_of(_checked(line)))
            except (KeyError, TypeError, ValueError):
                raise PuzzlehuntError(
                    f"{self.path}:{number}: this line holds no {self._what}, or was changed; "
                    "nothing was written. Take the line out, or name another file"
                ) from None
        return results

    def begin(self) -> list[Found]:
        """Rewrite the file without cut-off lines; return its results.

        Raises PuzzlehuntError if the file cannot be written.
        """
        lines = [json.dumps(self.header), *(_text(self._line_of(each)) for each in self._results)]
        try:
            write_atomically(self.path, "".join(f"{line}\n" for line in lines))
        except SessionError as error:
            raise PuzzlehuntError(str(error)) from None
        return self._results

    def add(self, result: Found) -> None:
        """Append a result. Raises PuzzlehuntError if the file cannot be written."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(_text(self._line_of(result)) + "\n")
        except OSError as error:
            raise PuzzlehuntError(f"{self.path}: cannot be written ({error.strerror})") from None


def _text(line: JsonObject) -> str:
    """Return a line as it is written: with its checksum, `check`."""
    return json.dumps(line | {"check": crc32(json.dumps(line).encode())})


def _checked(line: str) -> JsonObject:
    """Return what a line holds. Raises KeyError or ValueError if it was changed."""
    value: object = json.loads(line)
    if not isinstance(value, dict) or value.pop("check") != crc32(json.dumps(value).encode()):
        raise ValueError
    return value


def _line(result: BatchResult) -> JsonObject:
    basis = result.basis
    fields_of_it = "" if basis is None else asdict(basis) | {"evaluated": basis.evaluated.name}
    return asdict(result) | {"basis": fields_of_it}


def _result(line: JsonObject) -> BatchResult:
    """Return the result that a line holds. Raises KeyError, TypeError, ValueError for no result."""
    first, basis = line["first"], _basis(line["basis"])
    numbers, played, known = (counts_in(line[key]) for key in ("numbers", "played", "known"))
    if not 0 < len(numbers) == len(played) == len(known) or len(line) != len(fields(BatchResult)):
        raise ValueError
    code = None if first is None else tuple(counts_in(first))
    return BatchResult(numbers, played, known, code, basis)


def counts_in(values: object) -> list[int]:
    """Return a list of whole numbers, 0 or more. Raises ValueError for anything else."""
    if isinstance(values, list) and all(type(n) is int and 0 <= n < 2**31 for n in values):
        return values
    raise ValueError


def _basis(value: object) -> Basis | None:
    """Return the basis of a line. Raises KeyError, TypeError, ValueError for an unknown one."""
    if isinstance(value, dict):
        return Basis(**value | {"evaluated": EvaluationScope[value["evaluated"]]})
    if not value:
        return None
    raise ValueError(f"{value!r} is not a basis")


def proves(player: Player) -> bool:
    """Return whether a player's games begin with the proof that their play is the best."""
    game = player.game
    return not (game.play.strategy in LAB_ONLY or game.history.items) and player.strategy.proves


@contextmanager
def proving(
    player: Player,
    execution: Execution,
    report: Callable[[Bounds], None],
    records: list[BoundRecord],
) -> Iterator[None]:
    """Set up a player's proof: where it reports bounds, its checkpoint, its Dask cluster.

    What it finds, and what its checkpoint has, is added to `records`. Raises PuzzlehuntError for a
    checkpoint of another proof.
    """
    strategy, cluster = cast(Optimal, player.strategy), execution.cluster
    proof_log = ProofLog(note=records.append, report=report)
    if execution.checkpoint is not None:
        file = _checkpoint_of(player.game, Path(execution.checkpoint))

        def found() -> list[BoundRecord]:
            earlier = file.begin()
            records.extend(earlier)
            return earlier

        def note(record: BoundRecord) -> None:
            file.add(record)
            records.append(record)

        proof_log = replace(proof_log, found=found, note=note)
    if cluster is not None:
        proof_log = replace(proof_log, elsewhere=partial(solve_on_cluster, player, cluster=cluster))
    before, strategy.proof_log = strategy.proof_log, proof_log
    try:
        yield
    finally:
        strategy.proof_log = before


def _checkpoint_of(game: Game, path: Path) -> Checkpoint[BoundRecord]:
    """Return the file of a game's proof. Raises PuzzlehuntError for a file of another proof."""
    play = game.play
    header: JsonObject = {
        "checkpoint": __version__,
        "proof": fingerprint(game),
        "rows": rows_of(game),
        "pool": play.pool,
        "opening": play.opening,
    }

    def finding(line: JsonObject) -> BoundRecord:
        first, guess, second = (_code(game, line[key]) for key in ("first", "guess", "second"))
        (floor,), answer = counts_in([line["floor"]]), line["answer"]
        if answer is not None:
            (answer,) = counts_in([answer])
        elif guess is not None or second is not None:
            raise ValueError
        known = len(line) == 5 and (answer or 0) < len(game.rule.feedbacks)
        if first is None or not floor or not known:
            raise ValueError
        return BoundRecord(first, answer, floor, guess, second)

    return Checkpoint(path, header, BoundRecord._asdict, finding, "value that a proof found")


def _code(game: Game, value: object) -> Code | None:
    """Return the code that a line holds. Raises ValueError if it may not be guessed."""
    if value is None:
        return None
    code = tuple(counts_in(value))
    if not (game.is_code(code) and (code in game.guesses or code in game.secrets)):
        raise ValueError
    return code
