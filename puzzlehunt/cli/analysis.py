"""The commands that ask about a game and its rows: `suggest`, `candidates`, `explain`, `review`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from typer import Context

from puzzlehunt.cli.opening import build_game, changed_keys, open_document, open_game, with_rows
from puzzlehunt.cli.streams import (
    STDIN,
    fail,
    has_row,
    note,
    print_json,
    read_lines,
    result,
)
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.count import Count
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError, TooLargeError, UnknownNameError
from puzzlehunt.explanation.identification import Identifier
from puzzlehunt.explanation.remaining import Remaining, WiderList
from puzzlehunt.explanation.repair import NEAR_CHANCE
from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game.files.document import Document, set_option
from puzzlehunt.game.game import Game
from puzzlehunt.session.answers import Answers, CandidatesReply, ReviewReply, SuggestReply
from puzzlehunt.session.limits import LISTED_CANDIDATES, when_stopped
from puzzlehunt.views.advice import (
    review_table,
    show_unread,
    skill_line,
    suggestions_table,
    tried_lines,
)
from puzzlehunt.views.candidates import (
    boards_lines,
    count_line,
    left_lines,
    listed_codes,
    misread_lines,
    more_text,
    nearly_line,
    others_line,
    unfinished_line,
    wider_line,
)
from puzzlehunt.views.explanations import (
    basis_text,
    contradiction_line,
    explanation_lines,
    explanation_sections,
    unconfirmed_text,
)
from puzzlehunt.views.json import reply_json
from puzzlehunt.views.meanings import identification_json, identification_lines
from puzzlehunt.views.screen import Screen

_OPTION = re.compile(r"--?[a-z][a-z-]*")
_CONFLICTS = 20
"""Largest number of conflicts that `--all` lists."""
_MOST_NEARLY_FITTING = 5
"""Largest number of codes in the note on codes that would fit if one turn was wrong."""


def suggest(context: Context, top: int, try_: str | None, unread: bool, json: bool) -> None:
    """Print the best next guesses, or the value of one guess or of each unread mark."""
    if unread and try_ is not None:
        raise PuzzlehuntError("--unread ranks marks and --try a guess: ask for one of them")
    answers = Answers(open_game(context))
    guess = None if try_ is None else answers.game.parse_guess(try_)
    if unread and answers.engine.satisfiable():
        ranked = answers.unread(top)
        if json:
            print_json(reply_json(ranked))
        else:
            show_unread(ranked.ranked, top, Screen())
        return
    reply = answers.suggest(top, guess, listed=LISTED_CANDIDATES if json else 1)
    if not reply.fits:
        answer = reply_json(reply) | ({"unread": []} if unread else {})
        _fail_without_candidates(reply, answer if json else None)
    if json:
        print_json(reply_json(reply))
    elif not reply.advice.suggestions:
        note(_nothing_left(answers))
    else:
        _show_guesses(reply)


def _nothing_left(answers: Answers) -> str:
    """Return the line that says why there is no guess to suggest."""
    known = answers.engine.known_secret()
    if known is None:
        return "solved: there is nothing left to guess"
    return f"the secret is {answers.game.format_code(known)}: there is nothing left to ask"


def _show_guesses(reply: SuggestReply) -> None:
    engine, advice, screen = reply.engine, reply.advice, Screen()
    game = engine.game
    if reply.boards:
        counts = [board.count for board in reply.boards]
        for line in boards_lines(game, game.winning_guesses(game.history), counts):
            screen.note(line)
    else:
        count = engine.count() if advice.count is None else Count.of(advice.count)
        for line in left_lines(count, advice.outside):
            screen.note(line)
    if reply.wider_list is not None:
        screen.note(f"{others_line(reply.wider_list)} (--words {reply.wider_list.name})")
    if reply.tried is None:
        screen.table(suggestions_table(game, advice))
    else:
        screen.line("\n".join(tried_lines(game, reply.tried)))
    if advice.basis:
        screen.note(f"(from {basis_text(advice.basis)})")


def candidates(context: Context, limit: int, json: bool) -> None:
    """Print the candidates that are left."""
    answers = Answers(open_game(context))
    near, near_chance = (limit, 0.0) if json else (_MOST_NEARLY_FITTING, NEAR_CHANCE)
    reply = answers.candidates(limit, near, near_chance)
    if json and (reply.fits or reply.stopped):
        print_json(reply_json(reply))
    if reply.stopped:
        if not (json or reply.boards):
            _print_codes(answers.game, reply.remaining)
        fail(unfinished_line(reply.remaining, when_stopped()), 3)
    if not reply.fits:
        _fail_without_candidates(reply, reply_json(reply) if json else None)
    if not json:
        _show_candidates(answers.game, reply)


def _show_candidates(game: Game, reply: CandidatesReply) -> None:
    for number, board in enumerate(reply.boards, start=1):
        result(f"board {number}: {count_line(Count.of(board.count))}")
        _print_codes(game.one_board, board)
    before, after = misread_lines(reply.remaining.outside)
    for line in before:
        note(line)
    if not reply.boards:
        _print_codes(game, reply.remaining)
    for line in after:
        note(line)
    if reply.near:
        note(nearly_line(game, reply.near))


def _print_codes(game: Game, left: Remaining) -> None:
    result("".join(f"{line}\n" for line in listed_codes(game, left)), end="")
    if left.more and not left.stopped:
        note(f"{more_text(left)} (--limit N)")


def explain(context: Context, rows_and_code: list[str] | None, json: bool, all_: bool) -> None:
    """Print which rows contradict each other and how to repair them, or why a code is out."""
    game, words = open_game(context), rows_and_code or []
    with _unknown_options(words):
        rows, question = _rows_and_question(game, words)
        game = with_rows(game, rows)
    # Text output about one code has no suspects and certainties.
    everything, limit = json or question[0] is None, _CONFLICTS if all_ else 1
    reply = Answers(game).explain(question, limit, everything=everything, in_parts=True)
    if isinstance(reply.stopped, TooLargeError):
        note(str(reply.stopped))
    if json:
        print_json(reply_json(reply))
    else:
        sections = reply.repairs, reply.suspects, reply.certain
        lines = explanation_lines(reply.explanation) + explanation_sections(game, *sections)
        result("\n".join(lines))
        if not reply.engine.proves and (reply.explanation.conflict or reply.certain):
            note(f"({unconfirmed_text(game)})")
    if reply.wider_list is not None:
        note(_wider_hint(reply.wider_list))
    is_stopped = isinstance(reply.stopped, KeyboardInterrupt)
    if is_stopped:
        note(f"this is what was found {when_stopped()}; there may be more to say")
    if reply.explanation.conflict or is_stopped:
        raise SystemExit(1 if reply.explanation.conflict else 3)


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
    reply = answers.reviewed()
    is_whole, outcome = reply.review.contradiction is None, reply.review
    if json and is_whole:
        print_json(reply_json(reply))
    elif outcome.turns and not json:
        screen = Screen()
        screen.table(review_table(answers.game, outcome))
        screen.line(skill_line(outcome))
    elif not json:
        note("there is no guess to review")
    if not is_whole:
        _fail_without_candidates(reply, reply_json(reply) if json else None)


def identify(context: Context, name: str | None, secret: str | None, top: int, json: bool) -> None:
    """Print what unexplained marks mean, the likeliest secrets, and what to guess next."""
    rows = context.params["rows"] or []
    if name is not None and has_row([name]):
        name, rows = None, [name, *rows]
    document = _words_document(context, rows) if name is None else open_document(context, name)
    document = set_option(document, "identify", ("legend",), "unknown")
    game = build_game(context, document, rows)
    own_rule = context.params["rule"] is not None
    found = Identifier.of(game, secret, own_rule).identify(game.history, top)
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
    first = next((line.split()[0] for line in lines if line.split()), "")
    if not first:
        raise PuzzlehuntError('which game? GAME, or rows of words: "HORSE XYX"')
    value = {"title": "words", "secret": {"words": "standard", "length": str(len(first))}}
    return changed_keys(context).inherit(Document(value, {(): ("words", 0)}, {}))


# What they share.


def _fail_without_candidates(
    reply: SuggestReply | CandidatesReply | ReviewReply, answer: dict[str, object] | None = None
) -> NoReturn:
    """Print that no candidate is left, and exit with status 1.

    The message names a wider word list if that has candidates. `answer` is printed as JSON before
    the message, unless it is None.
    """
    if answer is not None:
        print_json(answer)
    hint = "" if reply.wider_list is None else _wider_hint(reply.wider_list)
    fail(f"{contradiction_line(reply.engine.game, reply.engine)}\n{hint}", 1)


def _wider_hint(wider: WiderList) -> str:
    return f"{wider_line(wider)} (--words {wider.name})"
