"""A guess written down again: its row is completed or replaced, and counts once."""

import random
from functools import cache

import pytest

from cases import cases
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import MergeResult, merge
from puzzlehunt.game.turn_notation import format_turn
from random_games import random_turn

load = cache(gamefile.load)


def merged(game: Game, rows: list[str], new: list[str], is_log: bool = False) -> MergeResult:
    history = merge(game, History(), [game.turn(row) for row in rows]).history
    return merge(game, history, [game.turn(row) for row in new], is_log)


def rows_of(game: Game, history: History) -> list[str]:
    return [format_turn(game, turn) for turn in history.turns]


@pytest.mark.parametrize(("game", "old", "new", "effect", "now"), cases("a guess again"))
def test_a_guess_again_completes_its_row_where_it_says_more_and_else_replaces_it(
    game: str, old: str, new: str, effect: str, now: str
) -> None:
    opened = load(game)
    result = merged(opened, [old], [new])
    assert rows_of(opened, result.history) == [now]
    (placed,) = result.placed
    assert (placed.row, placed.effect) == (1, effect)
    assert placed.old == opened.turn(old)
    assert f"{placed.turn.guess} {placed.turn.answer}" == now.partition(" ?")[0]


@pytest.mark.parametrize(
    "game", ["cryptic", "mastermind", "nethack", "bulls-and-cows", "wordle", "jotto", "peaks"]
)
def test_of_two_clues_just_what_both_admit_is_kept_and_what_is_written_is_read_back(
    game: str,
) -> None:
    opened, rng = load(game), random.Random(game)
    for _ in range(200):
        old, new = random_turn(opened, rng), random_turn(opened, rng)
        clue = old.clue & new.clue
        if len(old.code) != len(new.code):
            continue
        common = {f for f in new.clue if f in old.clue}
        assert (clue is None) == (not common)
        if clue is not None:
            assert common <= {*clue} <= {*old.clue} | {*new.clue}
            assert {*clue} in (common, {*old.clue}, {*new.clue})


@pytest.mark.parametrize("game", ["cryptic", "mastermind", "nethack", "wordle", "liar", "fibble"])
def test_a_log_merged_again_changes_nothing_however_often(game: str) -> None:
    opened, rng = load(game), random.Random(game)
    for size in range(1, 8):
        log = [random_turn(opened, rng) for _ in range(size)]
        first = merge(opened, History(), log, is_log=True)
        again = merge(opened, first.history, first.history.turns, is_log=True)
        assert again.history == first.history
        assert {placed.effect for placed in again.placed} == {"known"}


def test_a_growing_log_completes_its_rows_and_adds_the_new_ones_behind() -> None:
    game = load("cryptic")
    board, sheet = ["WORST R", "ZONES RR"], ["WORST R", "HORSE B_WR_", "ZONES RRW", "EBONY RRWRR"]
    result = merged(game, board, sheet, is_log=True)
    assert rows_of(game, result.history) == [
        *("WORST R____", "ZONES WRR__", "HORSE BWR__", "EBONY WRRRR"),
    ]
    effects = [(placed.row, placed.effect) for placed in result.placed]
    assert effects == [(1, "known"), (3, "new"), (2, "completed"), (4, "new")]


def test_facts_keep_their_places() -> None:
    game = load("cryptic")
    turns = [game.turn("HORSE BW"), game.turn("ZONES RR")]
    history = History((turns[0], game.parse_fact("no Q"), turns[1]))
    result = merge(game, history, [game.turn("ZONES RRW"), game.turn("HORSE BWR")])
    assert result.history.facts == history.facts
    assert rows_of(game, result.history) == ["HORSE BWR__", "ZONES WRR__"]
    assert result.history.items[1] == history.items[1]


# Games that answer anew by chance.


@pytest.mark.parametrize("game", ["liar", "fibble"])
def test_where_a_codemaker_lies_a_guess_played_again_is_a_new_row(game: str) -> None:
    opened = load(game)
    row = "RRGG BW" if game == "liar" else "CRANE GY..G"
    assert rows_of(opened, merged(opened, [row], [row]).history) == [row, row]
    assert rows_of(opened, merged(opened, [f"{row[:5].strip()} *"], [row]).history) == [row]


def test_where_a_codemaker_lies_a_log_that_goes_on_where_the_board_ends_is_that_log_again() -> None:
    game = load("liar")
    board = ["RRGG BW", "RRGG B", "BBYY none"]
    assert rows_of(game, merged(game, board, [*board, "RRGG BW"], is_log=True).history) == [
        *board,
        "RRGG BW",
    ]
    assert rows_of(game, merged(game, board, board[:2], is_log=True).history) == board
    other = ["RRGG BBB", "RRGG B"]
    assert rows_of(game, merged(game, board, other, is_log=True).history) == board + other


# Hard mode.


def refused(game: Game, rows: list[str], new: list[str]) -> list[int]:
    _, problems = read_block(game, new, History(tuple(map(game.turn, rows))))
    return [problem.line for problem in problems]


def test_hard_mode_forbids_new_guesses_alone() -> None:
    game = gamefile.load("wordle", ("hard=true",))
    rows = ["CRANE G....", "CLOTH GY..."]
    assert refused(game, rows, ["CRANE G....", "SLOTH ....."]) == [2]
    assert refused(game, [rows[0], "SLOTH *"], ["SLOTH ....."]) == []
    assert refused(game, [], [*rows, "CRANE G....", "", "SLOTH ....."]) == [5]


def test_hard_mode_holds_a_new_guess_against_the_rows_before_it_and_no_others() -> None:
    """Not against itself, which does not fit its own clue, nor against what comes after it."""
    game = gamefile.load("mastermind", ("hard=true",))
    for row in ("RRGG BW", "RGYB WW", "RRGG none", "RRRR B"):
        assert refused(game, [], [row]) == []
    assert refused(game, ["RRGG BW"], ["YYBB W"]) == [1]
    assert refused(game, [], ["RRGG BW", "YYBB W"]) == [2]


def test_a_note_is_kept_until_another_is_written_and_a_new_one_is_news() -> None:
    game = gamefile.load("mastermind")
    for again, note, effect in (
        ("RRGG BW", "by Ann", "known"),
        ("RRGG BW # by Ann", "by Ann", "known"),
        ("RRGG BW # by Bob", "by Bob", "completed"),
        ("RRGG BB", "by Ann", "replaced"),
    ):
        (placed,) = merged(game, ["RRGG BW # by Ann"], [again]).placed
        assert (placed.turn.note, placed.effect) == (note, effect)
