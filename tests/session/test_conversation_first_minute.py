"""The first minute of a new player: what is said at the start, and words without a slash."""

import random

import pytest

from player import KeptScreen, Player
from puzzlehunt.codes.alphabet import FOREIGN
from puzzlehunt.game.example import example_turn
from puzzlehunt.game.files import gamefile
from puzzlehunt.rules.notation.clue import NONE_WORDS
from puzzlehunt.session.codemaker import open_codemaker
from puzzlehunt.session.practice import Practice


@pytest.mark.parametrize("name", [*gamefile.built_in_games(), "16x6", "2x2", "12x250"])
def test_every_game_has_an_example_that_can_be_typed(name):
    game = gamefile.load(name)
    example = example_turn(game)
    text = game.format_turn(example)
    assert game.parse_turn(text) == example
    assert FOREIGN not in example.guess
    assert text.split(maxsplit=1)[1] not in NONE_WORDS
    assert example == example_turn(game)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("cryptic", "type GUESS CLUE, as COMES BWR__ (/help)"),
        ("nethack", "type GUESS CLUE, as FCEAB 1G2T (/help)"),
        ("mastermind", "type GUESS CLUE, as ORPG BBW (/help)"),
        ("1x1", "type GUESS CLUE (/help)"),
        ("100x20", "type GUESS CLUE (/help)"),
    ],
)
def test_a_game_opens_with_what_to_type_in_it(game, line):
    greeting = Player(game, coach=True).greeting.splitlines()
    assert line in greeting
    assert len(line) <= 40


def test_a_long_example_has_a_line_of_its_own():
    greeting = Player("quordle", coach=True).greeting.splitlines()
    place = greeting.index("type GUESS CLUE (/help), as")
    assert greeting[place + 1].count(" ") == 4


@pytest.mark.parametrize("game", ["wordle", "cryptic", "nethack", "nerdle", "quordle"])
@pytest.mark.parametrize("word", ["help", "?", "Help"])
def test_help_needs_no_slash(game, word):
    player = Player(game).say(word)
    assert "/undo" in player.out
    assert player.rows == []
    assert player.conversation.is_open


@pytest.mark.parametrize("game", ["wordle", "cryptic", "nethack", "nerdle", "quordle"])
@pytest.mark.parametrize("word", ["quit", "exit", "QUIT", "/exit"])
def test_leaving_needs_no_slash(game, word):
    player = Player(game).say(word)
    assert not player.conversation.is_open
    assert player.rows == []


@pytest.mark.parametrize("word", ["help", "quit", "exit"])
@pytest.mark.parametrize("game", ["word-mastermind", "4x26"])
def test_a_word_that_could_be_a_guess_asks_first(game, word):
    player = Player(game, settings=("play.strategy=first",)).say(word)
    assert player.notes == f"/{word}? Commands start with a slash; a guess: {word} *\n"
    assert player.conversation.is_open
    assert player.say(f"{word} *").rows == [f"{word.upper()} *"]


def test_leaving_keeps_the_guess_that_waits_for_its_clue():
    assert Player("cryptic").say("FLESH", "exit").rows == ["FLESH *"]


def test_a_question_mark_after_a_guess_is_its_clue():
    player = Player("cryptic").say("FLESH", "?")
    assert player.rows == ["FLESH *"]


@pytest.mark.parametrize(
    ("word", "shown"),
    [("help", "/give-up"), ("?", "/give-up"), ("exit", ""), ("quit", ""), ("/exit", "")],
)
def test_practice_takes_the_same_words(word, shown):
    game = gamefile.load("wordle")
    codemaker = open_codemaker(game, game.parse_secret("CRANE"), random.Random(0))
    practice, screen = Practice(codemaker), KeptScreen()
    screen.show(practice, practice.handle(word))
    assert shown in screen.take()[0]
    assert practice.is_open is bool(shown)
    assert not codemaker.history.turns


def test_practice_takes_a_word_of_the_game_for_a_guess():
    game = gamefile.load("word-mastermind")
    codemaker = open_codemaker(game, game.parse_secret("HELP"), random.Random(0))
    practice, screen = Practice(codemaker), KeptScreen()
    screen.show(practice, practice.handle("help"))
    assert practice.is_solved
