"""The command `suggest`: the best next guesses."""

from collections.abc import Sequence
from typing import Any

from typer import Context

from puzzlehunt.cli.opening import fail_without_candidates, opened
from puzzlehunt.cli.options import DEFAULT_LIMIT
from puzzlehunt.cli.streams import note, print_json
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.count import Count
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.explanation.remaining import Remaining, WiderList, only_one, remaining_on_boards
from puzzlehunt.explanation.review import TriedGuess, try_guess
from puzzlehunt.explanation.unread import UnreadMarks, unread_marks
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.position import Budget
from puzzlehunt.views.advice import show_unread, suggestions_table, tried_lines
from puzzlehunt.views.counts import boards_lines, left_lines, others_line
from puzzlehunt.views.explanations import basis_text
from puzzlehunt.views.json import estimate_json, suggest_json, unread_json
from puzzlehunt.views.screen import Screen


def suggest(context: Context, top: int, try_: str | None, unread: bool, json: bool) -> None:
    """Print the best next guesses, or what a guess or each unread mark is worth."""
    if unread and try_ is not None:
        raise PuzzlehuntError("--unread ranks marks and --try a guess: ask for one of them")
    game, engine = opened(context)
    guess = None if try_ is None else game.parse_guess(try_)
    adviser = Adviser(game)
    boards = remaining_on_boards(engine, DEFAULT_LIMIT if json else 1)
    if not engine.satisfiable():
        advice = adviser.no_advice(0, engine.proves)
        answer = _as_json(engine, advice, boards, None, is_tried=try_ is not None)
        answer |= {"unread": []} if unread else {}
        fail_without_candidates(game, engine, answer if json else None)
    if unread:
        _rank_unread(engine, top, json)
        return
    advice, tried = _advice(engine, adviser, guess, top)
    if json:
        print_json(_as_json(engine, advice, boards, tried, is_tried=try_ is not None))
    elif not advice.suggestions:
        note("solved: there is nothing left to guess")
    else:
        _show(engine, advice, boards, tried)


def _rank_unread(engine: Engine, top: int, as_json: bool) -> None:
    """Print which unread marks are expected to tell most; there are none where all is found."""
    game = engine.game
    is_solved = None not in game.winning_guesses(game.history)
    budget = Budget(seconds=game.play.budget)
    ranked = UnreadMarks(game, ()) if is_solved else unread_marks(engine, budget)
    if as_json:
        count = engine.count(quickly=True).exact
        print_json({"count": count, **unread_json(ranked, top), **estimate_json(engine, count)})
    else:
        show_unread(ranked, top, Screen())


def _advice(
    engine: Engine, adviser: Adviser, guess: Code | None, top: int
) -> tuple[Advice, TriedGuess | None]:
    """Return advice, and how good a tried guess is; the advice then rates that guess alone."""
    game = engine.game
    budget = Budget(seconds=game.play.budget)
    if None not in game.winning_guesses(game.history):
        return adviser.no_advice(1), None
    if guess is None:
        return adviser.advise(engine, top, budget), None
    tried = try_guess(adviser, engine, guess, budget)
    return tried.rated, tried


def _as_json(
    engine: Engine,
    advice: Advice,
    boards: Sequence[Remaining],
    tried: TriedGuess | None,
    *,
    is_tried: bool,
) -> dict[str, Any]:
    others = _others(engine, advice)
    return suggest_json(engine, advice, boards, others, tried, is_tried=is_tried)


def _others(engine: Engine, advice: Advice) -> WiderList | None:
    """Return the first wider list with others than the only candidate; None if no list has any."""
    if advice.only_candidate is None:
        return None
    only = only_one(engine.game, engine.game.history, advice.only_candidate, "")
    return None if only is None else only.wider


def _show(
    engine: Engine, advice: Advice, boards: Sequence[Remaining], tried: TriedGuess | None
) -> None:
    game, screen = engine.game, Screen()
    if boards:
        counts = [board.count for board in boards]
        for line in boards_lines(game, game.winning_guesses(game.history), counts):
            screen.note(line)
    else:
        count = engine.count() if advice.count is None else Count.of(advice.count)
        for line in left_lines(count, advice.outside):
            screen.note(line)
    if (wider := _others(engine, advice)) is not None:
        screen.note(f"{others_line(wider)} (--words {wider.name})")
    if tried is None:
        screen.table(suggestions_table(game, advice))
    else:
        screen.line("\n".join(tried_lines(game, tried)))
    if advice.basis:
        screen.note(f"(from {basis_text(advice.basis)})")
