"""Commands that answer about a position: what to guess, what is left, what a guess gets, why."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzlehunt.cli.options import (
    AsJson,
    EngineName,
    GameName,
    LogFile,
    Opening,
    PoolName,
    Reads,
    Seconds,
    Seed,
    Settings,
    StrategyName,
    TiesName,
    Turns,
    fail,
    open_game,
    open_known,
    open_screen,
    print_json,
    seconds,
    with_turns,
)
from puzzlehunt.errors import PuzzlehuntError

if TYPE_CHECKING:
    from puzzlehunt.game import Game


def suggest(
    game: GameName,
    turn: Turns = None,
    history: LogFile = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many.")] = 5,
    tried: Annotated[
        str | None, typer.Option("--try", metavar="CODE", help="How good is a guess of yours?")
    ] = None,
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Seconds = None,
) -> None:
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic -t "HORSE B_WR_" -t "WORSE __RW_"
    """
    from puzzlehunt import render
    from puzzlehunt.explain import contradiction
    from puzzlehunt.strategies import Advice, Adviser

    loaded = open_game(
        game, settings, reads=reads, engine=engine, strategy=strategy, pool=pool, ties=ties,
        opening=opening, seed=seed, budget=budget,
    )  # fmt: skip
    loaded = with_turns(loaded, turn, history)
    guess = None if tried is None else loaded.parse_guess(tried)
    known = open_known(loaded)
    adviser = Adviser(loaded)
    if not known.satisfiable():
        if as_json:
            none = Advice((), 0, True, loaded.play.strategy, adviser.strategy.measure)
            print_json(none.as_json(loaded))
        fail(contradiction(loaded, known), 1)
    if guess is None:
        advice = adviser.advise(known, top, seconds(loaded))
    else:
        advice = adviser.rate(known, guess, seconds(loaded))
    if as_json:
        print_json(advice.as_json(loaded))
        return
    screen = open_screen()
    screen.note(render.count_line(advice.count))
    screen.table(render.suggestions_table(loaded, advice))
    if advice.basis:
        screen.note(f"(from {advice.basis})")


def candidates(
    game: GameName,
    turn: Turns = None,
    history: LogFile = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=0, help="At most so many.")
    ] = 20,
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
    reads: Reads = None,
) -> None:
    """What is still possible, one code a line.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """
    from puzzlehunt.engines import CountingEngine, first_codes
    from puzzlehunt.explain import contradiction

    loaded = with_turns(open_game(game, settings, engine=engine, reads=reads), turn, history)
    known = open_known(loaded)

    codes, more = first_codes(known.candidates(), min(limit, sys.maxsize))
    count = known.count() if isinstance(known, CountingEngine) else None if more else len(codes)
    texts = [loaded.format_code(code) for code in codes]
    if as_json:
        print_json({"count": count, "exact": count is not None, "candidates": texts})
    else:
        print("".join(f"{text}\n" for text in texts), end="")
        if more:
            left = "more" if count is None else f"{count - len(codes):,} more"
            print(f"... and {left} (--limit N)", file=sys.stderr)
    if not codes and not more:
        fail(contradiction(loaded, known), 1)


def score(
    game: GameName,
    secret: Annotated[str, typer.Argument(metavar="SECRET", help="- reads pairs from stdin.")],
    guess: Annotated[str | None, typer.Argument(metavar="GUESS")] = None,
    as_json: AsJson = False,
    settings: Settings = None,
) -> None:
    r"""The feedback of a guess.

    puzzlehunt score cryptic HEART HORSE

    printf 'HEART HORSE\n' | puzzlehunt score cryptic -
    """
    loaded = open_game(game, settings)
    if secret == "-" and guess is None:
        for line in sys.stdin:
            if line.strip():
                fields = line.split(maxsplit=1)
                print_json(_scored_or_error(loaded, fields[0], "".join(fields[1:]).strip()))
        return
    scored = _scored(loaded, secret, guess or "")
    if as_json:
        print_json(scored)
    else:
        print(scored["feedback"])


def _scored(game: "Game", secret: str, guess: str) -> dict[str, Any]:
    hidden, tried = game.parse_secret(secret), game.parse_guess(guess)
    feedback = game.score(tried, hidden)
    return {
        "secret": game.format_code(hidden),
        "guess": game.format_code(tried) if tried else "",
        "feedback": game.rule.format(game.rule.exactly(feedback, tried)),
        **game.rule.parts(feedback, tried),
    }


def _scored_or_error(game: "Game", secret: str, guess: str) -> dict[str, Any]:
    try:
        return _scored(game, secret, guess)
    except PuzzlehuntError as error:
        return {"secret": secret, "guess": guess, "error": str(error)}


def explain(
    game: GameName,
    code: Annotated[str | None, typer.Argument(metavar="CODE", help="Why is it out?")] = None,
    turn: Turns = None,
    history: LogFile = None,
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
) -> None:
    """Which rows cannot all be right; with CODE, which rows rule it out.

    puzzlehunt explain mastermind -t "RRRR B" -t "RGBY none"

    puzzlehunt explain cryptic -t "HORSE B_WR_" HEART
    """
    from puzzlehunt.explain import explained

    loaded = with_turns(open_game(game, settings, engine=engine), turn, history)
    asked = None if code is None else loaded.parse_secret(code)
    explanation = explained(loaded, open_known(loaded), asked)
    if as_json:
        print_json(explanation.as_json())
    else:
        print(*explanation.lines(), sep="\n")
    if explanation.conflict:
        raise SystemExit(1)
