"""Several secrets at once: one a board, or two on one board."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import default_alphabet
from puzzlehunt.codes.spaces import BoardSpace, SymbolSpace, WordSpace, split
from puzzlehunt.engines.base import Count
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.kernels.packed_codes import code_of, space_array
from puzzlehunt.strategies.adviser import Adviser

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
def dordle(game_of):
    return game_of(
        "{secret: {words: [crane, slate, cloak, model, alike]}, guess: {words: [house]},"
        " rule: marks, boards: 2}"
    )


def test_a_feedback_is_that_of_every_board_in_a_row(dordle):
    secret = dordle.parse_secret("CRANE/MODEL")
    guess = dordle.parse_guess("CLOAK")
    assert dordle.score(guess, secret) == (2, 0, 0, 1, 0, 0, 1, 1, 0, 0)
    clue = dordle.rule.notation.full_clue(dordle.score(guess, secret), guess)
    assert dordle.rule.notation.format(clue) == "G..Y. .YY.."
    assert dordle.rule.json_parts(dordle.score(guess, secret), guess) == {"marks": "20010 01100"}
    assert list(clue) == [dordle.score(guess, secret)]


@given(seeds)
def test_the_clue_of_an_answer_read_in_full_admits_itself_alone(random_game, seed):
    game = random_game(seed, "boards")
    secret = game.secrets.random(random.Random(seed))
    for guess in [*(turn.guess for turn in game.history.turns), secret[: game.one_board.length]]:
        feedback = game.score(guess, secret)
        clue = game.rule.notation.full_clue(feedback, guess)
        parts = [game.one_board.score(guess, part) for part in split(secret, game.boards)]
        assert feedback == sum(map(tuple, parts), ())
        assert list(clue) == [feedback]
        assert feedback in clue
        assert game.parse_clue(game.rule.notation.format(clue), guess) == clue
        assert game.rule.wins(clue) == all(guess == part for part in split(secret, game.boards))


@pytest.mark.parametrize("boards", [2, 3, 4, 5])
def test_a_last_question_mark_doubts_a_row_of_any_number_of_boards(game_of, boards):
    game = game_of({"secret": {"symbols": "ABCD", "length": "4"}, "boards": str(boards)})
    turn = game.parse_turn("ABCD" + " *" * boards + " ?")
    assert turn.doubted
    assert turn.clue == game.unread_clue(turn.guess)
    assert game.parse_turn(game.format_turn(turn)) == turn


# What a history says of several boards.


@pytest.mark.parametrize("padding", [".....", "⬛⬛⬛⬛⬛", "*", "00000", "_____", "YY..Y"])
def test_rows_after_a_board_was_solved_tell_nothing_of_it(dordle, padding):
    """Blank rows, the word's own answer and nonsense are all the same there."""
    lines = ["CRANE GGGGG ....Y", f"HOUSE {padding} .G..Y"]
    history = History(tuple(map(dordle.parse_turn, lines)))
    expected = [dordle.parse_secret("CRANE/MODEL")]
    assert [secret for secret in dordle.secrets if dordle.fits(history, secret)] == expected
    assert [len(dordle.on_board(history, board)) for board in range(2)] == [1, 2]
    for name in ("explicit", "symbolic"):
        engine = open_engine(dordle, name)
        engine.follow(history)
        assert list(engine.candidates()) == expected
        assert engine.first_conflict() is None


def test_a_doubted_win_solves_no_board(dordle):
    history = History(
        (dordle.parse_turn("CRANE GGGGG ..... ?"), dordle.parse_turn("SLATE ..G.G *"))
    )
    assert dordle.on_board(history, 0).turns == tuple(
        dordle.one_board.parse_turn(line) for line in ("CRANE GGGGG ?", "SLATE ..G.G")
    )
    assert dordle.winning_guesses(history) == [None, None]


# Facts.


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1: C____", lambda one, two: one[0] == "C"),
        ("2: contains E", lambda one, two: "E" in two),
        (" 2 :  no e", lambda one, two: "E" not in two),
        ("1: distinct", lambda one, two: True),
        ("2: not SLATE", lambda one, two: two != "SLATE"),
        ("1: ends with A-K", lambda one, two: one[-1] <= "K"),
    ],
)
def test_a_fact_is_about_one_board(dordle, text, kept):
    fact = dordle.parse_fact(text)
    names = [dordle.one_board.format_code(code) for code in dordle.one_board.secrets]
    expected = {f"{one}/{two}" for one, two in product(names, repeat=2) if kept(one, two)}
    left = {
        dordle.format_code(secret)
        for secret in dordle.secrets
        if dordle.fits(History((fact,)), secret)
    }
    assert left == expected
    assert dordle.parse_fact(fact.text) == fact
    for name in ("explicit", "symbolic"):
        engine = open_engine(dordle, name)
        engine.push(fact)
        assert {dordle.format_code(code) for code in engine.candidates()} == expected


# The end of a game.


def test_a_game_of_boards_is_won_when_all_were_found(dordle):
    secret = dordle.parse_secret("CRANE/MODEL")
    history, found = History(), []
    for word in ("SLATE", "MODEL", "CLOAK", "CRANE"):
        guess = dordle.parse_guess(word)
        clue = dordle.rule.notation.full_clue(dordle.score(guess, secret), guess)
        history = history.add(dordle.parse_turn(f"{word} {dordle.rule.notation.format(clue)}"))
        found.append(
            [code and dordle.format_code(code) for code in dordle.winning_guesses(history)]
        )
        assert dordle.is_won(history) == (word == "CRANE")
    assert found == [[None, None], [None, "MODEL"], [None, "MODEL"], ["CRANE", "MODEL"]]
    assert not dordle.is_won(History())
    at_once = History((dordle.parse_turn("CRANE GGGGG GGGGG"),))
    assert dordle.is_won(at_once)


def test_a_game_whose_rows_contradict_each_other_is_not_won(dordle):
    lines = ["SLATE ..... .....", "CRANE GGGGG ....Y", "MODEL ..... GGGGG"]
    assert not dordle.is_won(History(tuple(map(dordle.parse_turn, lines))))
    assert dordle.is_won(History(tuple(map(dordle.parse_turn, lines[1:]))))


# The engine.


def test_a_sample_of_more_ways_than_a_number_holds_is_drawn_all_the_same():
    game = gamefile.load("4x6", ["boards=16"])
    engine = open_engine(game)
    assert engine.count() == Count.exactly(6**64)
    sample = engine.sample(50, random.Random(1))
    assert len(set(sample.codes)) == len(sample.codes) == 50
    assert list(sample.codes) == sorted(sample.codes)
    assert not sample.complete
    assert all(code in engine for code in sample.codes)
    assert sample == engine.sample(50, random.Random(1))
    assert sample != engine.sample(50, random.Random(2))


def test_a_board_solved_with_a_word_of_no_list_leaves_the_others_playable(game_of):
    game = game_of(
        {"secret": {"words": ["CRANE", "TRAIN", "BRAIN"]}, "rule": "marks", "boards": "2"}
    )
    engine = open_engine(game)
    engine.follow((game.parse_turn("ZZZZZ GGGGG ....."), game.parse_turn("TRAIN * .GGGG")))
    assert [board.count() for board in engine.boards()] == [Count.exactly(1)] * 2
    assert engine.satisfiable()
    assert [game.format_code(code) for code in engine.candidates()] == ["ZZZZZ/BRAIN"]
    best = Adviser(game).advise(engine).suggestions[0]
    assert game.format_code(best.guess) == "BRAIN"
    assert engine.satisfiable([0])
