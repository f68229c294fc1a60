"""Proofs of `optimal` as a run of the lab: what is found is kept in a file, and shared out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from puzzlehunt import __version__
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import LabError
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.lab.batches import LAB_ONLY, Player
from puzzlehunt.lab.checkpoint import Checkpoint, counts_in, rows_of
from puzzlehunt.lab.workers import solve_on_cluster
from puzzlehunt.strategies.search.hard import Hard
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds, ProofLog


def proves(player: Player) -> bool:
    """Return whether a player's games begin with the proof that their play is the best."""
    game = player.game
    if game.play.strategy in LAB_ONLY or game.history.items:
        return False
    return isinstance(player.strategy, Optimal | Hard)


@contextmanager
def proving(
    player: Player,
    checkpoint: Path | None,
    cluster: str | None,
    report: Callable[[Bounds], None],
) -> Iterator[None]:
    """Let a player's proof report its bounds, go on from a checkpoint, and use a Dask cluster.

    Raises LabError for a checkpoint of another proof, and for a cluster in hard mode.
    """
    strategy = player.strategy
    assert isinstance(strategy, Optimal | Hard)
    if cluster is not None and isinstance(strategy, Hard):
        raise LabError("--cluster: hard mode is searched on one machine; leave --cluster out")
    proof_log = ProofLog(report=report)
    if checkpoint is not None:
        file = _checkpoint_of(player.game, checkpoint)
        proof_log = replace(proof_log, found=file.begin, note=file.add)
    if cluster is not None:
        proof_log = replace(proof_log, elsewhere=partial(solve_on_cluster, player, cluster=cluster))
    before, strategy.proof_log = strategy.proof_log, proof_log
    try:
        yield
    finally:
        strategy.proof_log = before


def _checkpoint_of(game: Game, path: Path) -> Checkpoint[BoundRecord]:
    """Return the file of a game's proof. Raises LabError where it is another's."""
    play = game.play
    header = {
        "checkpoint": __version__,
        "proof": fingerprint(game),
        "rows": rows_of(game),
        "pool": play.pool,
        "opening": play.opening,
    }

    def finding(line: dict[str, Any]) -> BoundRecord:
        first, guess, second = (_code(game, line[key]) for key in ("first", "guess", "second"))
        (floor,), answer = counts_in([line["floor"]]), line["answer"]
        if answer is not None:
            (answer,) = counts_in([answer])
        elif guess is not None or second is not None:
            raise ValueError
        if first is None or (answer or 0) >= len(game.rule.feedbacks) or not floor:
            raise ValueError
        if len(line) != 5:
            raise ValueError
        return BoundRecord(first, answer, floor, guess, second)

    return Checkpoint(path, header, BoundRecord._asdict, finding, "value that a proof found")


def _code(game: Game, value: object) -> Code | None:
    """Return the code that a line holds. Raises ValueError for what may not be guessed."""
    if value is None:
        return None
    code = tuple(counts_in(value))
    if not (game.is_code(code) and (code in game.guesses or code in game.secrets)):
        raise ValueError
    return code
