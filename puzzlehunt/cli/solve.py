"""The command `solve`: the program plays by itself."""

import random
import time
from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import Asked, engine_with_history, open_game, takes
from puzzlehunt.cli.host import secret_to_find
from puzzlehunt.cli.options import (
    ENGINES,
    GAME,
    GUESS_BUDGET,
    GUESS_CHOICE,
    JSON,
    READS,
    SEED,
    SETTINGS,
    SOLVE_SECRET,
    STRATEGY,
)
from puzzlehunt.cli.output import fail, note, open_screen, print_json, result
from puzzlehunt.errors import counted

if TYPE_CHECKING:
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.session.codemaker import Codemaker
    from puzzlehunt.strategies.adviser import Advice
    from puzzlehunt.views.screen import Screen

_ONLY_CANDIDATE = "the only candidate"


@takes(
    GAME, SOLVE_SECRET, JSON, *SETTINGS, *ENGINES, STRATEGY, *GUESS_CHOICE, READS, SEED,
    GUESS_BUDGET
)  # fmt: skip
def solve(asked: Asked) -> None:
    """Play by itself against a secret, and print the transcript.

    puzzlehunt solve cryptic --secret HEART

    puzzlehunt solve absurdle
    """
    from puzzlehunt.session.codemaker import open_codemaker

    game = open_game(asked)
    engine = engine_with_history(game)
    secret, problem = secret_to_find(game, engine, asked[SOLVE_SECRET])
    started = time.perf_counter()
    history, solved, choosers = game.history, False, []
    if not problem:
        codemaker = open_codemaker(game, secret, random.Random(f"{game.play.seed}:given"))
        screen = None if asked[JSON] else open_screen()
        choosers = _solve(engine, codemaker, asked[GUESS_BUDGET], screen)
        history, solved, secret = codemaker.history, codemaker.is_over, codemaker.secret
    seconds = time.perf_counter() - started
    if asked[JSON]:
        from puzzlehunt.views.json import solution_json

        solution = solution_json(game, history, secret, solved=solved, seconds=seconds)
        print_json(solution | {"strategies": choosers})
    elif not problem:
        outcome = "Solved" if solved else "Not solved"
        guesses = counted(len(history.turns), "guess")
        result(f"{outcome} in {guesses}: {game.format_code(secret)}")
        if choosers:
            by = dict.fromkeys(name for name in choosers if name != _ONLY_CANDIDATE)
            note(f"(guesses by {', then '.join(by)})" if by else f"(it was {_ONLY_CANDIDATE})")
    if problem:
        fail(problem, 1)
    if not solved:
        raise SystemExit(1)


def _solve(
    engine: "Engine", codemaker: "Codemaker", guess_budget: int | None, screen: "Screen | None"
) -> list[str]:
    """Play against a codemaker until it is solved or no attempt is left; show each turn.

    Returns what each guess comes from: a strategy, a book, or being the only candidate.
    `guess_budget` is how many guesses are evaluated for one choice, None for no limit. Nothing is
    shown where `screen` is None.
    """
    from puzzlehunt.session.self_play import play_against
    from puzzlehunt.strategies.adviser import Adviser
    from puzzlehunt.strategies.base import Budget
    from puzzlehunt.views.turns import item_lines, turn_lines

    game = engine.game
    rng = random.Random(game.play.seed)
    first_new = len(game.history.items)
    if screen is not None:
        screen.lines(item_lines(game, codemaker.history, first_new))
    if game.play.attempts is not None and len(codemaker.history.turns) >= game.play.attempts:
        return []
    budget, choosers = Budget(guesses=guess_budget), []
    for turn, advice in play_against(codemaker, Adviser(game), engine, rng, budget):
        choosers.append(_chooser(advice))
        number = len(codemaker.history.turns)
        if screen is not None:
            screen.lines(turn_lines(game, number, turn))
        if game.play.attempts is not None and number >= game.play.attempts:
            break
    return choosers


def _chooser(advice: "Advice") -> str:
    """Return what the guess of some advice comes from."""
    if advice.only_candidate is not None:
        return _ONLY_CANDIDATE
    return f"a book ({advice.book})" if advice.book else advice.strategy
