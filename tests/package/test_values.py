"""Games, engines and answers are values, and a wrong argument is one clear error."""

import copy
import pickle
import random

import pytest

import puzzlehunt as p
from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.engines import open_engine
from puzzlehunt.strategies import Adviser

COPIES = (lambda value: pickle.loads(pickle.dumps(value)), copy.copy, copy.deepcopy)
ROWS = {
    "4x6": ["AABB 1b", "CCDD 1b 1w"],
    "wordle": ["CRANE GY..G", "/fact contains O"],
    "quordle": ["CRANE ..... GG... ..... .Y..."],
    "fibble": ["CRANE GY..G"],
    "elements": [],
}


def following(name):
    engine = open_engine(name)
    engine.follow([*engine.items, *engine.game.as_history(ROWS[name])])
    return engine


def largest(counts):
    return counts.max(axis=-1)


@pytest.mark.parametrize("name", ROWS)
def test_a_game_and_its_engine_are_equal_to_their_copies(name):
    game, engine = p.load(name), following(name)
    assert game != p.load(name, ["play.seed=5"])
    parts = [game.alphabet, game.secrets, game.guesses, game.rule, game.channel, game.history]
    for copied in COPIES:
        assert all(copied(part) == part and "\n" not in repr(part) for part in [game, *parts])
        assert hash(copied(game)) == hash(game)
        again = copied(engine)
        assert (again.items, again.count()) == (engine.items, engine.count())
        again.keep(0)
        assert len(engine.items) == len(ROWS[name])


@pytest.mark.parametrize("name", ["explicit", "symbolic", "linear", "logic"])
def test_a_copy_of_an_engine_changes_alone(name):
    engine = open_engine("3x4", name)
    engine.push("AAB 1b")
    again = engine.copy()
    again.push("CCD 1b")
    assert (len(engine.items), len(again.items)) == (1, 2)
    assert set(again.candidates()) < set(engine.candidates())


@pytest.mark.parametrize("strategy", ["minimax", "optimal", "deep", largest])
def test_what_is_answered_is_equal_to_its_copies(strategy):
    engine, torn = following("4x6"), open_engine("4x6")
    torn.follow(["AABB 1b", "ABCD none"])
    small = open_engine("3x4")
    adviser = Adviser("3x4", strategy)
    answers = [
        *(p.partition(engine, guess="AABC"), p.review("4x6", engine.items), p.explain(torn)),
        *(p.repairs(torn)[0], p.certain(torn), p.unread_marks("heart-2018"), engine.count()),
        *(engine.sample(3, random.Random(1)), adviser.advise(small, 3), engine.items[0]),
    ]
    for copied in COPIES:
        assert all(copied(answer) == answer for answer in answers)
        assert copied(adviser).advise(small, 3) == adviser.advise(small, 3)
    assert all("\n" not in repr(answer) and len(repr(answer)) < 400 for answer in answers)


def test_what_is_counted_is_iterated_over_and_looked_up():
    engine = following("wordle")
    left = engine.candidates()
    assert len(left) == len(list(left)) == engine.count().exact
    assert [*left] == [*map(engine.game.format_code, left.codes)]
    assert all(word in left for word in [*left[:3], *engine.in_code_order()])
    for place in (0, -1, slice(2), slice(1, None, 2), slice(-3, None)):
        assert left[place] == [*left][place]
    with pytest.raises(IndexError):
        left[len(left)]
    assert all(other not in left for other in ("CRANE", "nosuch", (0, 1), None))
    symbolic = open_engine("3x4", "symbolic")
    with pytest.raises(TypeError, match=r"Engine\.count tells more"):
        len(symbolic.candidates())
    assert (0, 1, 0) in symbolic.candidates()
    advice = p.suggest("3x4", ["AAB 1b"], top=3)
    assert advice.guesses == [*map(str, advice)]
    assert [*advice] == [advice[0], advice[1], advice[2]]
    assert all(best in advice for best in (advice.guesses[0], advice[0].code, advice[0]))
    assert [turn.row for turn in p.review("3x4", ["AAB 1b", "CCD none"])] == [1, 2]
    assert "red" in p.load("mastermind").alphabet
    with pytest.raises(OverflowError):
        len(p.load("100x20").secrets)


PEGS, WORDS = p.load("4x6"), p.load("cryptic")
TURN, FOREIGN = PEGS.turn("AABB", "1b"), WORDS.turn("HORSE", "B_WR_")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Alphabet(5), "symbols: expected texts such as 'ABC', not 5"),
        (lambda: PEGS.alphabet.format((99, 0)), "symbols are numbers from 0 to 5"),
        (lambda: p.Rate(2), "mean: expected a number, from 0 to 1, not 2"),
        (lambda: p.Lies(at_most=1.5), "at_most: expected a whole number, from 0 to 1000, not 1.5"),
        (lambda: p.Play(engine="explicitt"), "did you mean explicit?"),
        (lambda: p.Turn("AABB", TURN.clue), "'AABB'; game.turn(guess, answer) makes"),
        (lambda: p.Turn(TURN.code, TURN.clue, 7), "doubt: expected a number, from 0 to 1"),
        (lambda: p.load("4x6", {"play.sead": 1}), "no such key; did you mean seed?"),
        (lambda: PEGS.turn("AABB", (1, 2, 3)), "(1, 2, 3) is no feedback here; one is"),
        (lambda: PEGS.turn("AABB", ()), "() is no feedback here; one is"),
        (lambda: PEGS.turn("AABB", FOREIGN.clue), "is no clue here; game.turn takes"),
        (lambda: following("4x6").push(FOREIGN), "is not a guess of 4x6"),
        (lambda: following("4x6").satisfiable([7]), "no item has the place 7; there are 2 items"),
        (lambda: Adviser(PEGS).rate(following("wordle"), "AABB"), "is of another game"),
        (lambda: p.run("2x2", secrets=[(9, 9)]), "(9, 9) is not a secret of 2x2"),
        (lambda: p.connect("nowhere"), "no address of a board"),
    ],
)
def test_a_wrong_argument_is_one_clear_error(wrong, said):
    with pytest.raises((TypeError, ValueError, IndexError, p.PuzzlehuntError)) as error:
        wrong()
    assert said in str(error.value)
    assert error.value.__cause__ is None
