"""The command `review`: how good the guesses of a game were."""

from typer import Context

from puzzlehunt.cli.opening import fail_without_candidates, opened
from puzzlehunt.cli.streams import note, print_json
from puzzlehunt.explanation.review import review as review_guesses
from puzzlehunt.strategies.position import Budget
from puzzlehunt.views.advice import review_table, skill_line
from puzzlehunt.views.json import review_json
from puzzlehunt.views.screen import Screen


def review(context: Context, json: bool) -> None:
    """Print how good each guess was."""
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
