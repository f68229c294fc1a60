"""The command `score`: the feedback of a guess."""

import sys
from typing import TYPE_CHECKING, Any

from puzzlehunt.cli.asked import Asked, open_game, takes
from puzzlehunt.cli.options import GAME, GUESS, JSON, SECRET, SETTINGS
from puzzlehunt.cli.output import note, print_json, result
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game


@takes(GAME, SECRET, GUESS, JSON, *SETTINGS)
def score(asked: Asked) -> None:
    r"""The feedback of a guess.

    puzzlehunt score cryptic HEART HORSE

    printf 'HEART HORSE\n' | puzzlehunt score cryptic -
    """
    game = open_game(asked)
    if asked[SECRET] == "-" and asked[GUESS] is None:
        for line in sys.stdin:
            if line.strip():
                print_json(_scored_or_error(game, *_secret_and_guess(game, line)))
        return
    scored = _scored(game, asked[SECRET], asked[GUESS] or "")
    if asked[JSON]:
        print_json(scored)
    else:
        result(scored["feedback"])
        note(f"secret {scored['secret']}, guess {scored['guess'] or 'of nothing'}")


def _secret_and_guess(game: "Game", line: str) -> tuple[str, str]:
    """Return the texts of the secret and of the guess on a line; blanks may stand in the codes."""
    from puzzlehunt.game.lines import leading_codes

    secret, *rest = line.split(maxsplit=1)
    guess = "".join(rest).strip()
    try:
        game.parse_secret(secret)
    except InvalidCodeError:
        return next(leading_codes(game, line.strip()), (secret, guess))
    return secret, guess


def _scored(game: "Game", secret: str, guess: str) -> dict[str, Any]:
    """Return the JSON object of a score. Raises InvalidCodeError."""
    from puzzlehunt.views.json import score_json

    return score_json(game, game.parse_secret(secret), game.parse_guess(guess))


def _scored_or_error(game: "Game", secret: str, guess: str) -> dict[str, Any]:
    """Return the JSON object of a score, or of what is wrong with a line of stdin."""
    try:
        return _scored(game, secret, guess)
    except PuzzlehuntError as error:
        return {"secret": secret, "guess": guess, "error": str(error)}
