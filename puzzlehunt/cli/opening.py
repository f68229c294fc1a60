"""Opens the game of a command: the argument GAME, changed by options, with the rows given."""

import re
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from puzzlehunt.cli.options import Asked, Given, Rowed, is_address
from puzzlehunt.cli.streams import STDIN, fail, note, read_lines
from puzzlehunt.errors import InvalidTurnError, PuzzlehuntError
from puzzlehunt.game.blocks import filled, read_block
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document, settings_document
from puzzlehunt.game.game import Game
from puzzlehunt.game.merging import merge
from puzzlehunt.session.answers import Answers
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.views.candidates import wider_line
from puzzlehunt.views.rows import change_line
from puzzlehunt.views.summary import passed_over
from puzzlehunt.views.wording import contradiction_line

_ROW = re.compile(r"\S[\s,;|:]+\S")
"""Pattern found in an argument that is a whole row: a separator between guess and clue."""


def changed_keys(given: Given) -> Document:
    """Return the keys that options set; `inherit` applies them to a game file."""
    document = settings_document(given.settings or [], "--set ")
    for option, key, value in given.changes():
        if key == "reads":
            from puzzlehunt.session.file_store import with_reads

            document = with_reads(document, value, option)
        else:
            document = document.with_option(option, key, value)
    return document


def open_document(given: Given) -> Document:
    """Return the file of a command's game, or of its board, with the keys that options set."""
    if is_address(given.name):
        from puzzlehunt.web.remote import document_of

        found = document_of(given.name)
    else:
        found = gamefile.find_document(given.name, Path())
    return changed_keys(given).inherit(found)


def open_game(given: Given, document: Document | None = None) -> Game:
    """Return the game of a command, or of a document; print a note on words that it cannot use.

    Raises PuzzlehuntError.
    """
    game = build_game(given, document or open_document(given))
    for line in passed_over(game):
        note(line)
    return game


def build_game(given: Given, document: Document) -> Game:
    """Return the game of a document, with the rows given beside it."""
    game = gamefile.build(document)
    check_play(game)
    return _with_rows(game, given) if isinstance(given, Asked) else game


def open_answers(given: Given) -> Answers:
    """Return what answers questions about the game of a command. Raises PuzzlehuntError."""
    return Answers(open_game(given))


def fail_without_candidates(answers: Answers) -> NoReturn:
    """Print that nothing fits, and a wider word list; exit with status 1."""
    fail("\n".join([contradiction_line(answers.engine), *wider_hint(answers)]), 1)


def wider_hint(answers: Answers) -> list[str]:
    """Return a line that names a wider word list with candidates, if any."""
    wider = answers.wider_list()
    return [] if wider is None else [f"{wider_line(wider)} (--words {wider.name})"]


def check_play(game: Game) -> None:
    """Raise PuzzlehuntError if a game names a strategy or a solver that is not there."""
    find_strategy(game.play.strategy)
    if game.play.solver is not None:
        from puzzlehunt.engines.solvers import command_of

        command_of(game.play.solver)


def is_row(text: str) -> bool:
    """Return whether an argument is a whole row, with a guess and a clue."""
    return bool(_ROW.search(text))


def typed_rows(given: Rowed) -> list[str]:
    """Return the rows in arguments: one row if none of them has a guess and a clue.

    `-`, which is stdin, is left out.
    """
    rows = [word.strip() for word in given.rows or [] if word != STDIN]
    return rows if any(map(is_row, rows)) or not rows else [" ".join(rows)]


def logs(given: Asked) -> list[str]:
    """Return the names of the files with rows of a command; `-` is stdin."""
    named = [STDIN] if STDIN in [*(given.rows or []), *(given.turns or [])] else []
    return list(dict.fromkeys([*named, *filter(None, [given.history])]))


def _with_rows(game: Game, given: Asked) -> Game:
    sources = [(repr(row), [row], False) for row in typed_rows(given)]
    sources += [(f"-t {row!r}", [row], False) for row in given.turns or [] if row != STDIN]
    sources += [(name, read_lines(name), True) for name in logs(given)]
    for where, lines, is_log in sources:
        try:
            if (history := filled(game, game.history, lines)) is not None:
                game = replace(game, history=history)
                continue
        except PuzzlehuntError as error:
            raise InvalidTurnError(f"{where}: {error}") from None
        turns, problems = read_block(game, lines, game.history)
        for problem in problems:
            line = f":{problem.line}" if is_log else ""
            raise InvalidTurnError(f"{where}{line}: {problem.message}")
        if not (is_log or turns):
            raise InvalidTurnError(f"{where}: this is no row; expected a guess and its clue")
        merged = merge(game, game.history, turns, is_log)
        for placed in merged.placed:
            if placed.effect == "replaced":
                note(change_line(game, placed))
        game = replace(game, history=merged.history)
    return game
