"""The commands that ask what is possible and what to guess: `suggest` and `candidates`."""

from typing import NoReturn

from typer import Context

from puzzlehunt.cli.opening import open_game
from puzzlehunt.cli.streams import fail, note, print_json, result
from puzzlehunt.engines.base import Count
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.explanation.remaining import Remaining, WiderList
from puzzlehunt.game.game import Game
from puzzlehunt.session.answers import Answers, CandidatesReply, ReviewReply, SuggestReply
from puzzlehunt.session.limits import LISTED_CANDIDATES, when_stopped
from puzzlehunt.views.advice import show_unread, suggestions_table, tried_lines
from puzzlehunt.views.candidates import (
    boards_lines,
    count_line,
    left_lines,
    listed_codes,
    more_text,
    nearly_line,
    outside_lines,
    unfinished_line,
    wider_line,
)
from puzzlehunt.views.json import reply_json
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.wording import contradiction_line

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
        fail_without_candidates(reply, answer if json else None)
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
    if reply.tried is None:
        screen.table(suggestions_table(game, advice))
    else:
        screen.line("\n".join(tried_lines(game, reply.tried)))
    if advice.basis:
        screen.note(f"(from {advice.basis})")


def candidates(context: Context, limit: int, json: bool) -> None:
    """Print the candidates that are left."""
    answers = Answers(open_game(context))
    reply = answers.candidates(limit, limit if json else _MOST_NEARLY_FITTING)
    if json and (reply.fits or reply.stopped):
        print_json(reply_json(reply))
    if reply.stopped:
        if not (json or reply.boards):
            _print_codes(answers.game, reply.remaining)
        fail(unfinished_line(reply.remaining, when_stopped()), 3)
    if not reply.fits:
        fail_without_candidates(reply, reply_json(reply) if json else None)
    if not json:
        _show_candidates(answers.game, reply)


def _show_candidates(game: Game, reply: CandidatesReply) -> None:
    for number, board in enumerate(reply.boards, start=1):
        result(f"board {number}: {count_line(Count.of(board.count))}")
        _print_codes(game.one_board, board)
    if not reply.boards:
        _print_codes(game, reply.remaining)
    for line in outside_lines(reply.remaining.outside):
        note(line)
    if reply.near:
        note(nearly_line(game, reply.near))


def _print_codes(game: Game, left: Remaining) -> None:
    result("".join(f"{line}\n" for line in listed_codes(game, left)), end="")
    if left.more and not left.stopped:
        note(f"{more_text(left)} (--limit N)")


# What they share.


def fail_without_candidates(
    reply: SuggestReply | CandidatesReply | ReviewReply, answer: dict[str, object] | None = None
) -> NoReturn:
    """Print that no candidate is left, and exit with status 1.

    The message names a wider word list if that has candidates. `answer` is printed as JSON before
    the message, unless it is None.
    """
    if answer is not None:
        print_json(answer)
    hint = "" if reply.wider_list is None else wider_hint(reply.wider_list)
    fail(f"{contradiction_line(reply.engine.game, reply.engine)}\n{hint}", 1)


def wider_hint(wider: WiderList) -> str:
    """Return a line that names a wider word list with candidates, and how to take it."""
    return f"{wider_line(wider)} (--words {wider.name})"
