"""The commands that ask what is possible and what to guess: `suggest` and `candidates`."""

import sys
from dataclasses import replace
from typing import NoReturn

from puzzlehunt.cli.opening import open_game
from puzzlehunt.cli.options import Given
from puzzlehunt.cli.streams import fail, note, print_json
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.explanation.remaining import WiderList
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.changes import Question, QuestionKind
from puzzlehunt.views.advice import show_suggestions, show_unread, tried_lines
from puzzlehunt.views.candidates import (
    counted_lines,
    near_lines,
    outside_lines,
    show_candidates,
    unfinished_line,
    wider_line,
)
from puzzlehunt.views.json import answer_json, candidates_json
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.wording import contradiction_line


def suggest(given: Given, top: int, try_: str | None, unread: bool, json: bool) -> None:
    """Print the best next guesses, or the value of one guess or of each unread mark."""
    if unread and try_ is not None:
        raise PuzzlehuntError("--unread ranks marks and --try a guess: ask for one of them")
    answers = Answers(open_game(given))
    guess = None if try_ is None else answers.game.parse_guess(try_)
    if json:
        kind: QuestionKind = "unread" if unread else "suggest" if guess is None else "try"
        print_json(answer_json(answers, Question(kind, top, guess)))
    if not answers.engine.satisfiable():
        fail_without_candidates(answers)
    if not json and unread:
        show_unread(answers.unread(top), Screen())
    elif not json and (answers.is_won or None not in answers.game.winning_guesses(answers.history)):
        note(_nothing_left(answers))
    elif not json:
        _show_guesses(answers, top, guess)


def _show_guesses(answers: Answers, top: int, guess: Code | None) -> None:
    game, screen = answers.game, Screen()
    tried = None if guess is None else answers.tried(guess)
    advice = answers.suggest(top) if tried is None else tried.rated
    if counted := answers.counted(advice):
        Screen(sys.stderr, sys.stderr).lines(counted_lines(game, counted))
    if tried is None:
        show_suggestions(game, advice, screen)
    else:
        screen.lines(tried_lines(game, tried))


def _nothing_left(answers: Answers) -> str:
    """Return the line that says why there is no guess to suggest."""
    known = answers.engine.known_secret()
    if known is None:
        return "solved: there is nothing left to guess"
    return f"the secret is {answers.game.format_code(known)}: there is nothing left to ask"


def candidates(given: Given, limit: int, json: bool) -> None:
    """Print the candidates that are left."""
    answers = Answers(open_game(given))
    near = limit if json else 5
    listed = replace(answers.candidates(limit, near), hint="--limit")
    game, is_any = answers.game, listed.fits or listed.stopped
    if json:
        print_json(candidates_json(answers.engine, listed))
        if listed.stopped:
            note(unfinished_line(listed.remaining))
    elif is_any:
        left, notes = listed.remaining, Screen(sys.stderr, sys.stderr)
        codes = replace(listed, remaining=replace(left, outside=None), near=())
        show_candidates(game, codes, Screen())
        notes.lines(outside_lines(left.outside))
        notes.lines(near_lines(game, listed.near))
    if not is_any:
        fail_without_candidates(answers)
    if listed.stopped:
        raise SystemExit(3)


# What they share.


def fail_without_candidates(answers: Answers) -> NoReturn:
    """Print that no candidate is left, and exit with status 1.

    The message names a wider word list if that has candidates.
    """
    wider = answers.wider_list()
    hint = "" if wider is None else wider_hint(wider)
    fail(f"{contradiction_line(answers.game, answers.engine)}\n{hint}", 1)


def wider_hint(wider: WiderList) -> str:
    """Return a line that names a wider word list with candidates, and how to take it."""
    return f"{wider_line(wider)} (--words {wider.name})"
