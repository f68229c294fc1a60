"""The command `lab run`: a strategy against every secret of a game, or a sample of them."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from puzzlehunt.cli.asked import (
    Asked,
    check_free,
    engine_with_history,
    open_game,
    takes,
    write_file,
)
from puzzlehunt.cli.options import (
    CHECKPOINT,
    CLUSTER,
    CSV,
    ENGINES,
    FORCE,
    GAME,
    GUESS_BUDGET,
    GUESS_CHOICE,
    JOBS,
    JSON,
    LAB_STRATEGY,
    READS,
    SECRETS,
    SEED,
    SETTINGS,
    STRATEGY,
    TREE,
)
from puzzlehunt.cli.output import (
    fail,
    note,
    open_screen,
    print_json,
    progress_bar,
    progress_note,
    result,
)
from puzzlehunt.errors import InvalidCodeError, TreeError, UnknownNameError

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game
    from puzzlehunt.lab.secrets import Secrets
    from puzzlehunt.lab.tournament import Result
    from puzzlehunt.strategies.base import Strategy
    from puzzlehunt.strategies.search.proof import Bounds

_PAUSE_ON_SCREEN, _PAUSE = 2.0, 60.0
"""Seconds between two lines about a proof, if a person watches or nobody does."""


@takes(
    GAME, SECRETS, JSON, *SETTINGS, *ENGINES, LAB_STRATEGY, *GUESS_CHOICE, READS, SEED,
    GUESS_BUDGET, JOBS, CLUSTER, CHECKPOINT, CSV, TREE, FORCE
)  # fmt: skip
def run(asked: Asked) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run nethack --strategy minimax --pool candidates --ties first --opening AABBC

    puzzlehunt lab run 16x6 --secrets 1000 --checkpoint 16x6.part --csv 16x6.csv

    puzzlehunt lab run wordle --secrets answers.txt

    puzzlehunt lab run 5x6 --strategy optimal --checkpoint 5x6.part
    """
    from puzzlehunt.views.explanations import contradiction_line
    from puzzlehunt.views.json import result_json
    from puzzlehunt.views.tournaments import result_csv, unlisted_line

    asked = asked.with_value(STRATEGY, asked[LAB_STRATEGY])
    csv, tree = asked[CSV], asked[TREE]
    _check_apart({"--csv": csv, "--tree": tree, "--checkpoint": asked[CHECKPOINT]})
    check_free(asked, csv, tree)
    game, strategy = _contender(asked)
    secrets = _secrets_to_play(asked[SECRETS], game)
    if tree is not None:
        _check_tree(tree, game, strategy, secrets)
    played = _played(asked, game, secrets, strategy)
    if asked[JSON]:
        print_json(result_json(played))
    elif len(played.outcomes):
        _show(played)
    if csv is not None:
        write_file(asked, csv, result_csv(played))
    if tree is not None and strategy is not None:
        _write_tree(asked, tree, played, strategy)
    if not len(played.outcomes):
        if played.unlisted:
            fail(f"--secrets {asked[SECRETS]}: {unlisted_line(played)}", 1)
        fail(contradiction_line(game, engine_with_history(game)), 1)


def _check_apart(files: "dict[str, Path | None]") -> None:
    """Raise UnknownNameError where two options name the same file."""
    option_of: dict[Path, str] = {}
    for option, path in files.items():
        if path is None:
            continue
        other = option_of.setdefault(path.absolute(), option)
        if other != option:
            raise UnknownNameError(f"{option} {path}: {other} names that file, too; name another")


def sample_size(text: str) -> int | None:
    """Return how many secrets `--secrets` asks for, None for all. Raises UnknownNameError."""
    if text == "all":
        return None
    if not (text.isdecimal() and len(text) < 1_000 and int(text) > 0):
        raise UnknownNameError(f"--secrets {text}: expected all, or a number above 0")
    return int(text)


def _secrets_to_play(text: str, game: "Game") -> "Secrets":
    """Return the secrets that `--secrets` asks for: all, a number, or the codes of a file.

    The file has one code a line, as word lists do. Raises UnknownNameError.
    """
    from puzzlehunt.codes import words
    from puzzlehunt.codes.files import path_written

    if text == "all" or text.lstrip("-").isdecimal():
        return sample_size(text)
    path = path_written(text)
    if not path.is_file():
        raise UnknownNameError(
            f"--secrets {text}: expected all, a number above 0, or a file with one secret a line"
        )
    try:
        secrets = [game.parse_secret(word) for word in words.read(path)]
    except InvalidCodeError as error:
        raise UnknownNameError(f"--secrets {text}: {error}") from None
    if not secrets:
        raise UnknownNameError(f"--secrets {text}: the file holds no secret")
    return secrets


def _contender(asked: Asked) -> "tuple[Game, Strategy | None]":
    """Return the game and its strategy; that is None where only the lab knows it."""
    from puzzlehunt.lab import tournament
    from puzzlehunt.lab.batches import LAB_ONLY
    from puzzlehunt.strategies.registry import find_strategy

    name = asked[STRATEGY]
    if name is not None:
        tournament.check_name(name)
    if name in LAB_ONLY:
        game = open_game(asked.with_value(STRATEGY, None))
        return game.with_play({"strategy": name}), None
    game = tournament.with_strategy_that_plays(open_game(asked))
    return game, find_strategy(game.play.strategy).for_game(game)


def _played(
    asked: Asked, game: "Game", secrets: "Secrets", strategy: "Strategy | None"
) -> "Result":
    from puzzlehunt.lab import tournament
    from puzzlehunt.lab.secrets import MOST_SECRETS

    games = game.secrets.size if secrets is None else secrets
    games = games if isinstance(games, int) else len(games)
    proof = _Proof(game)
    try:
        with progress_bar(games if games <= MOST_SECRETS else 0) as progress:
            return tournament.run(
                game, name=asked[GAME], secrets=secrets, budget=asked[GUESS_BUDGET],
                progress=progress, prepared=strategy, jobs=asked[JOBS], cluster=asked[CLUSTER],
                checkpoint=asked[CHECKPOINT], bounds=proof.show,
            )  # fmt: skip
    except KeyboardInterrupt:
        if proof.bounds is not None:
            proof.stop(asked)
        if (file := asked[CHECKPOINT]) is not None and file.exists():
            fail(f"stopped; the same command goes on from {file}", 130)
        raise


class _Proof:
    """How far the proof of a game is, shown on stderr now and then."""

    def __init__(self, game: "Game") -> None:
        self.game = game
        self.bounds: Bounds | None = None
        self._begun = self._shown = time.monotonic()

    def show(self, bounds: "Bounds") -> None:
        """Take in how far the proof is, and show it if that was not done just before."""
        self.bounds = bounds
        pause = _PAUSE_ON_SCREEN if sys.stderr.isatty() else _PAUSE
        if not bounds.proved and time.monotonic() - self._shown >= pause:
            self._shown = time.monotonic()
            progress_note(f"{self._line()}, {self._shown - self._begun:.0f} s")

    def stop(self, asked: Asked) -> NoReturn:
        """Print what an interrupted proof had found, and leave."""
        from puzzlehunt.views.json import stopped_json

        assert self.bounds is not None
        if asked[JSON]:
            seconds = time.monotonic() - self._begun
            print_json(stopped_json(self.game, asked[GAME], self.bounds, seconds))
        else:
            result(f"{asked[GAME]}: {self._line()}")
        if (file := asked[CHECKPOINT]) is not None:
            fail(f"stopped; the same command goes on from {file}", 3)
        fail("stopped; with --checkpoint FILE a proof goes on where it was stopped", 3)

    def _line(self) -> str:
        from puzzlehunt.views.tournaments import bounds_line

        assert self.bounds is not None
        return bounds_line(self.bounds, self.game)


def _check_tree(path: Path, game: "Game", strategy: "Strategy | None", secrets: "Secrets") -> None:
    """Raise TreeError, before hours of play, where no tree could be written at the end."""
    from puzzlehunt.lab.growing import check_grows

    if secrets is not None:
        raise TreeError(f"--tree {path}: a tree is of all secrets; leave --secrets out")
    if strategy is None:
        raise TreeError(
            f"--tree {path}: {game.play.strategy_name} makes no tree; it is for the lab alone"
        )
    check_grows(game, strategy)


def _write_tree(asked: Asked, path: Path, result: "Result", strategy: "Strategy") -> None:
    from puzzlehunt.lab.growing import grow, grown_file
    from puzzlehunt.strategies.base import Budget
    from puzzlehunt.strategies.search import tree

    guess_budget = asked[GUESS_BUDGET]
    grown = grow(result.game, strategy, Budget(guesses=guess_budget))
    tree.write(path, grown_file(result, grown, guess_budget), overwrite=asked[FORCE])


def _show(result: "Result") -> None:
    from puzzlehunt.views.tournaments import result_lines, result_notes

    open_screen().lines(result_lines(result))
    for line in result_notes(result):
        note(line)
