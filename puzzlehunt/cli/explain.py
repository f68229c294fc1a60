"""The command `explain`: which turns contradict each other, what is certain, why a code is out."""

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import STDIN, Asked, engine_with_history, open_game, takes, with_rows
from puzzlehunt.cli.options import (
    ALL,
    ENGINES,
    GAME,
    HISTORY,
    JSON,
    READS,
    ROWS_AND_CODE,
    SECONDS,
    SETTINGS,
    TURN,
)
from puzzlehunt.cli.output import note, print_json, result, wider_words
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError, TooLargeError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from puzzlehunt.codes.alphabet import Code
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.explanation.certainty import Certainty
    from puzzlehunt.explanation.repair import Repair
    from puzzlehunt.explanation.suspects import Suspect
    from puzzlehunt.game.game import Game

_OPTION = re.compile(r"--?[a-z][a-z-]*")
_CONFLICTS = 20
"""How many conflicts `--all` lists at most."""


@takes(GAME, ROWS_AND_CODE, TURN, HISTORY, JSON, *SETTINGS, *ENGINES, READS, ALL, SECONDS)
def explain(asked: Asked) -> None:
    """Which rows cannot all be right, and what would mend them; with CODE, which rows rule it out.

    With several boards CODE is A/B (one secret a board), 2: B, or one word for any board.

    puzzlehunt explain mastermind "RRRR B" "RGBY none"

    puzzlehunt explain cryptic "HORSE B_WR_" HEART
    """
    from puzzlehunt.explanation.why import explain
    from puzzlehunt.views.explanations import (
        explanation_lines,
        explanation_sections,
        unconfirmed_text,
    )
    from puzzlehunt.views.json import whole_explanation_json

    game = open_game(asked)
    with _unknown_options(asked[ROWS_AND_CODE]):
        rows, (code, board) = _rows_and_question(game, asked[ROWS_AND_CODE])
        game = with_rows(game, rows)
    engine = engine_with_history(game)
    explanation = explain(game, engine, code, board, _CONFLICTS if asked[ALL] else 1)
    wider, hint = wider_words(game) if explanation.conflict else ({}, "")
    # A text about one code says nothing of suspects and certainties.
    sections, stopped = _sections(engine, everything=asked[JSON] or code is None)
    if asked[JSON]:
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
def _unknown_options(words: list[str]) -> "Iterator[None]":
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
    engine: "Engine", everything: bool
) -> "tuple[tuple[list[Repair] | None, list[Suspect] | None, list[Certainty] | None], str]":
    """Return repairs, suspects and certainties, and a line if not all was found in time, else "".

    Each is None where it is not known. Suspects and certainties are [] unless `everything` is true.
    """
    from puzzlehunt.explanation.certainty import certain
    from puzzlehunt.explanation.repair import repairs
    from puzzlehunt.explanation.suspects import suspects
    from puzzlehunt.session.limits import when_stopped

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
    game: "Game", words: list[str]
) -> "tuple[list[str], tuple[Code | None, int | None]]":
    """Return the rows among the arguments, and the code and board that the last one asks about.

    Code and board are None where the last argument belongs to a row, or is `-` for rows on stdin.
    Raises InvalidCodeError for a single word that is no code, and for the number of a board with no
    code of it.
    """
    from puzzlehunt.explanation.why import parse_question

    if not words or words[-1] == STDIN:
        return words, (None, None)
    try:
        return words[:-1], parse_question(game, words[-1])
    except InvalidCodeError:
        names_board = game.boards > 1 and words[-1].partition(":")[0].isdecimal()
        if names_board or (len(words) == 1 and not words[0].split()[1:]):
            raise
        return words, (None, None)
