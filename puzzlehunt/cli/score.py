"""The command `score`: the feedback of a guess."""

import sys

from puzzlehunt.cli.opening import open_game
from puzzlehunt.cli.options import Given
from puzzlehunt.cli.streams import STDIN, note, print_json, result
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.turn_notation import leading_codes
from puzzlehunt.views.rows import score_json


def score(given: Given, secret: str, guess: str | None, json: bool) -> None:
    """Print the feedback of a guess at a secret, or of the guesses in the lines of stdin."""
    game = open_game(given)
    if secret == STDIN and guess is None:
        for line in sys.stdin:
            if line.strip():
                print_json(_scored_or_error(game, *_secret_and_guess(game, line)))
        return
    scored = _scored(game, secret, guess or "")
    if json:
        print_json(scored)
    else:
        result(str(scored["feedback"]))
        guessed = f"guess {scored['guess']}" if scored["guess"] else "an empty guess"
        note(f"secret {scored['secret']}, {guessed}")


def _secret_and_guess(game: Game, line: str) -> tuple[str, str]:
    """Return the texts of the secret and the guess on a line; codes may contain blanks."""
    secret, *rest = line.split(maxsplit=1)
    guess = "".join(rest).strip()
    try:
        game.parse_secret(secret)
    except InvalidCodeError:
        return next(leading_codes(game, line.strip()), (secret, guess))
    return secret, guess


def _scored(game: Game, secret: str, guess: str) -> dict[str, object]:
    return score_json(game, game.parse_secret(secret), game.parse_guess(guess))


def _scored_or_error(game: Game, secret: str, guess: str) -> dict[str, object]:
    try:
        return _scored(game, secret, guess)
    except PuzzlehuntError as error:
        return {"secret": secret, "guess": guess, "error": str(error)}
