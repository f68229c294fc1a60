"""The command `suggest`: the best next guesses."""

from typing import TYPE_CHECKING, Any

from puzzlehunt.cli.asked import Asked, engine_with_history, open_game, takes
from puzzlehunt.cli.options import (
    DEFAULT_LIMIT,
    ENGINES,
    GAME,
    GUESS_CHOICE,
    JSON,
    READS,
    SECONDS,
    SEED,
    SETTINGS,
    STRATEGY,
    TIME_BUDGET,
    TOP,
    TRY,
    TURNS,
    UNREAD,
)
from puzzlehunt.cli.output import fail_without_candidates, note, open_screen, print_json
from puzzlehunt.errors import PuzzlehuntError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from puzzlehunt.codes.alphabet import Code
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.explanation.remaining import Remaining, WiderList
    from puzzlehunt.explanation.review import TriedGuess
    from puzzlehunt.strategies.adviser import Advice, Adviser


@takes(
    GAME, *TURNS, TOP, TRY, UNREAD, JSON, *SETTINGS, *ENGINES, STRATEGY, *GUESS_CHOICE, READS, SEED,
    TIME_BUDGET, SECONDS
)  # fmt: skip
def suggest(asked: Asked) -> None:
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic "HORSE B_WR_" "WORSE __RW_"

    puzzlehunt suggest heart-2018 --unread
    """
    from puzzlehunt.explanation.remaining import remaining_on_boards
    from puzzlehunt.strategies.adviser import Adviser

    game = open_game(asked)
    text = asked[TRY]
    if asked[UNREAD] and text is not None:
        raise PuzzlehuntError("--unread ranks marks and --try a guess: ask for one of them")
    guess = None if text is None else game.parse_guess(text)
    engine, adviser = engine_with_history(game), Adviser(game)
    boards = remaining_on_boards(engine, DEFAULT_LIMIT if asked[JSON] else 1)
    if not engine.satisfiable():
        answer = _as_json(asked, engine, adviser.no_advice(0, engine.proves), boards)
        answer |= {"unread": []} if asked[UNREAD] else {}
        fail_without_candidates(game, engine, answer if asked[JSON] else None)
    if asked[UNREAD]:
        _rank_unread(asked, engine)
        return
    advice, tried = _advice(asked, engine, adviser, guess)
    if asked[JSON]:
        print_json(_as_json(asked, engine, advice, boards, tried))
    elif not advice.suggestions:
        note("solved: there is nothing left to guess")
    else:
        _show(engine, advice, boards, tried)


def _rank_unread(asked: Asked, engine: "Engine") -> None:
    """Print which unread marks are expected to tell most; there are none where all is found."""
    from puzzlehunt.explanation.unread import UnreadMarks, unread_marks
    from puzzlehunt.strategies.base import Budget
    from puzzlehunt.views.json import estimate_json, unread_json
    from puzzlehunt.views.unread import show_unread

    game = engine.game
    is_solved = None not in game.winning_guesses(game.history)
    budget = Budget(seconds=game.play.budget)
    ranked = UnreadMarks(game, ()) if is_solved else unread_marks(engine, budget)
    if asked[JSON]:
        count = engine.count(quickly=True).exact
        answer = {"count": count, **unread_json(ranked, asked[TOP])}
        print_json(answer | estimate_json(engine, count))
    else:
        show_unread(ranked, asked[TOP], open_screen())


def _advice(
    asked: Asked, engine: "Engine", adviser: "Adviser", guess: "Code | None"
) -> "tuple[Advice, TriedGuess | None]":
    """Return advice, and how good a tried guess is; the advice then rates that guess alone."""
    from puzzlehunt.explanation.review import try_guess
    from puzzlehunt.strategies.base import Budget

    game = engine.game
    budget = Budget(seconds=game.play.budget)
    if None not in game.winning_guesses(game.history):
        return adviser.no_advice(1), None
    if guess is None:
        return adviser.advise(engine, asked[TOP], budget), None
    tried = try_guess(adviser, engine, guess, budget)
    return tried.rated, tried


def _as_json(
    asked: Asked,
    engine: "Engine",
    advice: "Advice",
    boards: "Sequence[Remaining]",
    tried: "TriedGuess | None" = None,
) -> dict[str, Any]:
    """Return what `--json` prints."""
    from puzzlehunt.views.json import suggest_json

    others, is_tried = _others(engine, advice), asked[TRY] is not None
    return suggest_json(engine, advice, boards, others, tried, is_tried=is_tried)


def _others(engine: "Engine", advice: "Advice") -> "WiderList | None":
    """Return the first wider list with others than the only candidate; None if no list has any."""
    from puzzlehunt.explanation.remaining import only_one

    if advice.only_candidate is None:
        return None
    only = only_one(engine.game, engine.game.history, advice.only_candidate, "")
    return None if only is None else only.wider


def _show(
    engine: "Engine", advice: "Advice", boards: "Sequence[Remaining]", tried: "TriedGuess | None"
) -> None:
    from puzzlehunt.engines.base import Count
    from puzzlehunt.views.basis import basis_text
    from puzzlehunt.views.candidates import others_line
    from puzzlehunt.views.counts import boards_lines, left_lines
    from puzzlehunt.views.suggestions import suggestions_table, tried_lines

    game, screen = engine.game, open_screen()
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
