"""Random rows of random games in random surroundings are that row or refused, never another one."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, History, Turn
from puzzlehunt.game.turn_notation import parse_clue, with_text
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import UNREAD
from puzzlehunt.rules.notation.clue_values import CellsClue, of_ranges
from random_games import noted_turn, random_game

KINDS = ("repeats", "distinct", "words", "lengths", "tunes", "boards")
SEEDS = st.integers(0, 10**6)

AROUND_GUESS = [
    "{}", '"{}"', "`{}`", "**{}**", "*{}*", "({})", "[{}]", "\u201c{}\u201d", "'{}'", "_{}_",
]  # fmt: skip
AROUND_CLUE = ["{}", '"{}"', "`{}`", "**{}**", "({})", "{}.", "{} (edited)", "\u2018{}\u2019"]
AROUND_LINE = [
    "{}", "`{}`", "```{}```", '"{}"', "({})", "> {}", "- {}", "3. {}", "#3: {}", "(3) {}", "{}.",
    "| {} |", "|{}|", "[14:03] Alice: {}", "14:03 {}", "<bob> {}", "Alice: {}", "~~{}~~", "{}!",
]  # fmt: skip
BETWEEN = [
    " ", "  ", "\t", ", ", ",", "; ", " | ", "|", ": ", ":", " -> ", "->", " \u2192 ", " = ", "=",
]  # fmt: skip
DOUBTS = ["", "", "", " ?", " maybe", ", maybe", " (not sure)", " (?)", " probably."]
NOTES = ["", "", "", "\tfrom Dora", "\tso close", " # on page 2"]


def decorated(rng: random.Random, game: Game, turn: Turn) -> tuple[str, Turn]:
    """A turn's line with something around its words, and the turn that it should write."""
    guess, clue = game.format_code(turn.code), game.rule.notation.format(turn.clue)
    doubt = rng.choice(DOUBTS)
    note = rng.choice(NOTES)
    around = [sign for sign in AROUND_CLUE if sign != "{}." or not has_stops(game)]
    text = rng.choice(around).format(clue) + doubt
    line = rng.choice(AROUND_GUESS).format(guess) + rng.choice(BETWEEN) + text
    if rng.random() < 0.1:
        line = f"{guess}({clue}){doubt}"
    written = replace(turn, doubt=DEFAULT_DOUBT if doubt else 0.0, note=note.strip(" \t#"))
    around = [sign for sign in AROUND_LINE if sign != "{}." or not has_stops(game)]
    return rng.choice(around).format(line) + note, written


def has_stops(game: Game) -> bool:
    """Whether a full stop is a mark of the game: then it ends no sentence."""
    rule = game.one_board.rule
    return "." in [rule.notation.unread_mark, *(mark for mark, _ in rule.notation.named_marks())]


def in_cells(rng: random.Random, game: Game, turn: Turn) -> tuple[str, Turn]:
    """A turn as the row of a table without heading: a mark a cell, some of them blank."""
    cells = cells_of(rng, game, turn) or [game.rule.notation.format(turn.clue)]
    row = [game.format_code(turn.code), *cells]
    row = [""] * (rng.random() < 0.2) + [str(rng.randint(1, 30))] * (rng.random() < 0.3) + row
    row += [""] * rng.randint(0, 3)
    sign = rng.choice(["\t", ",", ";", " | ", ", "])
    if rng.random() < 0.3:
        row = [f'"{cell}"' if rng.random() < 0.8 else cell for cell in row]
    line = sign.join(row)
    return (f"| {line} |" if sign == " | " else line), turn


def cells_of(rng: random.Random, game: Game, turn: Turn) -> list[str]:
    """The clue of a turn in cells, or in one cell where it has no marks or exact counts."""
    rule, clue = game.rule, turn.clue
    if (
        isinstance(rule, TileRule)
        and isinstance(clue, CellsClue)
        and len(clue.cells) == len(turn.code)
    ):
        marks = ["".join(rule.notation.marks[digit] for digit in cell) for cell in clue.cells]
        return [
            mark if len(mark) == 1 else f"[{mark}]" if mark else rng.choice(["", "?"])
            for mark in marks
        ]
    if isinstance(rule, CountRule) and clue.cells is not None:
        notation = rule.notation
        marks = ["".join(notation.kinds[kind].mark or "." for kind in cell) for cell in clue.cells]
        blank = "" if notation.miss_has_mark else notation.unread_mark
        return [
            (rng.choice([blank, "?"]) if not mark else mark if len(mark) == 1 else f"[{mark}]")
            for mark in marks
        ]
    return [rule.notation.format(clue)]


def below_heading(rng: random.Random, game: Game, turn: Turn) -> tuple[list[str], Turn] | None:
    """A heading with the kinds of marks in any order, and a row of counts; None for other games."""
    rule, clue = game.rule, turn.clue
    if not isinstance(rule, CountRule) or clue.ranges[-1][0] < 0 or not turn.code:
        return None
    notation = rule.notation
    columns = [("Guess", game.format_code(turn.code)), ("Notes", "")]
    for kind, (low, high) in zip(notation.kinds, clue.ranges, strict=True):
        if notation.miss_has_mark:
            columns.append((kind.label, str(low) if low or rng.random() < 0.5 else ""))
        elif kind is not notation.kinds[-1]:
            columns.append((kind.label, str(low) if low == high else f"{low}-{high}"))
    rng.shuffle(columns)
    sign = rng.choice(["\t", ",", ";"])
    lines = [sign.join(title for title, _ in columns), sign.join(cell for _, cell in columns)]
    lows = [low for low, _ in clue.ranges]
    if notation.miss_has_mark:
        read = [(kind,) for kind, low in enumerate(lows) for _ in range(low)]
        counts = clue.with_cells([*read, *[UNREAD] * (clue.marks - len(read))])
    else:
        ranges = [*clue.ranges[:-1], (0, clue.marks)]
        counts = of_ranges(ranges, clue.marks) or clue
    text = rule.notation.format(counts)
    return lines, replace(turn, clue=parse_clue(game, text, turn.code))


@given(SEEDS)
def test_a_row_in_surroundings_is_that_row_or_refused(seed: int) -> None:
    check(seed, decorated)


@given(SEEDS)
def test_a_row_below_a_heading_is_that_row_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(seed, *KINDS)
    turn = noted_turn(rng, game, game.secrets.random(rng))
    table = below_heading(rng, game, replace(turn, doubt=0.0))
    if table is None:
        return
    lines, written = table
    turns, problems = read_block(game, lines, History())
    if not problems:
        assert turns == (with_text(game, written),), (lines, written)


@given(SEEDS)
def test_a_row_in_cells_is_that_row_or_refused(seed: int) -> None:
    check(seed, in_cells)


def check(seed: int, write: Callable[[random.Random, Game, Turn], tuple[str, Turn]]) -> None:
    rng = random.Random(seed)
    game = random_game(seed, *KINDS)
    turn = noted_turn(rng, game, game.secrets.random(rng))
    line, written = write(rng, game, replace(turn, doubt=0.0))
    try:
        read = game.turn(line)
    except PuzzlehuntError:
        return
    assert written.note in read.note
    expected = with_text(game, replace(written, note=read.note))
    assert read == expected, (line, read.text, written.note)


def test_letters_that_may_be_of_the_guess_or_marks_are_asked_about():
    game = load({"secret": {"words": ["cra", "crab"], "length": "3-4"}, "rule": "pegs"})
    with pytest.raises(PuzzlehuntError, match="two ways: CRAB BW or CRA BBW"):
        game.turn("c r a b B W")
