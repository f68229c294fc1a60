"""Games, engines, advice and results as values: they compare, copy, count and show themselves."""

import copy
import pickle
import random

import pytest

import puzzlehunt
from puzzlehunt.game.files.gamefile import built_in_games

COPIES = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}
on_copies = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
ROWS = {
    "4x6": ["AABB 1b", "CCDD 1b 1w"],
    "wordle": ["CRANE GY..G", "/fact contains O"],
    "quordle": ["CRANE ..... GG... ..... .Y..."],
    "fibble": ["CRANE GY..G"],
    "heart-2018": [],
}


@pytest.mark.parametrize("name", [*built_in_games(), "4x6"])
def test_a_game_is_equal_to_its_copies_and_to_the_same_game_loaded_again(name):
    game = puzzlehunt.load(name)
    for copied in COPIES.values():
        again = copied(game)
        assert again == game
        assert hash(again) == hash(game)
    again = puzzlehunt.load(name)
    assert again == game
    assert len({again, game, puzzlehunt.load("2x2")}) == 2
    assert game != puzzlehunt.load(name, ["play.seed=5"])
    parts = [game.alphabet, game.secrets, game.guesses, game.rule, game.channel, game.history]
    for part in parts:
        assert pickle.loads(pickle.dumps(part)) == part
        assert len(repr(part)) < 300
        assert "\n" not in repr(part)
        hash(part)


def test_games_of_other_words_weights_or_marks_are_others():
    letters = puzzlehunt.Alphabet("ABC")
    space = puzzlehunt.WordSpace.of(letters, ["ABC", "CAB"])
    assert space == puzzlehunt.WordSpace.of(letters, ["cab", (0, 1, 2)])
    assert space != puzzlehunt.WordSpace.of(letters, ["ABC", "BCA"])
    assert space != puzzlehunt.WordSpace(letters, {(0, 1, 2): 1.0, (2, 0, 1): 2.0})
    assert space != puzzlehunt.WordSpace.of(puzzlehunt.Alphabet("ABD"), [(0, 1, 2), (2, 0, 1)])
    game = puzzlehunt.load("3x4")
    assert game != puzzlehunt.load("3x4", ["marks.black=X"])
    assert game.rule == puzzlehunt.load("3x4", ["title=Another"]).rule
    assert game.rule != puzzlehunt.load("3x5").rule


@on_copies
@pytest.mark.parametrize("name", ROWS)
def test_an_engine_is_copied_as_its_game_and_its_items(name, copied):
    engine = puzzlehunt.open_engine(puzzlehunt.load(name))
    engine.follow([*engine.items, *engine.game.as_history(ROWS[name])])
    again = copied(engine)
    assert again is not engine
    assert (again.game, again.items) == (engine.game, engine.items)
    assert again.count() == engine.count()
    again.keep(0)
    assert len(engine.items) == len(ROWS[name]) or name == "heart-2018"


@pytest.mark.parametrize("name", ["explicit", "symbolic", "linear", "logic"])
def test_a_copy_of_an_engine_changes_alone(name):
    engine = puzzlehunt.open_engine("3x4", name)
    engine.push("AAB 1b")
    again = engine.copy()
    again.push("CCD 1b")
    assert type(again) is type(engine)
    assert (len(engine.items), len(again.items)) == (1, 2)
    assert set(again.candidates()) < set(engine.candidates())


def test_an_engine_of_some_codes_keeps_them():
    game = puzzlehunt.load("3x4")
    some = type(puzzlehunt.open_engine(game))(game, [(0, 0, 1), (1, 2, 3)])
    assert list(some.copy().candidates()) == list(some.candidates()) == [(0, 0, 1), (1, 2, 3)]


@on_copies
@pytest.mark.parametrize("strategy", ["book", "minimax", "optimal", "deep", max])
def test_an_adviser_and_its_strategy_are_made_again(strategy, copied):
    strategy = _largest if strategy is max else strategy
    engine = puzzlehunt.open_engine("3x4")
    engine.push("AAB 1b")
    adviser = puzzlehunt.Adviser("3x4", strategy)
    advice = adviser.advise(engine, 3)
    assert copied(adviser).advise(engine, 3) == advice
    assert copied(advice) == advice
    again = copied(puzzlehunt.find_strategy(strategy))
    assert puzzlehunt.Adviser("3x4", again).advise(engine, 3).suggestions == advice.suggestions


def _largest(counts):
    return counts.max(axis=-1)


def _outcomes():
    engine = puzzlehunt.open_engine("4x6")
    engine.follow(ROWS["4x6"])
    torn = puzzlehunt.open_engine("4x6")
    torn.follow(["AABB 1b", "ABCD none"])
    log = puzzlehunt.open_engine("heart-2018")
    codemaker = puzzlehunt.open_codemaker("4x6", "ABCD")
    return [
        puzzlehunt.partition(engine, "AABC"),
        puzzlehunt.review("4x6", engine.items),
        puzzlehunt.explain("4x6", engine, "AAAA"),
        puzzlehunt.explain("4x6", torn),
        *puzzlehunt.repairs(torn)[:1],
        *puzzlehunt.suspects(log)[:1],
        *puzzlehunt.near_misses(log, 1),
        *puzzlehunt.certain(engine)[:1],
        puzzlehunt.unread_marks(log),
        engine.count(),
        engine.sample(3, random.Random(1)),
        engine.game.turn("AABB", "1b", doubt=0.2),
        engine.game.parse_fact("no A"),
        puzzlehunt.History(engine.items),
        codemaker.answer("AABB"),
        puzzlehunt.Budget(seconds=1),
    ]


def test_what_is_answered_is_equal_to_its_copies_and_shown_in_one_line():
    for value in _outcomes():
        for copied in COPIES.values():
            assert copied(value) == value, value
        assert "\n" not in repr(value)
        assert len(repr(value)) < 400, repr(value)


def test_a_copy_of_a_comparison_has_the_same_results():
    comparison = puzzlehunt.compare("2x2", ["first", "minimax"])
    for copied in COPIES.values():
        assert copied(comparison).pairs == comparison.pairs


def test_what_is_asked_shows_itself_in_one_line_without_the_secret():
    engine = puzzlehunt.open_engine("4x6")
    engine.push("AABB 1b")
    codemaker = puzzlehunt.open_codemaker("4x6", "ABCD")
    shown = {
        "<ExplicitEngine of '4x6': 1 items, 500 left>": engine,
        f"<Candidates of {engine!r}>": engine.candidates(),
        "<Adviser for '4x6': minimax>": puzzlehunt.Adviser("4x6", "minimax"),
        "<TruthfulCodemaker of '4x6': 0 items>": codemaker,
        "<Session of '4x6': 0 items>": puzzlehunt.Session(engine.game, "4x6"),
    }
    assert [*map(repr, shown.values())] == [*shown]
    for value in (puzzlehunt.find_strategy("minimax"), engine.posterior):
        assert " at 0x" not in repr(value)


# Length, membership and iteration.


@pytest.mark.parametrize("name", ["wordle", "4x6", "bulls-and-cows", "quordle"])
def test_a_space_has_a_length_and_holds_codes_and_texts(name):
    game = puzzlehunt.load(name)
    first = next(iter(game.secrets))
    assert first in game.secrets
    assert game.format_code(first) in game.secrets
    assert len(game.guesses) == game.guesses.size
    for other in ("nosuchword?", 7, None, (99, 0), [0, 1]):
        assert other not in game.secrets


def test_a_space_too_large_to_count_has_no_len():
    huge = puzzlehunt.load("100x20").secrets
    assert huge
    with pytest.raises(OverflowError):
        len(huge)


def test_an_alphabet_is_a_sequence_of_symbols():
    colours = puzzlehunt.load("mastermind").alphabet
    assert list(colours) == list("RGBYOP")
    assert len(colours) == 6
    assert all(name in colours for name in ("R", "r", "red"))
    assert all(name not in colours for name in ("X", "", 3, None))


def test_candidates_are_iterated_over_again_counted_and_looked_up():
    engine = puzzlehunt.open_engine("wordle")
    engine.push("CRANE GY..G")
    left = engine.candidates()
    assert len(left) == len(list(left)) == engine.count().exact
    assert list(left) == list(left)
    word = engine.game.format_code(next(iter(left)))
    assert word in left
    assert word in engine
    assert all(other not in left for other in ("CRANE", "nosuch", (0, 1)))
    engine.push("/fact no E")
    assert not left


def test_candidates_that_are_not_counted_have_no_length():
    engine = puzzlehunt.open_engine("3x4", "symbolic")
    engine.push("AAB 1b")
    with pytest.raises(TypeError, match=r"Engine\.count tells more"):
        len(engine.candidates())
    assert (0, 1, 0) in engine.candidates()
    assert len(list(engine.candidates())) == 27


def test_advice_reviews_and_comparisons_are_collections():
    advice = puzzlehunt.suggest("3x4", ["AAB 1b"], top=3)
    assert [*advice] == [advice[0], advice[1], advice[2]]
    assert len(advice) == 3
    assert all(best in advice for best in (advice.guesses[0], advice[0].guess, advice[0]))
    assert "ZZZ" not in advice
    review = puzzlehunt.review("3x4", ["AAB 1b", "CCD none"])
    assert [turn.number for turn in review] == [1, 2]
    assert len(review) == 2
    history = puzzlehunt.load("3x4").as_history("AAB 1b\nCCD none")
    assert history[1] in history
    assert len(history) == 2
