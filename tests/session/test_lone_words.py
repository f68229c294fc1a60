"""Words and numbers that stand alone: none becomes a guess unless it was meant for one."""

import pytest

from guesser import Guesser
from player import Player
from puzzlehunt.session import commands as conversation
from puzzlehunt.session import practice
from puzzlehunt.session.dialogue import OTHER_NAMES


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("1", "1 of what? 1G is 1 gear, 1T is 1 tumbler; 2 1 is 2 gears, 1 tumbler"),
        ("0", "0 of what? 0G is 0 gears, 0T is 0 tumblers; none is no mark at all"),
        ("7", "'7' is no clue; counts are written 1G2T, and 2 1 is 2 gears, 1 tumbler"),
    ],
)
def test_a_lone_number_is_asked_what_it_counts_and_what_stands_stays(number, said):
    player = Player("nethack").say(number)
    assert said in player.notes
    assert not player.rows
    assert player.say("EEFGA", number).prompt == "EEFGA clue> "
    assert said in player.notes
    assert said in player.say(f"EEFGA {number}").notes
    assert player.say("1g 1t").rows == ["EEFGA 1G1T"]


@pytest.mark.parametrize(
    ("game", "number", "said"),
    [
        ("cryptic", "2", "2 of what? 2b is 2 black, 2w is 2 white, 2r is 2 red"),
        ("mastermind", "2", "2 of what? 2b is 2 black, 2w is 2 white"),
        ("mansions-of-madness", "12", "'12' has 2 symbols; a guess has 5"),
        ("bulls-and-cows", "2", "2 of what? 2A is 2 bulls, 2B is 2 cows"),
    ],
)
def test_a_number_of_another_length_than_a_guess_is_no_guess(game, number, said):
    player = Player(game).say(number)
    assert said in player.notes
    assert not player.rows


def test_a_number_of_five_thousand_digits_is_a_guess_too_long():
    player = Player("bulls-and-cows").say("1234" * 1250)
    assert player.notes.endswith("has 5,000 symbols; a guess has 4\n")
    assert not player.rows


def test_where_digits_are_symbols_a_number_may_be_a_guess():
    assert Player("bulls-and-cows").say("1234", "1A2B").rows == ["1234 1A2B"]
    assert Player("mastermind").say("1122").prompt == "RRGG clue> "


def test_nothing_is_asked_about_where_it_may_be_an_answer_that_was_not_read():
    said = "'nothing': was there no mark (RRRRR), or nothing read (*)?"
    player = Player("cryptic").say("nothing")
    assert said in player.notes
    assert said in player.say("HORSE", "nothing").notes
    assert said in player.say("HORSE nothing").notes
    assert player.rows == []
    assert Player("nethack").say("EEFFG", "nothing").rows == ["EEFFG 0G0T"]


def test_a_number_word_is_a_guess_unless_a_guess_waits_for_its_clue():
    player = Player("jotto", settings=("play.opening=CRANE",)).say("three")
    assert player.prompt == "THREE clue> "
    assert player.say("two").rows == ["THREE CC"]
    assert player.say("PIANO", "three").rows[-1] == "PIANO CCC"
    assert player.say("HORSE two").rows[-1] == "HORSE CC"


def test_where_one_kind_is_counted_a_number_is_the_clue():
    assert Player("jotto", settings=("play.opening=CRANE",)).say("2").rows == ["CRANE CC"]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("2t", "2T"),
        ("2 tumblers", "2T"),
        ("1 gear", "1G"),
        ("1 gear 2 tumblers", "1G2T"),
        (">=1g 1t", "1-4g 1t"),
        ("silence", "0G0T"),
        ("none", "0G0T"),
        ("deaf", "*"),
        ("_", "*"),
        ("unread", "*"),
        ("G_", "G_"),
    ],
)
def test_a_clue_alone_answers_the_standing_guess_or_the_suggestion(line, row):
    player = Player("nethack")
    assert player.suggested == "AABCD"
    assert player.say(line).rows == [f"AABCD {row}"]
    assert Player("nethack").say("EEFGA", line).rows == [f"EEFGA {row}"]


def test_deaf_is_also_a_tune_and_the_echo_says_how_to_write_it():
    player = Player("nethack").say("deaf")
    assert player.rows == ["AABCD *"]
    assert "the guess is written DEAF *" in player.notes
    assert player.say("deaf 1g").rows[-1] == "DEAF 1G"


def test_silence_is_a_word_where_nothing_is_heard():
    assert Player("fallout").say("silence").prompt == "SILENCE clue> "


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("4g 1t", "4 gears, 1 tumbler cannot happen with 5 pegs"),
        ("2 1 1", "'2 1 1' has 3 numbers; they mean gear, tumbler"),
        ("xx 2t", "2 tumblers cannot happen: no symbols of the guess can be in the secret"),
        ("AxBxx 3t", "'3t' cannot happen: 2 symbols of the guess can be in the secret"),
    ],
)
def test_a_clue_that_cannot_be_is_no_guess_either(line, said):
    player = Player("nethack").say(line)
    assert said in player.notes
    assert not player.rows


def test_a_word_that_is_no_tune_is_a_guess_only_as_the_game_writes_it():
    player = Player("nethack").say("hello")
    said = "hello: l, o are no symbols of this game, which takes it for BExxx; if you played that"
    assert said in player.notes
    assert (player.rows, player.prompt) == ([], "> ")
    assert player.say("BExxx").prompt == "BExxx clue> "
    player.say("hello 2g")
    assert player.rows == ["BExxx 2G"]
    assert "hello counts as BExxx in this game" in player.notes


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("mastermind", "what is left out is a miss\n_ is any mark, or a miss\n"),
        ("cryptic", "what is left out was not read\n_ is any mark\n"),
        ("dordle", "every tile has a mark, none is left out\n_ is any mark\n"),
    ],
)
def test_help_says_what_is_left_out(game, said):
    assert said in Player(game).say("/help").out


@pytest.mark.parametrize(
    ("game", "text"),
    [("mastermind", "_"), ("cryptic", "?"), ("nethack", "_"), ("wordle", "?"), ("dordle", "_")],
)
def test_an_unread_mark_alone_says_in_every_game_that_nothing_was_read(game, text):
    player = Player(game)
    guess = player.suggested
    assert player.say(guess, text).rows == [f"{guess} {'* *' if game == 'dordle' else '*'}"]
    assert player.say(f"/edit 1 {text}").rows == player.rows


def test_what_stands_after_the_end_of_a_tune_is_said_not_to_count():
    player = Player("nethack").say("aabcdefg")
    assert "aabcdefg counts as AABCD in this game" in player.notes
    assert player.prompt == "AABCD clue> "


def test_in_a_pasted_block_a_clue_of_two_words_answers_the_guess_above():
    player = Player("nethack").say("AABCD\n2 tumblers\nEEFGA\n1g")
    assert player.rows == ["AABCD 2T", "EEFGA 1G"]
    assert "line 2: hello: l, o are no symbols" in player.say("AABCD 2t\nhello").notes


def test_the_commands_refuse_a_lone_number_and_a_word_that_is_no_tune(run):
    assert run("candidates", "nethack", "-t", "1").status == 2
    assert "hello: l, o are no symbols" in run("candidates", "nethack", "-t", "hello").err
    assert run("candidates", "nethack", "-t", "BExxx", "--limit", "1").status == 0


def test_a_lone_number_is_a_repair_where_rows_contradict_each_other():
    player = Player("nethack").say("AABCD none", "ABCDA none", "AAAAB 1g")
    assert player.conversation.session.answers.repairs
    assert player.say("1").rows != ["AABCD 0G0T", "ABCDA 0G0T", "AAAAB 1G"]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("hint", "did you mean /suggest?"),
        ("best", "did you mean /suggest?"),
        ("List", "did you mean /candidates?"),
        ("left", "did you mean /candidates?"),
        ("delete", "did you mean /drop?"),
        ("remove", "did you mean /drop?"),
        ("rm", "did you mean /drop?"),
        ("reset", "did you mean /new?"),
        ("restart", "did you mean /new?"),
        ("clear", "did you mean /new?"),
        ("back", "did you mean /undo?"),
        ("rows", "did you mean /history?"),
        ("status", "did you mean /history?"),
        ("change", "did you mean /edit?"),
        ("fix", "did you mean /repair?"),
        ("check", "did you mean /try?"),
        ("explain", "did you mean /why?"),
        ("exclude", "did you mean /fact?"),
        ("stats", "did you mean /review?"),
        ("stop", "did you mean /quit?"),
        ("load", "a file or another game: puzzlehunt play NAME"),
        ("reveal", "nobody knows it here; see /candidates"),
        ("guess", "just type it, without a command"),
    ],
)
def test_a_command_of_other_programs_leads_to_the_one_of_this(word, hint):
    assert Player("3x2").say(f"/{word}").notes == f"! no command /{word.casefold()}; {hint}\n"


def test_a_command_of_other_programs_without_a_slash_is_no_clue_and_no_guess():
    player = Player("3x2").say("hint")
    assert player.notes == "! hint is no guess; did you mean /suggest?\n"
    assert Player("cryptic").say("clear").prompt == "CLEAR clue> "


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("suggest", "did you mean /hint?"),
        ("reveal", "did you mean /give-up?"),
        ("log", "did you mean /history?"),
        ("restart", "/quit, and start it again"),
        ("remove", "/help lists them"),
    ],
)
def test_practice_names_its_own_commands_alone(word, hint):
    assert Guesser("3x2", "AAA").say(f"/{word}").notes == f"! no command /{word}; {hint}\n"


def test_no_word_means_two_commands_of_a_dialogue():
    for names in (conversation.COMMANDS, practice.COMMANDS):
        words = [word for name in names for word in OTHER_NAMES.get(name, "").split()]
        assert len(words) == len({*words})
        assert not {*words} & {*names}


def test_a_row_without_a_blank_and_a_guess_in_quotes_are_read():
    player = Player("cryptic").say("HORSE(BWR)", '"FLESH"')
    assert player.rows == ["HORSE BWR__"]
    assert player.prompt == "FLESH clue> "
    assert player.say("SLOTH->BW").rows == ["HORSE BWR__", "FLESH *", "SLOTH BW___"]
    for word in ("HOR(SE)", "CRANE(xyz)", '"rot"'):
        assert len(player.say(word).rows) == 3
        assert word in player.notes
