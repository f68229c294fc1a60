"""The commands `host` (a person guesses a secret) and `solve` (the program guesses it)."""

import random
import sys
import time
from dataclasses import replace

from puzzlehunt.cli.opening import open_game
from puzzlehunt.cli.options import Given
from puzzlehunt.cli.streams import fail, note, print_json, result
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import UnknownNameError, counted
from puzzlehunt.game.game import Game
from puzzlehunt.session.codemaker import Codemaker, draw_secret, open_codemaker, play_against
from puzzlehunt.session.practice import Practice
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget
from puzzlehunt.terminal import prompt
from puzzlehunt.views.rows import item_lines, solution_json, turn_lines
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.wording import contradiction_line


def host(given: Given, secret: str | None) -> None:
    """Choose a secret, or take the given one, and answer a person's guesses at it."""
    seed = random.SystemRandom().getrandbits(32) if given.seed is None else given.seed
    game = open_game(replace(given, seed=seed))
    engine = open_engine(game) if game.history.items else None
    hidden, problem = secret_to_find(game, engine, secret or "random")
    if problem:
        fail(problem, 2 if secret else 1)
    practice = Practice(open_codemaker(game, hidden, rng=random.Random(f"{seed}:given")))
    prompt.run(practice, Screen(), sys.stdin)
    if not practice.is_solved:
        raise SystemExit(1)


def secret_to_find(game: Game, engine: Engine | None, text: str | None) -> tuple[Code, str]:
    """Return a secret, and the reason why the game's history excludes it ("" if it does not).

    `text` is a code, or `random` for a random secret; it may be None only if the host is
    adversarial. `engine` holds the game's history; it may be None if the history is empty. Raises
    UnknownNameError if the code is not a secret of the game, or if `text` does not suit the host.
    """
    rng = random.Random(game.play.seed)
    if game.host == "adversarial" and text not in (None, "random"):
        raise UnknownNameError("an adversarial host has no secret; leave --secret out")
    if game.host != "adversarial" and text is None:
        raise UnknownNameError("solve against what? --secret CODE, or --secret random")
    if text is None or text.casefold() == "random":
        if engine is not None and not engine.satisfiable():
            return game.secrets.random(rng), contradiction_line(game, engine)
        return draw_secret(game, rng), ""
    secret = game.parse_secret(text)
    secret_text = game.format_code(secret)
    if secret not in game.secrets:
        hints = (
            f", or --words {name}" for name, other in game.wider_games() if secret in other.secrets
        )
        raise UnknownNameError(
            f"{secret_text} is not among the game's secrets; another --secret{next(hints, '')}"
        )
    fits = game.fits(game.history, secret)
    return secret, "" if fits else f"{secret_text} does not fit the rows"


_ONLY_CANDIDATE = "the only candidate"


def solve(given: Given, secret: str | None, budget: int | None, json: bool) -> None:
    """Let the program guess a secret, and print the turns of the game."""
    game = open_game(given)
    engine = open_engine(game)
    hidden, problem = secret_to_find(game, engine, secret)
    started = time.perf_counter()
    log, solved, choosers = game.history, False, []
    if not problem:
        rng = random.Random(f"{game.play.seed}:given")
        codemaker = open_codemaker(game, hidden, rng=rng)
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
    """Play against a codemaker to the end; return the source of each guess.

    A source is the name of a strategy, a book, or "the only candidate". Turns are printed on the
    screen unless it is None. `guess_budget` is the largest number of guesses that are evaluated for
    one choice (None: no limit).
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
        chooser = f"a book ({advice.book})" if advice.book else advice.strategy
        choosers.append(chooser if advice.only_candidate is None else _ONLY_CANDIDATE)
        number = len(codemaker.history.turns)
        if screen is not None:
            screen.lines(turn_lines(game, number, turn))
        if game.play.attempts is not None and number >= game.play.attempts:
            break
    return choosers
