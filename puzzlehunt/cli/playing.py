"""The command `play`: a person plays, in a terminal or from a pipe."""

import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from shlex import quote

from puzzlehunt.cli.games import show_games
from puzzlehunt.cli.opening import (
    allow_local_modules,
    build_game,
    changed_keys,
    check_solver,
    open_document,
    tell_passed_over,
    whole_rows,
)
from puzzlehunt.cli.options import Given, is_address
from puzzlehunt.cli.streams import ask, note
from puzzlehunt.errors import (
    PuzzlehuntError,
    SessionError,
    SessionInUseError,
    UnknownNameError,
    counted,
    did_you_mean,
)
from puzzlehunt.game.files.gamefile import built_in_games, is_game, own_name, path_of
from puzzlehunt.game.play import names_code
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.file_store import dated_path, default_path, set_aside
from puzzlehunt.session.limits import limited
from puzzlehunt.session.session import Session
from puzzlehunt.session.settings import absolute_reference, kept_settings
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.terminal import prompt
from puzzlehunt.views.screen import Screen


def play(given: Given, session_file: Path | None, coach: bool, echo: bool, seconds: float) -> None:
    """Play a game with lines from a terminal or a pipe."""
    is_terminal, is_known = sys.stdin.isatty(), session_file is not None and session_file.exists()
    if not given.name and not is_known and is_terminal and sys.stdout.isatty():
        show_games()
        given = replace(given, name=asked_game())
    session = _session(given, session_file)
    try:
        check_solver(session.game)
        tell_passed_over(session.game)
        if session.path is not None and names_code(given.strategy or ""):
            again = "name it again to continue with it"
            note(f"{session.path} does not keep {given.strategy}: {again}")
        conversation = Conversation(session, coach)
        first = "\n".join(whole_rows(given.rows or []))
        in_time = prompt.run(conversation, Screen(), sys.stdin, echo, first, seconds)
        is_lost = session.unsaved is not None and not is_terminal
        with limited(seconds):
            turns_agree = is_terminal or session.is_won or session.engine.satisfiable()
    finally:
        session.close()
    file = _game_file(given.name)
    if file and session.path is None and session.history != session.game.history:
        note(f"{file} stays as it was; --session {file} writes the rows of a pipe there")
    if is_lost:
        raise SessionError(f"{session.unsaved}; the rows of this game are not in the file")
    if not (turns_agree and in_time):
        raise SystemExit(1 if in_time else 3)


def _session(given: Given, path: Path | None) -> Session:
    """Return the session to play, which is kept in the file `path` if there is one.

    In a terminal, the session of a game file is kept in that file. From a pipe, a session is kept
    only in the file of `--session`.
    """
    is_terminal = sys.stdin.isatty()
    if is_address(given.name):
        from puzzlehunt.web.remote import connect

        if path is not None or given.changes() or given.settings:
            raise SessionError("the server keeps this board: no --session, and no other settings")
        return connect(given.name)
    if path is None and is_terminal:
        path = _game_file(given.name)
    if path is not None and path.exists():
        return _resumed(given, path, in_memory=is_terminal)
    if not given.name:
        raise UnknownNameError("play what? puzzlehunt play GAME; puzzlehunt games lists them")
    session = _new_session(given)
    if path is not None:
        session.keep_in(path)
    if path is not None or not is_terminal:
        return session
    kept = _autosaved(given, session)
    if kept is not session:
        _set_reads(given, kept)
    return kept


def _game_file(name: str) -> Path | None:
    path = path_of(name, Path())
    return path if path is not None and path.is_file() else None


def _new_session(given: Given) -> Session:
    document = open_document(given)
    settings = kept_settings(changed_keys(given))
    if given.reads:
        # Rates that the option leaves out are those of the game.
        settings["reads"] = document.value["reads"]
    game = build_game(replace(given, rows=None), document)
    return Session(game, absolute_reference(given.name, Path()), settings)


def _resumed(given: Given, path: Path, *, in_memory: bool) -> Session:
    """Return the session in a file, which must be of the game that the command names.

    If `in_memory` is true, a file that cannot be written is played in memory.
    """
    allow_local_modules(given.strategy or "")
    changes = changed_keys(given)
    session = Session.resume(path, changes=changes, in_memory=in_memory, played=given.name)
    try:
        if given.name:
            _check_is_of(given, session)
        find_strategy(session.game.play.strategy)
        _set_reads(given, session)
    except PuzzlehuntError:
        session.close()
        raise
    return session


def _check_is_of(given: Given, session: Session) -> None:
    if session.is_of(absolute_reference(given.name, Path())):
        return
    other = session.reference
    if not other:
        # A copy of a file that describes the whole game names none.
        if session.is_like(build_game(replace(given, rows=None), open_document(given))):
            return
        other = f"its own game, {session.game.title}"
    raise SessionError(
        f"{session.path} is a session of {other}, not of {given.name}; "
        f"to continue it: puzzlehunt play --session {quote(str(session.path))}"
    )


def _set_reads(given: Given, session: Session) -> None:
    if given.reads:
        session.set_reads(given.reads, option="--reads")


def _autosaved(given: Given, new_session: Session) -> Session:
    """Return a session that saves itself after every line, in the user's state folder.

    It is the unfinished session of the same game, unless the command line has rows: those begin a
    new game, and the unfinished one is set aside. If another program plays the game, the new
    session gets a file of its own.
    """
    changed = [f"{key}={value}" for _, key, value in given.changes() if key != "reads"]
    # How a game is played does not make it another game.
    settings = [each for each in (given.settings or []) + changed if not each.startswith("play.")]
    path = default_path(new_session.reference, settings)
    try:
        if path.exists():
            old_session = Session.resume(path, changes=changed_keys(given, "play"))
            has_rows = old_session.history.items and old_session.history != new_session.history
            has_begun = has_rows or old_session.pending is not None
            if has_begun and not old_session.is_won:
                if not given.rows:
                    size = counted(len(old_session.history.turns), "row")
                    note(f"resumed your game of {size}; /new starts anew")
                    return old_session
                note(f"the old game is kept: puzzlehunt play {quote(str(set_aside(path)))}")
            old_session.close()
        new_session.keep_in(path, overwrite=True)
    except SessionInUseError:
        path = dated_path(path, datetime.now())
        new_session.keep_in(path)
        note(f"another puzzlehunt plays this game; yours is kept in {path}")
    except PuzzlehuntError as error:
        note(f"this game is not kept, unless by /save FILE: {error}")
    return new_session


def asked_game() -> str:
    """Ask for a game until the answer names one; return its name. Exits if the player quits."""
    while True:
        name = ask("Which game")
        if name is None or name.casefold() in ("q", "quit", "exit", "/quit", "/q"):
            raise SystemExit(0)
        if is_address(name) or is_game(name):
            return own_name(name)
        if name:
            hint = did_you_mean(name, built_in_games())
            if "did you mean" not in hint:
                hint = "; type a name of the list, a file or a size such as 4x6"
            note(f"no game {name!r}{hint}")
