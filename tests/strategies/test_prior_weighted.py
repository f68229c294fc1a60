from positions import position_of
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.registry import find_strategy


def game_of(*words, guesses=(), attempts="6"):
    listed = ", ".join(words)
    more = ", ".join([*guesses, *(word.split()[0] for word in words)])
    return gamefile.load(
        "wordle",
        [
            f"secret.words=[{listed}]",
            f"guess.words=[{more}]",
            f"play={{attempts: {attempts}, strategy: deep}}",
        ],
    )


def best(position):
    ranked, _ = find_strategy("deep").rank(position, 1)
    return position.game.format_code(ranked[0].guess)


# Playing.


def test_the_likelier_of_two_is_guessed_first():
    assert best(position_of(game_of("bight 2", "wight 1"))) == "BIGHT"
    assert best(position_of(game_of("bight 1", "wight 2"))) == "WIGHT"


def test_with_one_guess_left_it_is_the_likeliest_word():
    words = ("bight", "fight", "light 3", "might", "night 2")
    assert best(position_of(game_of(*words, guesses=["flmen"], attempts="1"))) == "LIGHT"
    assert best(position_of(game_of(*words, guesses=["flmen"], attempts="2"))) == "FLMEN"


def test_every_secret_is_found():
    words = [
        f"{letter}ight {weight}" for letter, weight in zip("bfhlmnrstw", range(1, 11), strict=True)
    ]
    game = game_of(*words, guesses=["bflmn", "hrstw", "blhrz"])
    played = tournament.run(game, name="weighed").played
    assert played.total() == 10
    assert max(played) <= 6


def test_it_says_guesses_on_average_and_the_chance_to_win():
    ranked, complete = find_strategy("deep").rank(position_of(game_of("bight 3", "wight 1")), 2)
    assert complete
    assert [(rated.value, rated.chance) for rated in ranked] == [(1.25, 0.75), (1.75, 0.25)]
