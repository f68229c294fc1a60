import string

import pytest

from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.packed_codes import space_array
from random_games import game_of

# Score: the specification, against what others published.


def test_score_agrees_with_published_tests(published):
    symbols = string.ascii_uppercase + string.digits
    for row in published("pegs"):
        length = len(row["secret"])
        game = game_of(
            {
                "secret": {"symbols": symbols, "length": str(length)},
                "guess": {"length": f"0-{length}"},
            }
        )
        found = game.score(game.parse_guess(row["guess"]), game.parse_secret(row["secret"]))
        assert row["black"] in ("", str(found.black)), row
        assert row["white"] in ("", str(found.white)), row


def test_score_agrees_with_nethack(published):
    game = gamefile.load("nethack")
    for row in published("nethack"):
        found = game.score(game.parse_guess(row["guess"]), game.parse_secret(row["secret"]))
        assert found == (int(row["gears"]), int(row["tumblers"])), row


def test_the_sentences_of_nethack_are_read_as_their_feedback(published):
    game = gamefile.load("nethack")
    other = {"": "silence", "<OPEN>": "won"}
    for row in published("nethack"):
        guess, message = row["guess"] or '""', row["message"]
        turn = game.turn(f"{guess} {other.get(message, message)}")
        assert list(turn.clue) == [(int(row["gears"]), int(row["tumblers"]))], row


# Arrays of codes.


def test_a_space_too_large_for_an_array_is_refused():
    game = gamefile.load("16x6")
    with pytest.raises(TooLargeError, match="use the symbolic engine"):
        space_array(game.secrets, game.length)
