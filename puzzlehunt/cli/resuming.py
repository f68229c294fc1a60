"""The questions of `play`: which game, and whether a game that was begun is resumed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import is_address
from puzzlehunt.cli.output import ask, note
from puzzlehunt.errors import PuzzlehuntError, counted, did_you_mean

if TYPE_CHECKING:
    from puzzlehunt.session.session import Session

_RESUME = frozenset(["y", "yes", "r", "resume", "c", "continue", "go on", "ok", "old"])
_ANEW = frozenset(
    ["n", "no", "new", "new game", "anew", "start", "start anew", "start new", "restart", "/new"]
)
_QUIT = frozenset(["q", "quit", "exit", "leave", "/quit", "/q"])


def asked_game() -> str:
    """Return the name of a game that is asked for until there is one; leave where none is given."""
    from puzzlehunt.game.files.gamefile import built_in_games, is_game, own_name

    while True:
        name = ask("Which game")
        if name is None or name.casefold() in _QUIT:
            raise SystemExit(0)
        if is_address(name) or is_game(name):
            return own_name(name)
        if name:
            hint = did_you_mean(name, built_in_games())
            if "did you mean" not in hint:
                hint = "; type a name of the list, a file or a size such as 4x6"
            note(f"no game {name!r}{hint}")


def wants_to_resume(old: "Session", rows: Sequence[str]) -> tuple[bool, str]:
    """Return whether a session that was begun is resumed, and a row that was typed instead.

    `rows` are those of the command line, which join the game that is chosen: an empty answer, and a
    row, then starts a new one, and resumes the old one otherwise. Leaves the program where it is
    asked to, with both as they were.
    """
    question, by_default = _question(old, rows), not rows
    while True:
        answer = ask(question)
        if answer is None or (word := " ".join(answer.casefold().split()).rstrip(".!")) in _QUIT:
            old.close()
            raise SystemExit(0)
        if not word:
            return by_default, ""
        if word in _RESUME or word in _ANEW:
            return word in _RESUME, ""
        if _is_row(old, answer):
            return by_default, answer
        note("yes resumes it; no starts anew, and the old game is kept; quit leaves it as it is")


def _question(old: "Session", rows: Sequence[str]) -> str:
    numbers = {"row": len(old.history.turns), "fact": len(old.history.facts)}
    size = " and ".join(counted(number, noun) for noun, number in numbers.items() if number)
    game = f"your game of {size}" if size else "your game"
    if (standing := old.standing) is not None:
        game = f"{game}, {old.game.format_code(standing.guess)} waiting for its clue"
    if not rows:
        return f"Resume {game}, or start anew? [R/n]"
    them = "it" if len(rows) == 1 else "them"
    more = f"{',' * bool(standing)} and add {counted(len(rows), 'row')}"
    return f"Resume {game}{more}, or start anew with {them}? [r/N]"


def _is_row(session: "Session", text: str) -> bool:
    """Return whether a text is a row of the game, a guess, or the clue of the standing guess."""
    from puzzlehunt.game.lines import try_answer

    try:
        session.game.parse_turn(text)
    except PuzzlehuntError:
        standing = session.standing
        return standing is not None and bool(try_answer(session.game, text, standing.guess))
    return True
