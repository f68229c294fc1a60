"""The commands that explain a game and its rows: `explain`, `review`, `identify`."""

import re
from contextlib import suppress
from dataclasses import replace
from shlex import quote

from puzzlehunt.cli.opening import (
    build_game,
    changed_keys,
    open_document,
    open_game,
    tell_passed_over,
)
from puzzlehunt.cli.options import Given
from puzzlehunt.cli.streams import STDIN, has_row, note, print_json, read_lines, result
from puzzlehunt.cli.suggesting import fail_without_candidates, wider_hint
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError, TooLargeError, UnknownNameError
from puzzlehunt.explanation.identification import Identifier
from puzzlehunt.explanation.why import Explanation, parse_question
from puzzlehunt.game.files.document import Document, set_option
from puzzlehunt.game.game import Game
from puzzlehunt.game.pasted import is_heading
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.changes import Question
from puzzlehunt.session.limits import when_stopped
from puzzlehunt.session.responses import answer
from puzzlehunt.views.json import explain_json, review_json
from puzzlehunt.views.meanings import identification_json, identification_lines
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.views.wording import unconfirmed_text

_WORD = re.compile(r"[^\W\d_]{2,}")


def explain(given: Given, why: str | None, json: bool) -> None:
    """Print which rows contradict each other and how to repair them, or why a code is out."""
    game = open_game(given)
    _check_no_code(game, given.rows or [STDIN])
    code, board = (None, None) if why is None else parse_question(game, why)
    answers, stopped = Answers(game), list[BaseException]()
    if json:
        answer = explain_json(answers, code, board, stopped.append)
        print_json(answer)
        is_consistent = answer["consistent"]
    else:
        is_consistent = not _show_explanation(
            answers, Question("explain", None, code, board), stopped
        )
    for error in stopped:
        stop = f"this is what was found {when_stopped()}; there may be more to say"
        note(str(error) if isinstance(error, TooLargeError) else stop)
    if not is_consistent and (wider := answers.wider_list()) is not None:
        note(wider_hint(wider))
    if not is_consistent:
        raise SystemExit(1)
    if any(isinstance(error, KeyboardInterrupt) for error in stopped):
        raise SystemExit(3)


def _show_explanation(answers: Answers, question: Question, stopped: list[BaseException]) -> bool:
    """Print an explanation; return whether rows contradict each other.

    `stopped` gets the error of a search that is too large or stopped, after the contradiction.
    """
    game, screen, told = answers.game, Screen(), None
    try:
        for outcome in answer(answers, question):
            print_outcome(outcome, screen, game)
            told = outcome if isinstance(outcome, Explanation) else told
    except (TooLargeError, KeyboardInterrupt) as error:
        if told is None:
            raise
        stopped.append(error)
    if told is not None and told.conflict and not answers.engine.proves:
        note(f"({unconfirmed_text(game)})")
    return told is not None and bool(told.conflict)


def _check_no_code(game: Game, words: list[str]) -> None:
    """Raise UnknownNameError if the last argument is a code, which is no row without a clue."""
    *rows, last = words
    if last == STDIN or (rows and not has_row(rows)):
        return
    with suppress(InvalidCodeError):
        parse_question(game, last)
        raise UnknownNameError(f"{last} is no row; which rows rule it out: --why {quote(last)}")


def review(given: Given, json: bool) -> None:
    """Print a review of the game: how good each guess was."""
    answers = Answers(open_game(given))
    found = answers.review()
    if json:
        print_json(review_json(answers, found))
    else:
        print_outcome(found, Screen(), answers.game)
    if found.contradiction is not None:
        fail_without_candidates(answers)


def identify(given: Given, secret: str | None, top: int, json: bool) -> None:
    """Print what unexplained marks mean, the likeliest secrets, and what to guess next."""
    if has_row([given.name]):
        given = replace(given, name="", rows=[given.name, *(given.rows or [])])
    document = open_document(given) if given.name else _words_document(given)
    document = set_option(document, "identify", ("legend",), "unknown")
    game = build_game(given, document)
    tell_passed_over(game)
    found = Identifier(game, given.rule is not None, secret).identify(game.history, top)
    if json:
        print_json(identification_json(found))
    else:
        result("\n".join(identification_lines(found)))
    if not game.history.turns:
        note('no row yet: "HORSE XYX", for each guess with its marks')
    if not found.hypotheses:
        raise SystemExit(1)


def _words_document(given: Given) -> Document:
    """Return the document of a game of words as long as the first guess that was given."""
    lines = [*(given.rows or []), *(given.turns or [])]
    lines += read_lines(given.history) if given.history else []
    rows_alone = (line.split("#")[0] for line in lines if not is_heading(line))
    first = next((word for row in rows_alone for word in _WORD.findall(row)), "")
    if not first:
        raise PuzzlehuntError('which game? GAME, or rows of words: "HORSE XYX"')
    value = {"title": "words", "secret": {"words": "standard", "length": str(len(first))}}
    return changed_keys(given).inherit(Document(value, {(): ("words", 0)}, {}))
