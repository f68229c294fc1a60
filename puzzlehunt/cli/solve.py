"""The command `solve`: the program plays by itself."""

import random
import time

from typer import Context

from puzzlehunt.cli.host import secret_to_find
from puzzlehunt.cli.opening import opened
from puzzlehunt.cli.streams import fail, note, print_json, result
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import counted
from puzzlehunt.session.codemaker import Codemaker, open_codemaker
from puzzlehunt.session.self_play import play_against
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.position import Budget
from puzzlehunt.views.rows import item_lines, solution_json, turn_lines
from puzzlehunt.views.screen import Screen

_ONLY_CANDIDATE = "the only candidate"


def solve(context: Context, secret: str | None, json: bool, budget: int | None) -> None:
    """Play against a secret, and print the transcript."""
    game, engine = opened(context)
    hidden, problem = secret_to_find(game, engine, secret)
    started = time.perf_counter()
    log, solved, choosers = game.history, False, []
    if not problem:
        rng = random.Random(f"{game.play.seed}:given")
        codemaker = open_codemaker(game, hidden, rng)
        choosers = _solve(engine, codemaker, budget, None if json else Screen())
        log, solved, hidden = codemaker.history, codemaker.is_over, codemaker.secret
    seconds = time.perf_counter() - started
    if json:
        solution = solution_json(game, log, hidden, solved=solved, seconds=seconds)
        print_json(solution | {"strategies": choosers})
    elif not problem:
        outcome = "Solved" if solved else "Not solved"
        guesses = counted(len(log.turns), "guess")
        result(f"{outcome} in {guesses}: {game.format_code(hidden)}")
        if choosers:
            by = dict.fromkeys(name for name in choosers if name != _ONLY_CANDIDATE)
            note(f"(guesses by {', then '.join(by)})" if by else f"(it was {_ONLY_CANDIDATE})")
    if problem:
        fail(problem, 1)
    if not solved:
        raise SystemExit(1)


def _solve(
    engine: Engine, codemaker: Codemaker, guess_budget: int | None, screen: Screen | None
) -> list[str]:
    """Play against a codemaker until it is solved or no attempt is left; show each turn.

    Returns what each guess comes from: a strategy, a book, or being the only candidate.
    `guess_budget` is how many guesses are evaluated for one choice, None for no limit. Nothing is
    shown where `screen` is None.
    """
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


def _chooser(advice: Advice) -> str:
    """Return what the guess of some advice comes from."""
    if advice.only_candidate is not None:
        return _ONLY_CANDIDATE
    return f"a book ({advice.book})" if advice.book else advice.strategy
