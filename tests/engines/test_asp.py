"""Games as logic programs: what clingo makes of the printed text, and its answers read back."""

import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.asp import script
from puzzlehunt.engines.smtlib import read_model
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact
from script_answers import models_of_clingo

games = st.from_type(Game)
KINDS = ["repeats", "distinct", "words", "tunes", "halves", "formulas", "boards"]
few = settings(max_examples=4)


def codes_of(game: Game) -> list[Code | None]:
    models = models_of_clingo(script(game, game.history))
    return [read_model(game, f"Answer: 1\n{model}\nSATISFIABLE\n") for model, _ in models]


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(0, 100_000))
@few
def test_the_models_of_programs_of_every_kind_are_the_candidates(
    brute_force, random_game, kind, seed
):
    game = random_game(seed, kind)
    assert sorted(codes_of(game)) == brute_force(game, game.history)


@given(games)
@few
def test_turns_and_facts_stand_under_a_comment_in_words(game):
    text = script(game, game.history)
    paragraphs = re.findall(r"^\n% (.*)$", text, re.MULTILINE)
    expected, turns = [], 0
    for item in game.history:
        if isinstance(item, Fact):
            expected.append(item.text)
        else:
            turns += 1
            expected.append(f"{turns}. {game.describe_turn(item)}")
    assert [line for line in paragraphs if line in expected] == expected


def test_symbols_may_be_signs_that_strings_escape(game_of):
    game = game_of({"secret": {"symbols": ["\\", "'", "a", "Ü"], "length": "2"}})
    assert sorted(codes_of(game)) == list(game.secrets)


def test_a_title_of_several_lines_stays_a_comment(game_of):
    game = game_of({"title": "a\n:-.\n b", "secret": {"symbols": "AB", "length": "1"}})
    assert script(game, game.history).startswith("% a :-. b\n")
    assert len(codes_of(game)) == 2


def test_a_program_of_any_size_can_be_solved():
    game = gamefile.load("16x6", ["turns=[AABBCCDDEEFFABCD BBWWWW]"])
    ((model, _),) = models_of_clingo(script(game, game.history), 1)
    code = read_model(game, model)
    assert code is not None
    assert game.fits(game.history, code)


# Answers.


@pytest.fixture
def game(game_of):
    return game_of("{secret: {symbols: AB, length: 2}, turns: [AA B]}")


AB = 'holds(1,"A") holds(2,"B")'


@pytest.mark.parametrize(
    "answer",
    [
        f"clingo version 5.8.3\nSolving...\nAnswer: 1 (Time: 0.001s)\n{AB}\nSATISFIABLE\n",
        f'Answer: 1\n{AB} atleast("A",1)\nSATISFIABLE',
        'Answer: 1\nholds(1,"B") holds(2,"B")\nAnswer: 2\nholds(2,"B") holds(1,"A")\nSATISFIABLE',
        AB,
    ],
)
def test_the_last_answer_of_clingo_is_read_back(game, answer):
    assert read_model(game, answer) == (0, 1)


def test_an_unsatisfiable_program_has_no_code(game):
    assert read_model(game, "Solving...\nUNSATISFIABLE\n") is None


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("UNKNOWN\n", "no model found"),
        ("Answer: 1\n\nSATISFIABLE", "no model found"),
        ('Answer: 1\nholds(1,"A")\nSATISFIABLE', "no symbol at position 2"),
        (f'Answer: 1\n{AB} holds(2,"A")', "2 symbols at position 2"),
        ('Answer: 1\nholds(1,"A") holds(2,"Z")', "no symbol at position 2"),
    ],
)
def test_an_answer_without_one_symbol_a_position_is_an_error(game, answer, problem):
    with pytest.raises(PuzzlehuntError, match=problem):
        read_model(game, answer)


# The command.


def test_export_writes_a_program_that_clingo_reads_and_answers(run, home):
    rows = ("-t", "RRGG BW", "-t", "RGBY WW")
    assert run("export", "mastermind", *rows, "--format", "lp", "-o", "game.lp").out == ""
    command = [sys.executable, "-m", "clingo", "game.lp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "info:" not in done.stderr
    read = run("export", "mastermind", *rows, "--read", "-", stdin=done.stdout)
    assert read.status == 0
    assert "checked against 2 rows: it fits" in read.err
    assert len(read.out) == 5


def test_export_of_a_contradiction_says_so_and_its_program_has_no_model(run):
    rows = ("-t", "RRRR B", "-t", "RGBY none")
    done = run("export", "mastermind", *rows, "--format", "lp")
    assert done.status == 1
    assert models_of_clingo(done.out) == []
    read = run("export", "mastermind", *rows, "--read", "-", stdin="UNSATISFIABLE\n")
    assert (read.status, read.out) == (1, "")
    assert "contradict" in read.err


def test_a_format_that_does_not_exist_is_an_error(run):
    done = run("export", "4x6", "--format", "smt")
    assert (done.status, done.out) == (2, "")
    assert "did you mean smtlib?" in done.err


def test_a_program_is_written_without_clingo(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "clingo", None)
    assert "#show holds/2." in run("export", "4x6", "--format", "lp").out
