"""The command `review`: how good the guesses of a game were."""

from puzzlehunt.cli.asked import Asked, engine_with_history, open_game, takes
from puzzlehunt.cli.options import (
    ENGINES,
    GAME,
    JSON,
    READS,
    SECONDS,
    SEED,
    SETTINGS,
    TIME_BUDGET,
    TURNS,
)
from puzzlehunt.cli.output import fail_without_candidates, note, open_screen, print_json


@takes(GAME, *TURNS, JSON, *SETTINGS, *ENGINES, READS, SEED, TIME_BUDGET, SECONDS)
def review(asked: Asked) -> None:
    """How good each guess was: what it was expected to tell, what it told, and the best, in bits.

    puzzlehunt review wordle "CRANE G...Y" "SLOTH Y..YY"

    puzzlehunt review heart-2018 --json
    """
    from puzzlehunt.explanation.review import review
    from puzzlehunt.strategies.base import Budget
    from puzzlehunt.views.json import review_json
    from puzzlehunt.views.review import review_table, skill_line

    game = open_game(asked)
    engine = engine_with_history(game)
    outcome = review(game, game.history, Budget(seconds=game.play.budget), engine)
    engine.follow(game.history)
    if outcome.contradiction is None and asked[JSON]:
        print_json(review_json(outcome))
        return
    if outcome.turns and not asked[JSON]:
        screen = open_screen()
        screen.table(review_table(game, outcome))
        screen.line(skill_line(outcome))
    elif not asked[JSON]:
        note("there is no guess to review")
    if outcome.contradiction is not None:
        fail_without_candidates(game, engine, review_json(outcome) if asked[JSON] else None)
