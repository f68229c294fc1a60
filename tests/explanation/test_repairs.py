"""What may have gone wrong: repairs where nothing fits, and rows that are likely to be wrong."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bayes import Notes, brute_force
from cases import cases
from positions import followed, mended_by, read_back, told
from puzzlehunt.channel.model import MISREAD
from puzzlehunt.explanation.repair import near_misses, repairs, suspects
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, History, Turn
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.views.wording import percent
from random_games import game_of, random_game

KINDS = ("repeats", "distinct", "words", "lengths", "tunes", "halves")


def _one_mark_wrong(game: Game, turn: Turn, secret: Any) -> Iterator[Turn]:
    """Every row that differs from a true one, read in full, in one mark; none that wins."""
    noted = Notes(game, turn.code)
    true = noted.answers[tuple(game.score(turn.code, secret))]
    for other in noted.others:
        marks = noted.answers[other]
        apart = (Counter(true) - Counter(marks)).total()
        if noted.tiles:
            apart = sum(a != b for a, b in zip(true, marks, strict=True))
        if apart == 1 and len(marks) == len(true):
            yield replace(turn, clue=game.rule.notation.full_clue(other, turn.code))


def _played(game: Game, rng: random.Random) -> tuple[list[Turn], Any]:
    """Up to six true rows, read in full, none of which wins; and the secret."""
    secret = game.secrets.random(rng)
    guesses = [game.guesses.random(rng) for _ in range(rng.randint(1, 6))]
    return [told(game, guess, secret) for guess in guesses if guess != secret], secret


@pytest.mark.parametrize("seed", range(30))
def test_every_change_of_one_mark_that_leaves_something_is_a_repair(seed: int) -> None:
    """In a true game of which one mark was misread."""
    rng, game = random.Random(seed), random_game(seed, *KINDS)
    turns, secret = _played(game, rng)
    if not turns:
        return
    missed = rng.randrange(len(turns))
    wrong = rng.choice([*_one_mark_wrong(game, turns[missed], secret)] or [turns[missed]])
    items = [*turns[:missed], wrong, *turns[missed + 1 :]]
    engine = followed(game, *items)
    found = repairs(engine)
    if brute_force(game, items):
        assert found == []
        return
    assert ((missed + 1, turns[missed]),) in {one.turns for one in found if one.kind == "mark"}
    mended = {one.turns for one in found}
    for place, turn in enumerate(turns):
        for other in _one_mark_wrong(game, turn, secret) if place != missed else ():
            if brute_force(game, [*items[:place], other, *items[place + 1 :]]):
                assert ((place + 1, other),) in mended
    assert {one.turns for one in found}.isdisjoint(((n + 1, t),) for n, t in enumerate(items))
    assert [one.rank for one in found] == list(range(1, len(found) + 1))
    assert engine.items == tuple(items)


@pytest.mark.parametrize("seed", range(6))
def test_a_solver_finds_the_repairs_of_arrays(seed: int) -> None:
    game, rng = random_game(seed, "repeats", "distinct", "words"), random.Random(seed)
    turns, secret = _played(game, rng)
    items = [rng.choice([turn, *_one_mark_wrong(game, turn, secret)]) for turn in turns]
    found = repairs(followed(replace(game, history=History(tuple(items))), name="symbolic"))
    arrays = repairs(followed(replace(game, history=History(tuple(items)))))
    assert {one.turns for one in found} == {one.turns for one in arrays}
    assert all(one.count is None for one in found)


@pytest.mark.parametrize("seed", range(10))
def test_each_board_without_a_candidate_has_repairs_of_its_own(seed: int) -> None:
    rng, game = random.Random(seed), gamefile.load("dordle")
    secret = game.secrets.random(rng)
    turns = [told(game, game.guesses.random(rng), secret) for _ in range(4)]
    boards = range(game.boards)
    for board in rng.sample(boards, rng.randint(1, 2)):
        row = rng.randrange(4)
        clues = list(turns[row].clue.clues)
        feedback = [int(digit != 1) for (digit,) in clues[board].cells]
        clues[board] = game.one_board.rule.notation.full_clue(feedback, turns[row].code)
        turns[row] = replace(turns[row], clue=BoardsClue(tuple(clues)))
    engine = followed(game, *turns)
    found = repairs(engine)
    assert {one.board for one in found} <= {
        n for n, one in enumerate(engine.boards()) if not one.engine.satisfiable()
    }
    for one in found:
        mended = mended_by(one, History(tuple(turns)))
        state = followed(game, *mended.items).boards()[one.board]
        assert state.count().exact == one.count > 0
        for old, new in zip(turns, mended.turns, strict=True):
            same = [n for n in boards if old.clue.clues[n] == new.clue.clues[n]]
            assert {*same, one.board} == {*boards}
            assert (new.code, new.doubt) == (old.code, old.doubt)


# The kinds of repair.


def _mends(game: Game, *lines: str) -> dict[str, list[tuple[dict[int, str], int | None]]]:
    """The repairs of some rows by kind: the new rows by number, and how many candidates fit."""
    mends: dict[str, list[tuple[dict[int, str], int | None]]] = {}
    for one in repairs(followed(game, *lines)):
        rows = {number: format_turn(game, turn) for number, turn in one.turns}
        mends.setdefault(one.kind, []).append((rows, one.count))
    return mends


SMALL = {
    "words": "{secret: {words: [FLESH, FRESH, FRUIT, BLESS, BRUSH]}, rule: marks}",
    "pairs": "{secret: {symbols: ABCD, length: 2}, rule: marks}",
}


@pytest.mark.parametrize(("game", "rows", "kind", "expected"), cases("kinds of repairs"))
def test_each_kind_of_repair_changes_what_it_says(
    game: str, rows: str, kind: str, expected: str
) -> None:
    found = _mends(game_of(SMALL[game]), *rows.split("; ")).get(kind, [])
    said = [f"{row}. {turn} {count}" for turns, count in found for row, turn in turns.items()]
    assert "; ".join(said) == expected


def test_any_two_neighbours_may_have_been_exchanged() -> None:
    game = game_of("{secret: {symbols: ABCD, length: 3}, rule: marks}")
    for rows, meant in [(["AAB .G.", "CAC ..."], "ABA .G."), (["BAA .G.", "CAC ..."], "ABA .G.")]:
        assert {1: meant} in [turns for turns, _ in _mends(game, *rows)["guess"]]


MASTERMIND = ["RRRR B", "RGBY none", "RGBB B"]


def test_the_last_resort_is_to_doubt_the_row() -> None:
    game = gamefile.load("mastermind")
    assert _mends(game, *MASTERMIND)["neighbour"] == [({1: "RRRR none", 2: "RGBY B"}, 35)]
    twice = ["RRRR none", "GGGG none", "BBBB none", "RRRR BB", "YYYY none", "GGGG BB"]
    assert _mends(game, *twice) == {}  # no row alone is to blame
    found = repairs(followed(game, *MASTERMIND))
    # A doubted row may show any of 15 feedbacks; three rows have two pairs of neighbours.
    (doubted,), (exchanged,) = (
        [one for one in found if one.kind == kind] for kind in ("doubt", "neighbour")
    )
    assert doubted.turns == ((2, replace(game.turn(MASTERMIND[1]), doubt=DEFAULT_DOUBT)),)
    assert doubted.count is not None
    assert exchanged.count is not None
    expected = (0.06 / 15 * doubted.count) / (0.03 / 2 * exchanged.count)
    assert doubted.probability / exchanged.probability == pytest.approx(expected)


ONE_LIES = "{secret: {symbols: AB, length: 1}, rule: marks, lies: {at_most: 1}, turns: [A ., B .]}"
LIAR = "secret: {symbols: RGBYOP, length: 4}, lies: {at_most: 1}"
WON_AT_LAST = "{" + LIAR + ", turns: [RRRR none, GGGG none, RGBY won]}"
TWO_WON = "{" + LIAR + ", turns: ['RGBY *', RGBO won, RGBY won]}"


@pytest.mark.parametrize("text", [ONE_LIES, WON_AT_LAST, TWO_WON])
def test_a_repair_is_offered_only_if_a_file_of_it_is_read_as_it_stands(text: str) -> None:
    game = game_of(text)
    found = repairs(followed(game, *game.history))
    assert found
    for one in found:
        mended = mended_by(one, game.history)
        assert read_back(game, mended) == mended


# Rows that are likely to be wrong.


def test_a_game_that_says_nothing_of_misreadings_is_taken_to_have_one_in_twenty() -> None:
    value = {"secret": {"symbols": "ABCD", "length": "3"}, "marks": {"miss": "R"}}
    rows = {"turns": ["AAB BRR", "ABB WWR", "CDD RRR"]}
    plain = game_of({**value, **rows})
    asked = game_of({**value, **rows, "reads": {"misread": "0.05"}})
    assert asked.channel.misread == MISREAD
    pairs = zip(suspects(followed(plain)), suspects(followed(asked)), strict=True)
    for found, expected in pairs:
        assert found.turn == expected.turn
        assert found.probability == pytest.approx(expected.probability)
    assert near_misses(followed(plain)) == []


@pytest.mark.parametrize("count", [5, 9])
def test_rows_are_as_suspect_as_if_unlikely_codes_were_weighed_too(count: int) -> None:
    game, rng = gamefile.load("4x6"), random.Random(5)
    rows = [
        game.turn(g, game.score(g, (0, 2, 2, 5))) for g in map(game.guesses.random, [rng] * count)
    ]
    weighed = replace(game, channel=replace(game.channel, misread=MISREAD))
    found, posterior = suspects(followed(game, *rows)), followed(weighed, *rows).posterior
    assert len(found) == len(rows)
    for one in found:
        assert one.probability == pytest.approx(posterior.wrong[one.row - 1], rel=1e-4)


def test_a_doubted_row_is_suspected_as_its_doubt_says() -> None:
    game = game_of("{secret: {symbols: ABC, length: 3}, turns: [ABC *, AAB W ?20%]}")
    first = suspects(followed(game))[0]
    assert first.row == 2
    assert str(first).endswith(f"?20%: {percent(first.probability)}")
