"""The command `review`: how good the guesses of a game were."""

import typer

from puzzlehunt.cli import options
from puzzlehunt.cli.opening import Answer, fail_without_candidates, opened
from puzzlehunt.cli.streams import note, print_json
from puzzlehunt.explanation.review import review as review_guesses
from puzzlehunt.session.limits import DEFAULT_SECONDS
from puzzlehunt.strategies.position import Budget
from puzzlehunt.views.advice import review_table, skill_line
from puzzlehunt.views.json import review_json
from puzzlehunt.views.screen import Screen

app = typer.Typer(rich_markup_mode=None)


@app.command(cls=Answer)
def review(
    context: typer.Context,
    name: options.GameName,
    rows: options.Rows = None,
    turns: options.Turns = None,
    history: options.HistoryFile = None,
    json: options.Json = False,
    settings: options.Settings = None,
    words: options.Words = None,
    guesses: options.Guesses = None,
    hard: options.HardMode = None,
    engine_name: options.EngineName = None,
    solver: options.Solver = None,
    reads: options.Reads = None,
    seed: options.Seed = None,
    budget: options.TimeBudget = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
) -> None:
    """How good each guess was: what it was expected to tell, what it told, and the best, in bits.

    puzzlehunt review wordle "CRANE G...Y" "SLOTH Y..YY"

    puzzlehunt review heart-2018 --json
    """
    game, engine = opened(context)
    log = game.history
    outcome = review_guesses(game, log, Budget(seconds=game.play.budget), engine)
    engine.follow(log)
    if outcome.contradiction is None and json:
        print_json(review_json(outcome))
        return
    if outcome.turns and not json:
        screen = Screen()
        screen.table(review_table(game, outcome))
        screen.line(skill_line(outcome))
    elif not json:
        note("there is no guess to review")
    if outcome.contradiction is not None:
        fail_without_candidates(game, engine, review_json(outcome) if json else None)
