"""The command `host`: the program has a secret, a person guesses."""

import random
import sys

from typer import Context

from puzzlehunt.cli.opening import engine_with_history, open_game
from puzzlehunt.cli.streams import fail
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import UnknownNameError
from puzzlehunt.explanation.why import ruled_out_by
from puzzlehunt.game.game import Game
from puzzlehunt.session.codemaker import draw_secret, open_codemaker
from puzzlehunt.session.practice import Practice
from puzzlehunt.views.explanations import contradiction_line, name_item
from puzzlehunt.views.screen import Screen


def host(context: Context, secret: str | None, seed: int | None) -> None:
    """Answer guesses at a secret."""
    from puzzlehunt.terminal import prompt

    seed = context.params["seed"] = random.SystemRandom().getrandbits(32) if seed is None else seed
    game = open_game(context)
    engine = engine_with_history(game) if game.history.items else None
    hidden, problem = secret_to_find(game, engine, secret or "random")
    if problem:
        fail(problem, 2 if secret else 1)
    practice = Practice(open_codemaker(game, hidden, random.Random(f"{seed}:given")))
    prompt.run(practice, Screen(), sys.stdin)
    if not practice.is_solved:
        raise SystemExit(1)


def secret_to_find(game: Game, engine: Engine | None, text: str | None) -> tuple[Code, str]:
    """Return the secret that a text names, or a random one, and why the history rules it out.

    The reason is empty where the history does not rule it out. `text` is a code, `random`, or None
    where the host is adversarial; `engine` has the game's history, None where that is empty.
    Raises UnknownNameError for a text that does not suit the game's host.
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
    conflicting_places = ruled_out_by(game, game.history, secret)
    if not conflicting_places:
        return secret, ""
    return secret, f"{secret_text} is out by {name_item(game, game.history, conflicting_places[0])}"
