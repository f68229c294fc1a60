"""Repairs: what mends a game in which nothing fits, and how a player is told."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from positions import followed, read_back
from puzzlehunt.explanation.repair import repairs
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, History, Item, Turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.families import TileRule

Make = Callable[..., Any]

KINDS = ("repeats", "distinct", "words", "tunes", "halves")

MASTERMIND = ["RRRR B", "RGBY none", "RGBB B"]


def _one_mark_wrong(game: Game, turn: Turn, feedback: Any) -> Iterator[Turn]:
    """Every row that differs from a row that was read in full, in one mark."""
    if isinstance(game.rule, TileRule):
        for place in range(game.rule.length):
            for digit in {0, 1, 2} - {feedback[place]}:
                wrong = (*feedback[:place], digit, *feedback[place + 1 :])
                yield replace(turn, clue=game.rule.notation.full_clue(wrong, turn.guess))
        return
    kinds = len(game.rule.notation.kinds)
    shown, rest = list(feedback[: kinds - 1]), tuple(feedback[kinds - 1 :])
    counts = [*shown, game.rule.mark_count(turn.guess) - sum(shown)]
    for fewer in range(kinds):
        for more in range(kinds):
            if fewer != more and counts[fewer]:
                other = list(counts)
                other[fewer] -= 1
                other[more] += 1
                wrong = (*other[:-1], *rest)
                yield replace(turn, clue=game.rule.notation.full_clue(wrong, turn.guess))


def _played(game: Game, rng: random.Random) -> tuple[list[Turn], list[Any]]:
    """Up to six true rows, read in full, none of which wins; and their feedbacks."""
    secret = game.secrets.random(rng)
    guesses = [game.guesses.random(rng) for _ in range(rng.randint(1, 6))]
    scored = [(guess, game.score(guess, secret)) for guess in guesses]
    kept = [(g, f) for g, f in scored if tuple(f) != tuple(game.rule.winning)]
    turns = [Turn(guess, game.rule.notation.full_clue(feedback, guess)) for guess, feedback in kept]
    return turns, [feedback for _, feedback in kept]


@pytest.mark.parametrize("seed", range(20))
def test_each_board_without_a_candidate_has_repairs_of_its_own(seed: int) -> None:
    rng, game = random.Random(seed), gamefile.load("dordle")
    secret, boards = game.secrets.random(rng), list(range(game.boards))
    turns = []
    for _ in range(4):
        guess = game.one_board.secrets.random(rng)
        turns.append(Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess)))
    for board in rng.sample(boards, rng.randint(1, 2)):
        row = rng.randrange(4)
        clues = list(turns[row].clue.clues)
        feedback = [int(digit != 1) for (digit,) in clues[board].cells]
        clues[board] = game.one_board.rule.notation.full_clue(feedback, turns[row].guess)
        turns[row] = replace(turns[row], clue=BoardsClue(tuple(clues)))
    engine = followed(game, *turns)
    broken = [n for n, one in enumerate(engine.boards()) if not one.engine.satisfiable()]
    found = repairs(engine)
    assert {one.board for one in found} <= {*broken}
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    for one in found:
        mended = one.mended(History(tuple(turns)))
        state = followed(game, *mended.items).boards()[one.board]
        assert state.count().exact == one.count > 0
        for old, new in zip(turns, mended.turns, strict=True):
            same = [n for n in boards if old.clue.clues[n] == new.clue.clues[n]]
            assert {*same, one.board} == {*boards}
            assert (new.guess, new.doubt) == (old.guess, old.doubt)


@pytest.mark.parametrize("seed", range(30))
def test_every_change_of_one_mark_that_leaves_something_is_a_repair_and_counts_are_right(
    seed: int, random_game: Make, brute_force: Make
) -> None:
    """In a true game of which one mark was misread."""
    rng = random.Random(seed)
    game = random_game(seed, *KINDS)
    turns, feedbacks = _played(game, rng)
    if not turns:
        return
    at = rng.randrange(len(turns))
    wrong = rng.choice([*_one_mark_wrong(game, turns[at], feedbacks[at])] or [turns[at]])
    items = [*turns[:at], wrong, *turns[at + 1 :]]
    engine = followed(game, *items)
    found = repairs(engine)
    if brute_force(game, items):
        assert found == []
        return
    assert ((at + 1, turns[at]),) in {one.turns for one in found if one.kind == "mark"}
    mended = {one.turns for one in found}
    for place, turn in enumerate(turns):
        for other in _one_mark_wrong(game, turn, feedbacks[place]) if place != at else ():
            if brute_force(game, [*items[:place], other, *items[place + 1 :]]):
                assert ((place + 1, other),) in mended or game.rule.wins(other.clue)
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    assert sum(one.probability for one in found) == pytest.approx(1)
    for one in found:
        assert one.count == len(brute_force(game, one.mended(History(tuple(items))))) > 0
    assert engine.items == tuple(items)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_in_games_with_channels_counts_are_those_of_game_fits(seed: int, noisy_game: Make) -> None:
    part = ["at_most", "exactly", "reads", "misread", "learn"][seed % 5]
    game = noisy_game(seed, part, rows=5)
    rng = random.Random(seed)
    other = game.secrets.random(rng)
    items = [
        replace(item, clue=game.rule.notation.full_clue(game.score(item.guess, other), item.guess))
        if isinstance(item, Turn) and rng.random() < 0.4 and item.guess != other
        else item
        for item in game.history
    ]
    history = History(tuple(items))
    for one in repairs(followed(game, *items)):
        fitting = [s for s in game.secrets if game.fits(one.mended(history), s)]
        assert one.count == len(fitting) > 0


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_a_solver_finds_the_repairs_of_arrays(seed: int, random_game: Make) -> None:
    game = random_game(seed, "repeats", "distinct", "words")
    rng = random.Random(seed)
    turns, feedbacks = _played(game, rng)
    items: list[Item] = [
        rng.choice([turn, *_one_mark_wrong(game, turn, feedback)])
        for turn, feedback in zip(turns, feedbacks, strict=True)
    ]
    if not items:
        return
    engine = followed(game, *items, name="symbolic")
    found = repairs(engine)
    assert {one.turns for one in found} == {one.turns for one in repairs(followed(game, *items))}
    assert all(one.count is None for one in found)
    assert engine.items == tuple(items)


# What may have gone wrong.


def test_nothing_is_repaired_where_something_fits_or_no_row_alone_is_to_blame() -> None:
    game = gamefile.load("mastermind")
    assert repairs(followed(game)) == []
    assert repairs(followed(game, *MASTERMIND[:1])) == []
    twice = ["RRRR none", "GGGG none", "BBBB none", "RRRR BB", "YYYY none", "GGGG BB"]
    assert repairs(followed(game, *twice)) == []
    assert repairs(followed(game, *twice, name="symbolic")) == []


def _mends(game: Game, *lines: str) -> dict[str, list[tuple[dict[int, str], int | None]]]:
    """The repairs of some rows by kind: the new rows by number, and how many candidates fit."""
    mends: dict[str, list[tuple[dict[int, str], int | None]]] = {}
    for one in repairs(followed(game, *lines)):
        rows = {number: game.format_turn(turn) for number, turn in one.turns}
        mends.setdefault(one.kind, []).append((rows, one.count))
    return mends


WORDS = "{secret: {words: [FLESH, FRESH, FRUIT, BLESS, BRUSH]}, rule: marks}"
PAIRS = "{secret: {symbols: ABCD, length: 2}, rule: marks}"


@pytest.mark.parametrize(
    ("game", "rows", "kind", "expected"),
    [
        (WORDS, ["FLESH G.GGY", "FRUIT G...."], "guess", []),
        (WORDS, ["FLESH .GGG.", "FRUIT ....."], "guess", []),
        (WORDS, ["FRESH .GGG.", "FRUIT ....."], "guess", [({1: "FLESH .GGG."}, 1)]),
        (PAIRS, ["AB .G", "CD .G"], "guess", [({1: "AD .G"}, 2), ({2: "CB .G"}, 2)]),
        (PAIRS, ["AB .G", "CD .G", "AD .G"], "guess", []),
        (PAIRS, ["AB .G", "CD .G"], "unread", [({1: "AB ._"}, 2), ({2: "CD ._"}, 2)]),
        (WORDS, ["FLESH GG.GG", "FRUIT GG..."], "swapped", [({1: "FLESH G.GGG"}, 1)]),
        (WORDS, ["FLESH GG.GG", "FRUIT GG..."], "mark", []),
    ],
)
def test_each_kind_of_repair_changes_what_it_says(
    game: str, rows: list[str], kind: str, expected: list[Any], game_of: Make
) -> None:
    assert _mends(game_of(game), *rows).get(kind, []) == expected


def test_among_others_a_repair_exchanges_neighbours_counts_or_clues(game_of: Make) -> None:
    assert ({1: "BA .G"}, 2) in _mends(game_of(PAIRS), "AB .G", "BB ..", "CC ..")["guess"]
    assert ({1: "AB .."}, 1) in _mends(game_of(PAIRS), "AB .G", "CD .G")["mark"]
    swapped = _mends(gamefile.load("bulls-and-cows"), "1234 2A0B", "5671 0A2B", "1890 0A2B")
    assert swapped["swapped"][0] == ({1: "1234 0A2B"}, 152)
    assert swapped["swapped"][1][0] == {3: "1890 2A0B"}
    game = gamefile.load("mastermind")
    assert _mends(game, *MASTERMIND)["neighbour"] == [({1: "RRRR none", 2: "RGBY B"}, 35)]
    assert list(_mends(game, "RRRR none", "GGGG none", "RRRR BB", "GGGG BB")) == ["neighbour"]


def test_the_last_resort_is_to_doubt_the_row() -> None:
    game = gamefile.load("mastermind")
    found = repairs(followed(game, *MASTERMIND))
    assert [one.turns for one in found if one.kind == "doubt"] == [
        ((2, replace(game.parse_turn(MASTERMIND[1]), doubt=DEFAULT_DOUBT)),)
    ]
    # A doubted row may show any of 15 feedbacks; three rows have two pairs of neighbours.
    (doubted,), (exchanged,) = (
        [one for one in found if one.kind == kind] for kind in ("doubt", "neighbour")
    )
    assert doubted.count is not None
    assert exchanged.count is not None
    expected = (0.06 / 15 * doubted.count) / (0.03 / 2 * exchanged.count)
    assert doubted.probability / exchanged.probability == pytest.approx(expected)


ONE_LIES = "{secret: {symbols: AB, length: 1}, rule: marks, lies: {at_most: 1}, turns: [A ., B .]}"
LIAR = "secret: {symbols: RGBYOP, length: 4}, lies: {at_most: 1}"
WON_AT_LAST = "{" + LIAR + ", turns: [RRRR none, GGGG none, RGBY won]}"
TWO_WON = "{" + LIAR + ", turns: ['RGBY *', RGBO won, RGBY won]}"


@pytest.mark.parametrize("text", [ONE_LIES, WON_AT_LAST, TWO_WON])
def test_a_repair_is_offered_only_if_a_file_of_it_is_read_as_it_stands(
    game_of: Make, text: str
) -> None:
    game = game_of(text)
    found = repairs(followed(game, *game.history))
    assert found
    for one in found:
        mended = one.mended(game.history)
        assert read_back(game, mended) == mended
        assert any(game.fits(mended, secret) for secret in game.secrets)
