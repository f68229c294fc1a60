"""Opens the game of a command: the argument GAME, changed by options, with the rows given."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from puzzlehunt.cli.options import Given, is_address
from puzzlehunt.cli.streams import STDIN, has_row, note, read_lines
from puzzlehunt.errors import InvalidTurnError, PuzzlehuntError
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.files import atomic, gamefile
from puzzlehunt.game.files.document import Document, apply_settings, set_option
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.merging import illegal_guesses, merge
from puzzlehunt.game.play import names_code
from puzzlehunt.game.shared import filled, read_shared
from puzzlehunt.game.turn_notation import doubted_by_note
from puzzlehunt.session.limits import extend_limit
from puzzlehunt.session.settings import with_reads
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.views.rows import change_line
from puzzlehunt.views.summary import passed_over

_FORCE_MEND = "--force writes over it"
"""Hint in the error message about a file that exists."""


# The game.


def changed_keys(given: Given, section: str = "") -> Document:
    """Return a document with the keys that options set; its `inherit` applies them to a game file.

    `--reads` is left out, since its effect depends on the game. With a `section` such as `play`,
    the document has only keys of that section.
    """
    prefix = f"{section}." if section else ""
    settings = [each for each in given.settings or [] if each.strip().startswith(prefix)]
    document = apply_settings(Document({}), settings)
    for option, key, value in given.changes():
        if key != "reads" and key.startswith(prefix):
            document = set_option(document, option, tuple(key.split(".")), value)
    return document


def open_document(given: Given) -> Document:
    """Return the game file of a command's game, or of its board, with the keys that options set."""
    if is_address(given.name):
        from puzzlehunt.web.remote import document_of

        found = document_of(given.name)
    else:
        found = gamefile.find_document(given.name, Path())
    document = changed_keys(given).inherit(found)
    return document if given.reads is None else with_reads(document, given.reads, "--reads")


def open_game(given: Given) -> Game:
    """Return the game of a command, as its options change it.

    Its history ends with the turns in arguments and options. Raises PuzzlehuntError.
    """
    game = build_game(given, open_document(given))
    tell_passed_over(game)
    return game


def tell_passed_over(game: Game) -> None:
    """Print a note on the words of a game's lists that it cannot use."""
    for line in passed_over(game):
        note(line)


def build_game(given: Given, document: Document) -> Game:
    """Return the game of a document, with the turns that a command was given added.

    Raises PuzzlehuntError.
    """
    allow_local_modules(given.strategy or "")
    game = gamefile.build(document)
    find_strategy(game.play.strategy)
    check_solver(game)
    extend_limit(2 * game.play.budget)
    return _with_rows(game, given)


def allow_local_modules(*strategies: str) -> None:
    """Allow modules in the current folder to be imported if a strategy is `module:function`."""
    folder = str(Path.cwd())
    if any(map(names_code, strategies)) and folder not in sys.path:
        sys.path.insert(0, folder)


def check_solver(game: Game) -> None:
    """Raise PuzzlehuntError if the solver that a game names is not installed."""
    if game.play.solver is not None:
        from puzzlehunt.engines.solvers import command_of

        command_of(game.play.solver)


# Its turns.


def whole_rows(words: Sequence[str]) -> Sequence[str]:
    """Return the rows in arguments; if no argument has a guess and a clue, all form one row.

    The argument `-`, which means the rows on stdin, is left out.
    """
    rows = [word for word in words if word != STDIN]
    return rows if has_row(rows) else list(filter(None, [" ".join(rows)]))


def _with_rows(game: Game, given: Given) -> Game:
    """Return the game with the turns added that a command was given; `-` means those on stdin."""
    rows, turns = given.rows or [], given.turns or []
    sources = [(repr(row), row) for row in whole_rows(rows)]
    sources += [(f"-t {turn!r}", turn) for turn in turns if turn != STDIN]
    for source, text in sources:
        try:
            game = _with_merged(game, [doubted_by_note(game, game.parse_turn(text))])
        except PuzzlehuntError as error:
            raise InvalidTurnError(f"{source}: {error}") from None
    logs = [STDIN] if STDIN in [*rows, *turns] else []
    for name in dict.fromkeys([*logs, *filter(None, [given.history])]):
        game = _with_log(game, name)
    return game


def _with_log(game: Game, name: str) -> Game:
    """Return the game with the turns in a file added; the file may be a shared result (squares)."""
    lines = read_lines(name)
    try:
        shared = read_shared(game, lines)
        if shared is not None:
            return replace(game, history=filled(game, game.history, shared))
    except PuzzlehuntError as error:
        raise InvalidTurnError(f"{name}: {error}") from None
    block = read_block(game, lines, game.history)
    for problem in block.problems:
        raise InvalidTurnError(f"{name}:{problem.line}: {problem.message}")
    return _with_merged(game, block.turns, is_log=True)


def _with_merged(game: Game, turns: Sequence[Turn], is_log: bool = False) -> Game:
    """Return the game with turns merged into its history; print a note on each replaced turn."""
    merged = merge(game, game.history, turns, is_log)
    for _, illegal in illegal_guesses(game, merged):
        raise illegal
    for placed in merged.placed:
        if placed.effect == "replaced":
            note(change_line(game, placed))
    return replace(game, history=merged.history)


# What is written.


def check_free(force: bool, *files: Path | None) -> None:
    """Raise SessionError, before long work, if `write_file` would refuse one of the files."""
    for file in files:
        if file is not None:
            atomic.check_free(file, overwrite=force, mend=_FORCE_MEND)


def write_file(force: bool, file: Path, data: str | bytes) -> None:
    """Write a file. Raises SessionError if it exists and `force` is false, or cannot be written.

    Even with `force`, a game file or a session is not overwritten.
    """
    atomic.write_new(file, data, overwrite=force, mend=_FORCE_MEND)
