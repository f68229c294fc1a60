"""The command `explain`: which turns contradict each other, what is certain, why a code is out."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from typer import Context

from puzzlehunt.cli.opening import engine_with_history, open_game, wider_words, with_rows
from puzzlehunt.cli.streams import STDIN, note, print_json, result
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError, TooLargeError, UnknownNameError
from puzzlehunt.explanation.certainty import Certainty, certain
from puzzlehunt.explanation.repair import Repair, repairs
from puzzlehunt.explanation.suspects import Suspect, suspects
from puzzlehunt.explanation.why import explain as explain_rows
from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game.game import Game
from puzzlehunt.session.limits import when_stopped
from puzzlehunt.views.explanations import explanation_lines, explanation_sections, unconfirmed_text
from puzzlehunt.views.json import whole_explanation_json

_OPTION = re.compile(r"--?[a-z][a-z-]*")
_CONFLICTS = 20
"""How many conflicts `--all` lists at most."""


def explain(context: Context, rows_and_code: list[str] | None, json: bool, all_: bool) -> None:
    """Print which rows cannot all be right, and what would mend them."""
    game, words_given = open_game(context), rows_and_code or []
    with _unknown_options(words_given):
        rows, (code, board) = _rows_and_question(game, words_given)
        game = with_rows(game, rows)
    engine = engine_with_history(game)
    explanation = explain_rows(game, engine, code, board, _CONFLICTS if all_ else 1)
    wider, hint = wider_words(game) if explanation.conflict else ({}, "")
    # A text about one code says nothing of suspects and certainties.
    sections, stopped = _sections(engine, everything=json or code is None)
    if json:
        print_json(whole_explanation_json(engine, explanation, wider, *sections))
    else:
        lines = explanation_lines(explanation) + explanation_sections(game, *sections)
        result("\n".join(lines))
        if not engine.proves and (explanation.conflict or sections[2]):
            note(f"({unconfirmed_text(game)})")
    if hint:
        note(hint)
    if stopped:
        note(stopped)
    if explanation.conflict or stopped:
        raise SystemExit(1 if explanation.conflict else 3)


@contextmanager
def _unknown_options(words: list[str]) -> Iterator[None]:
    """Where words cannot be read, name the one that looks like an option; codes may, too."""
    try:
        yield
    except PuzzlehuntError:
        for word in " ".join(words).split():
            if _OPTION.fullmatch(word):
                line = f"explain has no option {word}; puzzlehunt explain --help lists its options"
                raise UnknownNameError(line) from None
        raise


def _sections(
    engine: Engine, everything: bool
) -> tuple[tuple[list[Repair] | None, list[Suspect] | None, list[Certainty] | None], str]:
    """Return repairs, suspects and certainties, and a line if not all was found in time, else "".

    Each is None where it is not known. Suspects and certainties are [] unless `everything` is true.
    """
    all_repairs, all_suspects, certainties, stopped = None, None, None, ""
    try:
        all_repairs = list(repairs(engine))
        all_suspects = suspects(engine) if everything else []
        certainties = certain(engine) if everything else []
    except TooLargeError as error:
        note(str(error))
    except KeyboardInterrupt:
        stopped = f"this is what was found {when_stopped()}; there may be more to say"
    return (all_repairs, all_suspects, certainties), stopped


def _rows_and_question(
    game: Game, words: list[str]
) -> tuple[list[str], tuple[Code | None, int | None]]:
    """Return the rows among the arguments, and the code and board that the last one asks about.

    Code and board are None where the last argument belongs to a row, or is `-` for rows on stdin.
    Raises InvalidCodeError for a single word that is no code, and for the number of a board with no
    code of it.
    """
    if not words or words[-1] == STDIN:
        return words, (None, None)
    try:
        return words[:-1], parse_question(game, words[-1])
    except InvalidCodeError:
        names_board = game.boards > 1 and words[-1].partition(":")[0].isdecimal()
        if names_board or (len(words) == 1 and not words[0].split()[1:]):
            raise
        return words, (None, None)
