"""The command `play`: a person plays, in a terminal or from a pipe."""

import sys
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from puzzlehunt.cli import games
from puzzlehunt.cli.asked import (
    Asked,
    allow_local_modules,
    changed_keys,
    check_solver,
    game_of,
    is_address,
    open_document,
    open_game,
    takes,
    whole_rows,
)
from puzzlehunt.cli.options import (
    COACH,
    ECHO,
    ENGINES,
    GAME_TO_PLAY,
    GUESS_CHOICE,
    GUESSES,
    HARD,
    READS,
    ROWS,
    SECONDS_A_LINE,
    SEED,
    SESSION,
    SET,
    SETTINGS,
    STRATEGY,
    TIME_BUDGET,
    WORDS,
)
from puzzlehunt.cli.output import note, open_screen
from puzzlehunt.cli.resuming import asked_game, wants_to_resume
from puzzlehunt.errors import PuzzlehuntError, SessionError, SessionInUseError, UnknownNameError

if TYPE_CHECKING:
    from puzzlehunt.session.session import Session


@takes(
    GAME_TO_PLAY, ROWS, SESSION, COACH, ECHO, *SETTINGS, *ENGINES, STRATEGY, *GUESS_CHOICE, READS,
    SEED, TIME_BUDGET, SECONDS_A_LINE
)  # fmt: skip
def play(asked: Asked) -> None:
    r"""Play: type guesses and what you could read of the answers. Without GAME you are asked.

    puzzlehunt play cryptic

    puzzlehunt play wordle 'CRANE GY..G' 'CURSE GGG.G'

    puzzlehunt play mine.yaml (rows are written to this file)

    printf 'HORSE B_WR_\n/candidates 5\n' | puzzlehunt play cryptic
    """
    from puzzlehunt.game.play import names_code
    from puzzlehunt.session.conversation import Conversation
    from puzzlehunt.session.limits import limited
    from puzzlehunt.terminal import prompt

    asked = _with_game(asked)
    session, typed_row = _session(asked)
    try:
        check_solver(session.game)
        strategy = asked[STRATEGY] or ""
        if session.path is not None and names_code(strategy):
            note(f"{session.path} does not keep {strategy}: name it again to go on with it")
        conversation = Conversation(session, asked[COACH])
        rows = "\n".join(filter(None, [*whole_rows(asked[ROWS]), typed_row]))
        in_time = prompt.run(
            conversation, open_screen(), sys.stdin, asked[ECHO], rows, asked[SECONDS_A_LINE]
        )
        is_lost = session.unsaved is not None and not sys.stdin.isatty()
        with limited(asked[SECONDS_A_LINE]):
            turns_agree = sys.stdin.isatty() or session.is_won or session.engine.satisfiable()
    finally:
        session.close()
    file = _game_file(asked)
    if file and session.path is None and session.history != session.game.history:
        note(f"{file} stays as it was; --session {file} writes the rows of a pipe there")
    if is_lost:
        raise SessionError(f"{session.unsaved}; the rows of this game are not in the file")
    if not (turns_agree and in_time):
        raise SystemExit(1 if in_time else 3)


def _with_game(asked: Asked) -> Asked:
    """Return the options with a game, which a person at a terminal is asked for where it misses."""
    path = asked[SESSION]
    is_known = asked[GAME_TO_PLAY] is not None or (path is not None and _exists(path))
    if is_known or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return asked
    games.games()
    return asked.with_value(GAME_TO_PLAY, asked_game())


def _session(asked: Asked) -> tuple["Session", str]:
    """Return the session to play, the one that a file holds or a new one, and a row typed before.

    The row is what was typed where it was asked whether to resume a game, "" otherwise. In a
    terminal a game that is a file is the session of this file; from a pipe, only the file of
    `--session` is written.
    """
    name, path, is_terminal = asked[GAME_TO_PLAY], asked[SESSION], sys.stdin.isatty()
    if name is not None and is_address(name):
        return _joined(asked, name), ""
    if path is None and is_terminal:
        path = _game_file(asked)
    if path is not None and _exists(path):
        return _resumed(asked, path, follow=is_terminal), ""
    if name is None:
        raise UnknownNameError("play what? puzzlehunt play GAME; puzzlehunt games lists them")
    session = _new_session(asked, name)
    if path is not None:
        session.keep_in(path)
    elif is_terminal:
        kept, typed_row = _autosaved(asked, session)
        if kept is not session:
            _set_reads(asked, kept)
        return kept, typed_row
    return session, ""


def _joined(asked: Asked, address: str) -> "Session":
    """Return the session of a board that a server keeps. Raises SessionError."""
    from puzzlehunt.web.remote import connect

    has_settings = bool(asked.game_options) or bool(asked[SET])
    if asked[SESSION] is not None or has_settings:
        raise SessionError("the server keeps this board: no --session, and no other settings")
    return connect(address)


def _exists(path: Path) -> bool:
    """Return whether a file exists; a path that cannot be one is refused when it is written."""
    try:
        return path.exists()
    except OSError:
        return False


def _game_file(asked: Asked) -> Path | None:
    """Return the file that GAME names; None where it names no file."""
    from puzzlehunt.game.files.gamefile import path_of

    path = path_of(asked[GAME_TO_PLAY] or "", Path())
    return path if path is not None and path.is_file() else None


def _new_session(asked: Asked, name: str) -> "Session":
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.settings import absolute_reference, kept_settings

    document = open_document(asked, name)
    settings = kept_settings(changed_keys(asked))
    if asked[READS]:
        # What the option leaves out is the game's own.
        settings["reads"] = document.value["reads"]
    game = game_of(asked.with_value(ROWS, []), document)
    return Session(game, absolute_reference(name, Path()), settings)


def _resumed(asked: Asked, path: Path, *, follow: bool) -> "Session":
    """Return the session of a file, followed where another program writes it and `follow` is true.

    Raises SessionError for a session of another game.
    """
    from puzzlehunt.session.session import Session
    from puzzlehunt.strategies.registry import check_known

    allow_local_modules(asked[STRATEGY] or "")
    name = asked[GAME_TO_PLAY] or ""
    session = Session.resume(path, changed_keys(asked), follow=follow, played=name)
    try:
        if name:
            _check_is_of(asked, session, name)
        check_known(session.game.play.strategy)
        _set_reads(asked, session)
    except PuzzlehuntError:
        session.close()
        raise
    return session


def _check_is_of(asked: Asked, session: "Session", name: str) -> None:
    """Raise SessionError where a session's file is of another game than that called `name`."""
    from puzzlehunt.session.settings import absolute_reference

    if session.is_of(absolute_reference(name, Path())):
        return
    other = session.reference
    if not other:
        # A copy of a file that describes the whole game names none.
        if session.is_like(open_game(asked.with_value(ROWS, []), name)):
            return
        other = f"its own game, {session.game.title}"
    raise SessionError(
        f"{session.path} is a session of {other}, not of {name}; "
        f"to go on with it: puzzlehunt play --session {quote(str(session.path))}"
    )


def _set_reads(asked: Asked, session: "Session") -> None:
    """Change how often marks are read as `--reads` says; raise PuzzlehuntError as it does."""
    if reads := asked[READS]:
        session.set_reads(reads, "--reads")


def _autosaved(asked: Asked, new_session: "Session") -> tuple["Session", str]:
    """Return a session that saves itself after every line, in the user's state folder.

    An unfinished session of the same game is returned if the player wants to resume it, and is set
    aside if not. A game that another program plays gets a second file. Notes say where. The second
    value is a row that was typed instead of an answer.
    """
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.storage import dated_path, default_path, set_aside

    options = [
        f"{option.key}={name}"
        for option, name in asked.game_options.items()
        if option in (WORDS, GUESSES, HARD)
    ]
    path, typed_row = default_path(new_session.reference, [*asked[SET], *options]), ""
    try:
        if path.exists():
            old_session = Session.resume(path, changed_keys(asked.in_section("play")))
            has_rows = old_session.history.items and old_session.history != new_session.history
            has_begun = has_rows or old_session.standing is not None
            if has_begun and not old_session.is_won:
                resumed, typed_row = wants_to_resume(old_session, whole_rows(asked[ROWS]))
                if resumed:
                    return old_session, typed_row
                note(f"the old game is kept: puzzlehunt play {quote(str(set_aside(path)))}")
            old_session.close()
        new_session.keep_in(path, overwrite=True)
    except SessionInUseError:
        path = dated_path(path, datetime.now())
        new_session.keep_in(path)
        note(f"another puzzlehunt plays this game; yours is kept in {path}")
    except PuzzlehuntError as error:
        note(f"this game is not kept, unless by /save FILE: {error}")
    return new_session, typed_row
