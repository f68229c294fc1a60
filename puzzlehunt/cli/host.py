"""The command `host`: the program has a secret, a person guesses."""

import random
import sys
from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import Asked, engine_with_history, open_game, takes
from puzzlehunt.cli.options import DRAW, GAME, HIDDEN, HOST, SETTINGS
from puzzlehunt.cli.output import fail, open_screen
from puzzlehunt.errors import UnknownNameError

if TYPE_CHECKING:
    from puzzlehunt.codes.alphabet import Code
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.game.game import Game


@takes(GAME, HIDDEN, DRAW, HOST, *SETTINGS)
def host(asked: Asked) -> None:
    r"""Practise: the program has a secret, and answers your guesses.

    puzzlehunt host mastermind

    printf 'CRANE\nSLOTH\n' | puzzlehunt host wordle --secret CRANE
    """
    from puzzlehunt.session.codemaker import open_codemaker
    from puzzlehunt.session.practice import Practice
    from puzzlehunt.terminal import prompt

    seed = random.SystemRandom().getrandbits(32) if asked[DRAW] is None else asked[DRAW]
    game = open_game(asked.with_value(DRAW, seed))
    engine = engine_with_history(game) if game.history.items else None
    secret, trouble = secret_to_find(game, engine, asked[HIDDEN] or "random")
    if trouble:
        fail(trouble, 2 if asked[HIDDEN] else 1)
    codemaker = open_codemaker(game, secret, random.Random(f"{seed}:given"))
    practice = Practice(codemaker)
    prompt.run(practice, open_screen(), sys.stdin)
    if not practice.solved:
        raise SystemExit(1)


def secret_to_find(game: "Game", engine: "Engine | None", text: str | None) -> tuple["Code", str]:
    """Return the secret that a text names, or one that is drawn, and why the log rules it out.

    The reason is mostly empty. `engine` knows the game's own log, None where there is none. Raises
    UnknownNameError for a text that is not right for the game's codemaker.
    """
    from puzzlehunt.explain.why import ruled_out_by
    from puzzlehunt.session.codemaker import drawn
    from puzzlehunt.views.explanations import contradiction_line
    from puzzlehunt.views.names import name_item

    rng = random.Random(game.play.seed)
    if game.host == "adversarial" and text not in (None, "random"):
        raise UnknownNameError("an adversarial host has no secret; leave --secret out")
    if game.host != "adversarial" and text is None:
        raise UnknownNameError("solve against what? --secret CODE, or --secret random")
    if text is None or text.casefold() == "random":
        if engine is not None and not engine.satisfiable():
            return game.secrets.random(rng), contradiction_line(game, engine)
        return drawn(game, rng), ""
    secret = game.parse_secret(text)
    named = game.format_code(secret)
    if secret not in game.secrets:
        wider = (
            f", or --words {name}" for name, other in game.wider_games() if secret in other.secrets
        )
        raise UnknownNameError(
            f"{named} is not among the game's secrets; another --secret{next(wider, '')}"
        )
    out = ruled_out_by(game, game.history, secret)
    return secret, f"{named} is out by {name_item(game, game.history, out[0])}" if out else ""
