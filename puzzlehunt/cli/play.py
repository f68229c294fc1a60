"""The command `play`: a person plays, in a terminal or from a pipe."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from puzzlehunt.cli.asked import Asked, changed_keys, check_solver, open_game, takes
from puzzlehunt.cli.options import (
    CHOICE,
    COACH,
    ECHO,
    ENGINES,
    GUESSES,
    PLAYED,
    READS,
    SECONDS,
    SEED,
    SESSION,
    SET,
    SETTINGS,
    STRATEGY,
    WORDS,
)
from puzzlehunt.cli.output import note, open_screen
from puzzlehunt.errors import PuzzlehuntError, SessionError, UnknownNameError

if TYPE_CHECKING:
    from puzzlehunt.session.session import Session


@takes(
    PLAYED, SESSION, COACH, ECHO, *SETTINGS, *ENGINES, STRATEGY, *CHOICE, READS, SEED, SECONDS
)  # fmt: skip
def play(asked: Asked) -> None:
    r"""Play: type guesses and what you could read of the answers.

    puzzlehunt play cryptic

    printf 'HORSE B_WR_\n/candidates 5\n' | puzzlehunt play cryptic
    """
    from puzzlehunt.session.conversation import Conversation
    from puzzlehunt.terminal import prompt

    session = _session(asked)
    try:
        check_solver(session.game)
        talk = Conversation(session, asked[COACH])
        prompt.run(talk, open_screen(), sys.stdin, asked[ECHO])
        agrees = sys.stdin.isatty() or session.is_won or session.engine.satisfiable()
    finally:
        session.close()
    if not agrees:
        raise SystemExit(1)


def _session(asked: Asked) -> "Session":
    """Return the session to play: of the file that is asked for, or a new one of the game."""
    name, path = asked[PLAYED], asked[SESSION]
    if path is not None and path.exists():
        return _resumed(asked, path)
    if name is None:
        raise UnknownNameError("play what? puzzlehunt play GAME; puzzlehunt games lists them")
    session = _new(asked, name)
    if path is not None:
        session.keep_in(path)
    elif sys.stdin.isatty():
        return _kept_by_itself(asked, session)
    return session


def _new(asked: Asked, name: str) -> "Session":
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.settings import kept_settings, whole_reference

    game = open_game(asked, name)
    return Session(game, whole_reference(name, Path()), kept_settings(changed_keys(asked)))


def _resumed(asked: Asked, path: Path) -> "Session":
    """Return the session of a file; it must be one of the game that was asked for."""
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.settings import whole_reference

    session = Session.resume(path, changed_keys(asked))
    name = asked[PLAYED]
    if name is not None and not session.is_of(whole_reference(name, Path())):
        session.close()
        raise SessionError(f"{path} is a session of {session.reference}, not of {name}")
    return session


def _kept_by_itself(asked: Asked, fresh: "Session") -> "Session":
    """Return the session to play in a terminal, kept: the one left last time, or a new one."""
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.storage import default_path

    lists = [f"{o.key}={name}" for o, name in asked.keys.items() if o in (WORDS, GUESSES)]
    path = default_path(fresh.reference, [*asked[SET], *lists])
    try:
        if path.exists():
            old = Session.resume(path, changed_keys(asked.section("play")))
            begun = old.history.items and old.history != fresh.history
            if begun and not old.is_won and _wants_to_resume(len(old.history.turns)):
                return old
            old.close()
        fresh.keep_in(path, replace=True)
    except PuzzlehuntError as error:
        note(f"not saved: {error}")
    return fresh


def _wants_to_resume(turns: int) -> bool:
    noun = "row" if turns == 1 else "rows"
    question = f"Resume your game of {turns} {noun}, or start anew? [R/n]"
    answer: str = typer.prompt(question, default="r", show_default=False)
    return not answer.casefold().startswith("n")
