"""Practice: the program as the codemaker, and what a person's lines get."""

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from guesser import Guesser
from puzzlehunt.session.codemaker import draw_secret
from puzzlehunt.session.practice import COMMANDS

Program = Callable[..., Any]
HARD = ("hard=true",)
SMALL = "secret={words: [CRANE, SLOTH, DUMPY, FIGHT], length: 5}"
MERGED = (SMALL, "boards={count: 2, merged: true}", "play.attempts=4")


# Guesses.


def test_after_rows_likelier_secrets_are_drawn_sooner(game_of) -> None:
    words = "[crane 9, slate 1, dumpy 90]"
    game = game_of(f"{{secret: {{words: {words}}}, rule: marks, turns: [FIGHT .....]}}")
    drawn = Counter(game.format_code(draw_secret(game, Random(seed))) for seed in range(200))
    assert set(drawn) == {"CRANE", "DUMPY"}
    assert 5 < drawn["CRANE"] < 40


def test_a_guess_is_answered_as_in_the_transcript_and_the_secret_ends_the_game() -> None:
    guesser = Guesser("wordle", "CRANE").say("caves")
    assert guesser.prompt == "2> "
    guesser.say("CRANE")
    assert (guesser.practice.is_open, guesser.practice.is_solved) == (False, True)
    assert guesser.say("SLOTH").out == ""


def test_blanks_may_stand_in_a_guess_whose_beginning_is_one_too() -> None:
    guesser = Guesser("4x3", "ABCA", ("guess.length=1-4",))
    assert guesser.say("A B").rows == 1
    assert guesser.say("AB BW").rows == 1


def test_attempts_run_out() -> None:
    guesser = Guesser("wordle", "CRANE", ("play.attempts=2",)).say("SLOTH", "MOUTH")
    assert (guesser.practice.is_open, guesser.practice.is_solved) == (False, False)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("wordle", "CRAN"),
        ("wordle", "HERZX"),
        ("wordle", "CRANE GY..."),
        ("wordle", "/nope"),
        ("nerdle", "12+35=48"),
        ("mastermind", "red red pink blue"),
        ("nethack", "AABBC 2g"),
    ],
)
def test_a_bad_guess_is_one_line_and_costs_nothing(game: str, line: str) -> None:
    guesser = Guesser(game, None).say(line)
    assert guesser.notes.startswith("! ")
    assert (len(guesser.notes.splitlines()), guesser.out, guesser.rows) == (1, "", 0)


def test_a_guess_may_be_typed_symbol_by_symbol() -> None:
    guesser = Guesser("mastermind", "RRGY").say("red red green blue", "🔴🔴🟢🟢", "r r g y")
    assert guesser.practice.is_solved


def test_a_tune_with_more_notes_behind_it_does_not_win() -> None:
    guesser = Guesser("nethack", "AABBC").say("AABBCD")
    assert not guesser.practice.is_solved
    assert guesser.say("AABBC").practice.is_solved


def test_a_guess_outside_a_list_is_fine_where_guesses_come_from_none() -> None:
    assert Guesser("bulls-and-cows", "1234").say("5678").rows == 1


def test_hard_mode_refuses_what_does_not_use_the_answers() -> None:
    guesser = Guesser("wordle", "CHEST", HARD).say("CRANE", "SLOTH")
    assert guesser.rows == 1
    assert guesser.say("CHEST").practice.is_solved


def test_empty_lines_and_comments_get_no_answer() -> None:
    guesser = Guesser("wordle", None).say("", "   ", "# nothing", "\n\n")
    assert (guesser.out, guesser.notes, guesser.rows) == ("", "", 0)


def test_pasted_lines_are_guesses_one_by_one() -> None:
    guesser = Guesser("wordle", "CRANE").say("SLOTH\nCRANE\nMOUTH")
    assert guesser.rows == 2
    assert guesser.practice.is_solved


# What is given, several secrets, other codemakers.


def test_what_is_given_is_told_first() -> None:
    guesser = Guesser("wordle", "CRANE", ("gives=[row]",))
    assert re.search(r"^1\. [A-Z]{5}: ", guesser.greeting, re.MULTILINE)
    assert guesser.prompt == "2> "


def test_an_adversarial_codemaker_gives_way_only_when_nothing_else_is_left() -> None:
    words = "secret={words: [CRANE, CRATE, GRATE], length: 5}"
    guesser = Guesser("absurdle", None, (words, "guess={words: large}"))
    assert "solved" not in guesser.say("CRATE").out
    guesser.say("CRANE", "GRATE", "CRATE")
    assert guesser.practice.is_solved


def test_a_log_goes_on() -> None:
    guesser = Guesser("heart-2018", "HEART")
    assert "27. PERIL: " in guesser.greeting
    assert "Solved in 28 guesses: HEART\n" in guesser.say("HEART").out


# Commands.


def test_giving_up_reveals_the_secret() -> None:
    guesser = Guesser("wordle", "CRANE").say("/give-up")
    assert (guesser.practice.is_open, guesser.practice.is_solved) == (False, False)


def test_a_hint_is_one_guess_and_costs_nothing() -> None:
    guesser = Guesser("4x3", "ABCA").say("AABB", "/hint")
    assert re.fullmatch(r"try [ABC]{4} - .*", guesser.out.splitlines()[-1])
    assert guesser.rows == 1
    hinted = guesser.out.splitlines()[-1].split()[1]
    assert guesser.say(hinted).rows == 2


def test_help_and_quit() -> None:
    guesser = Guesser("wordle", "CRANE").say("/help")
    for name in COMMANDS:
        assert f"/{name} " in guesser.out
    assert not guesser.say("/q").practice.is_open
    assert guesser.out == ""


def test_where_a_slash_is_a_symbol_commands_and_their_short_forms_are_still_commands() -> None:
    guesser = Guesser("nerdle", "12+35=47").say("/h")
    assert "/give-up" in guesser.out
    assert "no symbol" in guesser.say("/x").notes
    assert guesser.say("/give-up now").out == "It was 12+35=47\n"
    assert not Guesser("nerdle", None).say("/q").practice.is_open


@pytest.mark.parametrize("game", ["dordle", "octordle", "nethack"])
def test_practice_fits_40_columns(game: str) -> None:
    guesser = Guesser(game, None)
    lines = guesser.greeting.splitlines()[2:] + guesser.say("/help").out.splitlines()
    for line in ("CRANE", "RGBY", "AABBC"):
        lines += guesser.say(line).out.splitlines()
    assert max(map(len, lines)) <= 40


# The command.


def test_the_command_ends_with_0_where_the_secret_was_found(run: Program) -> None:
    done = run("host", "mastermind", "--secret", "RGBY", stdin="RRGG\nRGBY\nRRRR\n")
    assert done.status == 0
    assert done.err == ""


def test_the_command_ends_with_1_where_it_was_not(run: Program) -> None:
    for lines in ("RRGG\n", "/give-up\n", "/quit\n", "", "RRRR\n" * 10):
        assert run("host", "mastermind", "--secret", "RGBY", stdin=lines).status == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["mastermind", "--secret", "RGBX"],
        ["mastermind", "--secret", "RGB"],
        ["wordle", "--secret", "CZECH"],
        ["wordle", "--host", "kind"],
        ["wordle", "--host", "adversarial", "--secret", "CRANE"],
        ["wordle", "--words", "nowhere"],
        ["wordle", "--seed", "x"],
        ["dordle", "--secret", "CRANE"],
        ["dordle", "--host", "adversarial"],
        ["heart-2018", "--secret", "CRANE"],
    ],
)
def test_bad_usage_is_status_2_with_nothing_on_stdout(arguments: list[str], run: Program) -> None:
    done = run("host", *arguments)
    assert (done.status, done.out) == (2, "")
    assert "should not happen" not in done.err


def test_a_seed_draws_the_same_secret_again_and_without_one_chance_does(run: Program) -> None:
    def drawn(*options: str) -> str:
        out: str = run("host", "4x6", *options, stdin="/give-up\n").out
        return out.splitlines()[-1]

    assert drawn("--seed", "7") == drawn("--seed", "7")
    assert len({drawn() for _ in range(4)}) > 1


def test_a_wider_list_holds_more_secrets(run: Program) -> None:
    done = run("host", "wordle", "--secret", "CZECH", "--words", "huge", stdin="CZECH\n")
    assert done.status == 0


# Whatever is typed.


@pytest.mark.parametrize("word", ["help", "?", "exit", "quit", "/exit", "/q"])
def test_practice_takes_words_without_a_slash(word: str) -> None:
    guesser = Guesser("wordle", "CRANE").say(word)
    assert guesser.practice.is_open is (word in ("help", "?"))
    assert guesser.rows == 0


def test_practice_takes_a_word_of_the_game_for_a_guess() -> None:
    assert Guesser("word-mastermind", "HELP").say("help").practice.is_solved


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
def test_practice_names_its_own_commands_alone(word: str, hint: str) -> None:
    assert Guesser("3x2", "AAA").say(f"/{word}").notes.endswith(f"{hint}\n")
