"""The commands that explain a game and its rows: `explain`, `review`, `identify`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from typer import Context

from puzzlehunt.cli.opening import (
    build_game,
    changed_keys,
    open_document,
    open_game,
    tell_passed_over,
    with_rows,
)
from puzzlehunt.cli.streams import STDIN, has_row, note, print_json, read_lines, result
from puzzlehunt.cli.suggesting import fail_without_candidates, wider_hint
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError, TooLargeError, UnknownNameError
from puzzlehunt.explanation.identification import Identifier
from puzzlehunt.explanation.why import Explanation, parse_question
from puzzlehunt.game.files.document import Document, set_option
from puzzlehunt.game.game import Game
from puzzlehunt.game.pasted import is_heading
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.limits import when_stopped
from puzzlehunt.session.questions import Explain
from puzzlehunt.session.responses import answer
from puzzlehunt.views.json import explain_json, review_json
from puzzlehunt.views.meanings import identification_json, identification_lines
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.views.wording import unconfirmed_text

_WORD = re.compile(r"[^\W\d_]{2,}")
_OPTION = re.compile(r"--?[a-z][a-z-]*")


def explain(context: Context, rows_and_code: list[str] | None, json: bool) -> None:
    """Print which rows contradict each other and how to repair them, or why a code is out."""
    game, words = open_game(context), rows_and_code or []
    with _unknown_options(words):
        rows, question = _rows_and_question(game, words)
        game = with_rows(game, rows)
    answers, stopped = Answers(game), list[BaseException]()
    if json:
        answer = explain_json(answers, *question, stopped.append)
        print_json(answer)
        is_consistent = answer["consistent"]
    else:
        is_consistent = not _show_explanation(answers, Explain(*question), stopped)
    for error in stopped:
        stop = f"this is what was found {when_stopped()}; there may be more to say"
        note(str(error) if isinstance(error, TooLargeError) else stop)
    if not is_consistent and (wider := answers.wider_list()) is not None:
        note(wider_hint(wider))
    if not is_consistent:
        raise SystemExit(1)
    if any(isinstance(error, KeyboardInterrupt) for error in stopped):
        raise SystemExit(3)


def _show_explanation(answers: Answers, question: Explain, stopped: list[BaseException]) -> bool:
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


@contextmanager
def _unknown_options(words: list[str]) -> Iterator[None]:
    """If the arguments cannot be read, raise an error that names a word like an option."""
    try:
        yield
    except PuzzlehuntError:
        for word in " ".join(words).split():
            if _OPTION.fullmatch(word):
                line = f"explain has no option {word}; puzzlehunt explain --help lists its options"
                raise UnknownNameError(line) from None
        raise


def _rows_and_question(
    game: Game, words: list[str]
) -> tuple[list[str], tuple[Code | None, int | None]]:
    """Return the rows among the arguments, and the code and board that the last argument names.

    Code and board are None if the last argument belongs to a row, or is `-` for rows on stdin.
    Raises InvalidCodeError if the only word is not a code, or if a board's number is followed by
    none of its codes.
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


def review(context: Context, json: bool) -> None:
    """Print a review of the game: how good each guess was."""
    answers = Answers(open_game(context))
    found = answers.review()
    if json:
        print_json(review_json(answers, found))
    else:
        print_outcome(found, Screen(), answers.game)
    if found.contradiction is not None:
        fail_without_candidates(answers)


def identify(context: Context, name: str | None, secret: str | None, top: int, json: bool) -> None:
    """Print what unexplained marks mean, the likeliest secrets, and what to guess next."""
    rows = context.params["rows"] or []
    if name is not None and has_row([name]):
        name, rows = None, [name, *rows]
    document = _words_document(context, rows) if name is None else open_document(context, name)
    document = set_option(document, "identify", ("legend",), "unknown")
    game = build_game(context, document, rows)
    tell_passed_over(game)
    own_rule = context.params["rule"] is not None
    found = Identifier(game, own_rule, secret).identify(game.history, top)
    if json:
        print_json(identification_json(found))
    else:
        result("\n".join(identification_lines(found)))
    if not game.history.turns:
        note('no row yet: "HORSE XYX", for each guess with its marks')
    if not found.hypotheses:
        raise SystemExit(1)


def _words_document(context: Context, rows: list[str]) -> Document:
    """Return the document of a game of words as long as the first guess that was given."""
    history = context.params["history"]
    lines = [*rows, *(context.params["turns"] or []), *(read_lines(history) if history else [])]
    rows_alone = (line.split("#")[0] for line in lines if not is_heading(line))
    first = next((word for row in rows_alone for word in _WORD.findall(row)), "")
    if not first:
        raise PuzzlehuntError('which game? GAME, or rows of words: "HORSE XYX"')
    value = {"title": "words", "secret": {"words": "standard", "length": str(len(first))}}
    return changed_keys(context).inherit(Document(value, {(): ("words", 0)}, {}))
