"""Several secrets at once, one a board."""

import random
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import default_alphabet
from puzzlehunt.codes.spaces import BoardSpace, SymbolSpace, WordSpace, split
from puzzlehunt.engines.base import Count, open_engine
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.game.turn_notation import parse_clue
from puzzlehunt.kernels.packed_codes import code_of, space_array
from puzzlehunt.strategies.adviser import Adviser
from random_games import game_of, random_game

seeds = st.integers(0, 100_000)


def words(*texts: str) -> WordSpace:
    alphabet = default_alphabet(7)
    return WordSpace.of(alphabet, map(alphabet.parse, texts))


# One secret a board.


@pytest.mark.parametrize(
    "one",
    [
        SymbolSpace(default_alphabet(3), range(2, 3)),
        SymbolSpace(default_alphabet(3), range(2, 3), distinct=True),
        words("AB", "CD", "GA"),
    ],
    ids=["repeats", "distinct", "words"],
)
@pytest.mark.parametrize("boards", [2, 3])
def test_a_space_of_boards_is_all_ways_to_fill_them_in_code_order(one, boards):
    space = BoardSpace(one, boards)
    expected = [sum(ways, ()) for ways in product(sorted(one), repeat=boards)]
    assert list(space) == expected == sorted(expected)
    assert space.size == len(expected)
    assert list(space.lengths) == [boards * one.lengths[0]]
    assert all(code in space for code in expected)
    assert all(space.random(random.Random(seed)) in space for seed in range(20))
    every = list(product(range(len(one.alphabet)), repeat=space.lengths[0]))
    among = set(expected)
    for code in every[:: 1 if boards == 2 else 29]:
        assert (code in space) == (code in among)
    assert [code_of(row) for row in space_array(space, space.lengths[0])] == expected


# Clues of several boards.


@pytest.fixture
def dordle():
    return game_of(
        "{secret: {words: [crane, slate, cloak, model, alike]}, guess: {words: [house]},"
        " rule: marks, boards: 2}"
    )


@given(seeds)
@example(38)  # `0 to 1 black =0o`
def test_the_clue_of_an_answer_read_in_full_admits_itself_alone(seed):
    game = random_game(seed, "boards")
    for turn in game.history.turns:
        assert parse_clue(game, game.rule.notation.format(turn.clue), turn.code) == turn.clue
    secret = game.secrets.random(random.Random(seed))
    for guess in [*(turn.code for turn in game.history.turns), secret[: game.one_board.length]]:
        feedback = game.score(guess, secret)
        clue = game.rule.notation.full_clue(feedback, guess)
        parts = [game.one_board.score(guess, part) for part in split(secret, game.boards)]
        assert feedback == sum(map(tuple, parts), ())
        assert list(clue) == [feedback]
        assert feedback in clue
        assert parse_clue(game, game.rule.notation.format(clue), guess) == clue
        assert game.rule.wins(clue) == all(guess == part for part in split(secret, game.boards))


def test_a_fact_is_about_one_board(dordle):
    for text, board in [("1: C____", 0), (" 2 :  no e", 1), ("2: contains E", 1)]:
        fact = dordle.parse_fact(text)
        assert fact.board == board
        assert dordle.parse_fact(fact.text) == fact


# The end of a game.


def test_a_game_of_boards_is_won_when_all_were_found(dordle):
    secret = dordle.parse_secret("CRANE/MODEL")
    history, found = History(), []
    for word in ("SLATE", "MODEL", "CLOAK", "CRANE"):
        guess = dordle.parse_guess(word)
        clue = dordle.rule.notation.full_clue(dordle.score(guess, secret), guess)
        history = history.add(dordle.turn(f"{word} {dordle.rule.notation.format(clue)}"))
        found.append(
            [code and dordle.format_code(code) for code in meaning.winning_guesses(dordle, history)]
        )
        assert meaning.is_won(dordle, history) == (word == "CRANE")
    assert found == [[None, None], [None, "MODEL"], [None, "MODEL"], ["CRANE", "MODEL"]]
    assert not meaning.is_won(dordle, History())
    at_once = History((dordle.turn("CRANE GGGGG GGGGG"),))
    assert meaning.is_won(dordle, at_once)


# The engine.


def test_a_sample_of_more_ways_than_a_number_holds_is_drawn_all_the_same():
    game = gamefile.load("4x6", ["boards=16"])
    engine = open_engine(game)
    assert engine.count() == Count.of(6**64)
    sample = engine.sample(50, random.Random(1))
    assert len(set(sample.codes)) == len(sample.codes) == 50
    assert list(sample.codes) == sorted(sample.codes)
    assert not sample.complete
    assert all(code in engine for code in sample.codes)
    assert sample == engine.sample(50, random.Random(1))
    assert sample != engine.sample(50, random.Random(2))


def test_a_board_solved_with_a_word_of_no_list_leaves_the_others_playable():
    game = game_of(
        {"secret": {"words": ["CRANE", "TRAIN", "BRAIN"]}, "rule": "marks", "boards": "2"}
    )
    engine = open_engine(game)
    engine.follow((game.turn("ZZZZZ GGGGG ....."), game.turn("TRAIN * .GGGG")))
    assert [board.count() for board in engine.boards()] == [Count.of(1)] * 2
    assert engine.satisfiable()
    assert [game.format_code(code) for code in engine.candidates().codes] == ["ZZZZZ/BRAIN"]
    best = Adviser(game).advise(engine).suggestions[0]
    assert game.format_code(best.code) == "BRAIN"
    assert engine.satisfiable([0])
