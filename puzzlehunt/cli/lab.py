"""Commands of the lab."""

import sys
from typing import Annotated

import typer

from puzzlehunt.cli.options import (
    AsJson,
    EngineName,
    GameName,
    Guesses,
    GuessWords,
    Opening,
    PoolName,
    Reads,
    SecretWords,
    Seed,
    Settings,
    SolverName,
    StrategyName,
    TiesName,
    fail,
    open_game,
    open_known,
    print_json,
)
from puzzlehunt.errors import UnknownNameError


def about() -> None:
    """Play whole tournaments and count guesses."""


def run(
    game: GameName,
    secrets: Annotated[
        str, typer.Option("--secrets", metavar="all|N", help="Play all, or a seeded sample of N.")
    ] = "all",
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Guesses = None,
) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run nethack --strategy minimax --pool candidates --ties first --opening AABBC
    """
    if secrets != "all" and not (secrets.isdecimal() and len(secrets) < 1_000 and int(secrets) > 0):
        raise UnknownNameError(f"--secrets {secrets}: expected all, or a number above 0")
    from puzzlehunt.explain.rows import contradiction
    from puzzlehunt.lab import tournament

    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, strategy=strategy, pool=pool,
        ties=ties, opening=opening, seed=seed, secret_words=secret_words, guess_words=guess_words,
    )  # fmt: skip
    wanted = None if secrets == "all" else int(secrets)
    games = loaded.secrets.size if wanted is None else wanted
    if sys.stderr.isatty() and games <= tournament.MOST_SECRETS:
        with typer.progressbar(length=games, label="games", file=sys.stderr) as bar:
            played = tournament.run(loaded, game, wanted, budget, bar.update)
    else:
        played = tournament.run(loaded, game, wanted, budget)
    result = played.as_json()
    if as_json:
        print_json(result)
    if not result["games"]:
        fail(contradiction(loaded, open_known(loaded)), 1)
    if as_json:
        return
    play = f"{result['strategy']}, pool {result['pool']}, ties {result['ties']}"
    print(
        f"{result['game']}: {play}, opening {result['opening'] or 'its own'}, seed {result['seed']}"
    )
    for label, counts in (("played", result), ("known", result["known"])):
        bars = " ".join(f"{n}:{times}" for n, times in counts["histogram"].items())
        print(
            f"{label:7} average {counts['average']:.4f}  worst {counts['worst']}  "
            f"total {counts['total']}  {bars}"
        )
    print(f"{result['games']} games in {result['seconds']} s", file=sys.stderr)
