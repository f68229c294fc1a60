"""What every command prints: results on stdout, notes and errors on stderr, an exit status."""

import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from puzzlehunt.engines.base import Engine
    from puzzlehunt.game.game import Game
    from puzzlehunt.views.screen import Screen


def open_screen() -> "Screen":
    """Return the screen: results on stdout, notes on stderr."""
    from puzzlehunt.views.screen import Screen

    return Screen()


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on a line."""
    import json

    whole = sys.stdout.encoding.casefold() in ("utf-8", "utf8")
    print(json.dumps(value, ensure_ascii=not whole))


def note(text: str) -> None:
    """Print a line on stderr, where it is no part of the result."""
    print(text, file=sys.stderr)


@contextmanager
def progress_bar(games: int) -> "Iterator[Callable[[int], None]]":
    """Give what takes the number of games that are done, for a bar on stderr if somebody sees it.

    There is none for 0 games: where nobody knows how many there will be.
    """
    if not (games and sys.stderr.isatty()):
        yield lambda _done: None
        return
    with typer.progressbar(length=games, label="games", file=sys.stderr) as bar:
        yield bar.update


def fail(message: str, status: int) -> NoReturn:
    """Print what was wrong and leave with a status."""
    lines = message.strip().splitlines() or [""]
    with suppress(OSError):
        print(f"puzzlehunt: {lines[0]}", *lines[1:], sep="\n", file=sys.stderr)
    raise SystemExit(status)


def fail_without_candidates(
    game: "Game", known: "Engine", answer: dict[str, Any] | None = None
) -> NoReturn:
    """Say that nothing fits, and where else to look; print what JSON there is, and leave with 1."""
    from puzzlehunt.views.explanations import contradiction_line

    wider, hint = wider_words(game)
    if answer is not None:
        print_json(answer | wider)
    fail(f"{contradiction_line(game, known)}\n{hint}", 1)


def wider_words(game: "Game") -> tuple[dict[str, Any], str]:
    """Return what a wider word list has left, as JSON and as a line; both empty if nothing."""
    from puzzlehunt.explain.remaining import wider_candidates
    from puzzlehunt.views.candidates import wider_line
    from puzzlehunt.views.json import wider_json

    wider = wider_candidates(game, game.history)
    if wider is None:
        return {}, ""
    return {"wider": wider_json(wider)}, f"{wider_line(wider)} (--words {wider.name})"
