"""Guesses half remembered: engines, chances and lines, against all guesses that they may be."""

import random
from dataclasses import replace
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings

import puzzlehunt
from lying_games import ENGINES, every_lie, lying_game_of, seeds
from puzzlehunt.channel.model import Channel, Rate
from puzzlehunt.codes.alphabet import FORGOTTEN, FORGOTTEN_SIGN
from puzzlehunt.codes.constraints import holds
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import InvalidClueError, InvalidCodeError, PuzzlehuntError
from puzzlehunt.explanation.identification import identify
from puzzlehunt.explanation.why import why
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from random_games import short_searches

few = settings(max_examples=6)


@pytest.fixture(scope="module", autouse=True)
def _short_searches():
    with short_searches():
        yield


def half_forgotten(seed: int, game: Game) -> Game:
    """Return a game with some symbols of some of its guesses forgotten."""
    rng = random.Random(seed)
    for number, turn in enumerate(game.history.turns, start=1):
        guess = tuple(FORGOTTEN if rng.random() < 0.4 else symbol for symbol in turn.guess)
        text = f"{game.format_code(guess)} {game.rule.format(turn.clue)}"
        try:
            half = replace(game.parse_turn(text), doubt=turn.doubt)
        except PuzzlehuntError:
            continue
        if half.guess == guess and half.clue == turn.clue:
            game = replace(game, history=game.history.replace(number, half))
    return game


def meant_by(game: Game, turn: Turn) -> list[Turn]:
    """The specification: all guesses that have the symbols that are known."""
    symbols = range(len(game.alphabet))
    places = (symbols if s == FORGOTTEN else (s,) for s in turn.guess)
    codes = [code for code in product(*places) if code in game.guesses or code in game.secrets]
    return [replace(turn, guess=code) for code in codes] if turn.half_remembered else [turn]


def fits(game: Game, secret: tuple[int, ...]) -> bool:
    """The specification: every clue, but for those that may lie, is true of some such guess."""
    broken = 0
    for item in game.history:
        if isinstance(item, Fact):
            if not holds(item.constraint, secret):
                return False
            continue
        answers = [(one, game.score(one.guess, secret)) for one in meant_by(game, item)]
        answers = [(one, told) for one, told in answers if not game.contradicts_win(one, told)]
        if not answers:
            return False
        broken += not any(game.clue_admits(one, told) for one, told in answers)
    return broken <= game.channel.lies.at_most


@every_lie
@given(seeds)
@few
def test_engines_find_the_secrets_of_which_each_clue_is_true_for_some_guess(lies, seed):
    game = half_forgotten(seed, lying_game_of(seed, lies))
    expected = [secret for secret in game.secrets if fits(game, secret)]
    assert [secret for secret in game.secrets if game.fits(game.history, secret)] == expected
    for name in ENGINES:
        engine = open_engine(game, name)
        most = 3 if name == "linear" else None
        assert list(islice(engine.candidates(), most)) == expected[:most]
        assert engine.satisfiable() == bool(expected)
        engine.keep(0)
        assert engine.count(quickly=True).exact in (None, game.secrets.size)


@every_lie
@pytest.mark.parametrize("misread", [0.0, 0.1])
@given(seeds)
@few
def test_chances_are_those_of_all_guesses_that_may_be_meant(lies, misread, seed):
    game = lying_game_of(seed, lies)
    game = replace(game, history=History(game.history.items[:4]))
    reads = tuple(Rate(0.6) for _ in game.rule.kinds) or None
    channel = Channel(reads, misread, lies) if misread else Channel(lies=lies)
    game = half_forgotten(seed, replace(game, channel=channel))
    ways = [meant_by(game, item) if isinstance(item, Turn) else [item] for item in game.history]
    total = np.zeros(game.secrets.size)
    for items in product(*ways):
        engine = ExplicitEngine(game)
        engine.follow(items)
        total += np.exp(engine.posterior.logs)
    whole = open_engine(game, "explicit").posterior
    shares = total / (total.sum() or 1.0)
    np.testing.assert_allclose(whole.probabilities, shares, rtol=1e-9, atol=1e-12)


@given(seeds)
@few
def test_a_line_is_written_as_it_is_read_and_why_agrees_with_engines(seed):
    game = half_forgotten(seed, lying_game_of(seed, lies=Channel().lies))
    for turn in game.history.turns:
        assert game.parse_turn(game.format_turn(turn)) == game.as_turn(turn) == turn
    left = set(open_engine(game, "explicit").candidates())
    for secret in islice(game.secrets, 40):
        (verdict,) = why(game, game.history, secret)
        assert verdict.candidate == (secret in left)


@given(seeds)
@few
def test_repairs_mend_rows_with_half_a_guess_and_all_else_is_told(seed):
    game = half_forgotten(seed, lying_game_of(seed, Channel().lies))
    engine = open_engine(game)
    if engine.satisfiable():
        budget = puzzlehunt.Budget(guesses=100)
        assert puzzlehunt.Adviser(game).advise(engine, 1, budget=budget).suggestions
        told = puzzlehunt.unread_marks(engine)
        assert not any(mark.turn.half_remembered for mark in told)
        judged = puzzlehunt.review(game, game.history, budget=budget)
        assert not any(one.turn.half_remembered for one in judged)
        return
    for repair in puzzlehunt.repairs(engine):
        history = game.history
        for number, turn in repair.turns:
            history = history.replace(number, turn)
        assert open_engine(replace(game, history=history)).satisfiable()


# Lines.


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("mastermind", "R?GB 2b 1w"),
        ("mastermind", "red-?-green-blue BBW"),
        ("wordle", "CR?NE .Y_.G"),
        ("distances", "12?4 9"),
        ("fallout", "?ISSION 3"),
    ],
)
def test_a_question_mark_in_a_guess_is_a_forgotten_symbol(name, line):
    game = gamefile.load(name)
    turn = game.parse_turn(line)
    assert turn.half_remembered
    assert game.format_code(turn.guess).count(FORGOTTEN_SIGN) == 1
    guess, answer = line.split(" ", 1)
    assert game.turn(guess, answer) == turn
    assert all(one.guess in game.guesses for one in game.meant(turn))


@pytest.mark.parametrize(
    ("name", "settings_", "line"),
    [
        ("mastermind", ["secret.symbols=RGB?"], "R?GB 2b"),
        ("nethack", [], "AB?DE 2g"),
        ("4x6", [], "AABB B?W ?"),
    ],
)
def test_elsewhere_a_question_mark_keeps_its_meaning(name, settings_, line):
    game = gamefile.load(name, settings_)
    try:
        turn = game.parse_turn(line)
    except PuzzlehuntError:
        return
    assert not turn.half_remembered


def test_a_doubted_clue_of_symbols_is_no_guess():
    game = gamefile.load("mastermind")
    with pytest.raises(InvalidCodeError, match=r"B\?YB: its clue must follow"):
        game.parse_turn("B?YB ?")


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("mastermind", "R??? 1b", "R??? may be 216 guesses; at most 200 can be weighed"),
        ("wordle", "QQ?QQ .....", "QQ?QQ: no guess of this game fits it"),
        ("dordle", "CR?NE ..... .....", "CR?NE: in this game a guess must be known in full"),
        ("16x6", "AABBCCDDEEFFAAB? 2b", "AABBCCDDEEFFAAB?: in this game a guess must be known"),
        ("mastermind", "R?GB won", "'won': a guess that won is the secret; write it in full"),
        ("distances", "000? 37", "'37' cannot happen: codes are at most 36 away"),
    ],
)
def test_what_cannot_be_weighed_is_refused(name, line, said):
    game = gamefile.load(name)
    with pytest.raises((InvalidCodeError, InvalidClueError)) as error:
        game.parse_turn(line)
    assert str(error.value).startswith(said)


def test_marks_that_nobody_explained_are_those_of_guesses_known_in_full():
    with pytest.raises(InvalidCodeError, match="a guess must be known in full"):
        identify("mastermind", ["R?GB BW"])


def test_hard_mode_allows_a_guess_that_may_use_all_that_is_known():
    game = gamefile.load("wordle", ["hard=true"])
    history = game.as_history(["SLATE ..G.G", "CR?NE ..G.G"])
    game.check_guess(game.parse_turn("PHA?E ..G.G").guess, history)
    with pytest.raises(PuzzlehuntError, match="PHO\\?E does not use the clue of row 1"):
        game.check_guess(game.parse_turn("PHO?E ..._G").guess, history)
