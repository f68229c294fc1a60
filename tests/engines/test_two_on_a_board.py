"""Two secrets on one board: a guess that is one of them does not end the game."""

import random
from dataclasses import replace

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from player import Player
from puzzlehunt.codes.product_spaces import split
from puzzlehunt.engines import asp, smtlib
from puzzlehunt.engines.choice import ENGINES, open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Turn
from random_games import _read_text, build, game_of_seed
from script_answers import models_of_clingo

SMALL = "{secret: {words: [abc, def, ghi, adg]}, rule: marks, boards: {count: 2, merged: true}}"
seeds = st.integers(0, 100_000)


def rows(*lines: str, value: str = SMALL) -> Game:
    game = build(value)
    for line in lines:
        game = replace(game, history=game.history.add(game.parse_turn(line)))
    return game


def by_score(game: Game) -> list[tuple[int, ...]]:
    """The pairs that show every row, and whose words were not both guessed while it went on."""
    left, turns = [], game.history.turns
    for pair in game.secrets:
        told = all(t.doubted or game.rule.score(t.guess, pair) in set(t.clue) for t in turns)
        last = turns[:-1] if turns and list(turns[-1].clue) == [game.rule.winning] else turns
        if told and not {*split(pair, 2)} <= {t.guess for t in last}:
            left.append(pair)
    return left


def played(seed: int) -> Game:
    """A random game in which mostly its own words are guessed, and little is read."""
    game, rng = game_of_seed(seed, "merged"), random.Random(seed)
    game = replace(game, history=type(game.history)())
    secret = game.secrets.random(rng)
    every = sorted({part for pair in game.secrets for part in split(pair, 2)})
    for _ in range(rng.randint(1, 5)):
        guess = rng.choice([*split(secret, 2), rng.choice(every), rng.choice(every)])
        text = rng.choice(["*", _read_text(rng, game, guess, secret)])
        turn = Turn(guess, game.parse_clue(text, guess), rng.choice([0, 0, 0, 0.5]))
        game = replace(game, history=game.history.add(turn))
    return game


@pytest.mark.parametrize("engine", sorted({*ENGINES} - {"auto"}))
@given(seeds)
@settings(max_examples=3)
def test_a_tried_guess_may_be_one_of_the_two_in_every_engine(engine, seed):
    game = played(seed)
    opened = open_engine(game, engine)
    left = by_score(game)
    assert list(opened.candidates()) == left
    assert opened.satisfiable() == bool(left)
    assert [pair for pair in game.secrets if game.fits(game.history, pair)] == left
    assert [pair for pair in game.secrets if pair in opened] == left


@given(seeds)
@settings(max_examples=4)
def test_a_tried_guess_may_be_one_of_the_two_in_both_exports(seed):
    game = played(seed)
    left = set(by_score(game))
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(smtlib.script(game, game.history))
    names = [
        [node.symbol_name() for node in row] for row in smtlib.Encoding(game).position_booleans
    ]
    for pair in list(game.secrets)[:30]:
        places = [z3.Bool(names[p][s], solver.ctx) for p, s in enumerate(pair)]
        assert (solver.check(places) == z3.sat) == (pair in left)
    models = models_of_clingo(asp.script(game, game.history))
    assert sorted(asp.read_model(game, model) for model, _ in models) == sorted(left)


def test_an_unread_row_leaves_its_guess_as_one_of_the_two():
    game = rows("ABC *")
    assert len(by_score(game)) == game.secrets.size == 3
    for engine in ENGINES:
        opened = open_engine(game, engine)
        assert len(list(opened.candidates())) == 3
        opened.follow(rows("ABC *", "DEF *").history)
        assert [game.format_code(pair) for pair in opened.candidates()] == ["ABC/GHI", "DEF/GHI"]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (["ABC G__"], ["ABC/DEF", "ABC/GHI"]),
        (["ABC GGG", "DEF *"], ["ABC/GHI"]),
        (["DEF *", "ABC GGG"], ["ABC/DEF", "ABC/GHI"]),
        (["DEF *", "ABC GGG", "ADG *"], ["ABC/GHI"]),
        (["DEF GGG ?", "ABC *"], ["ABC/GHI", "DEF/GHI"]),
        (["ABC GGG", "GHI GGG"], ["ABC/GHI"]),
        (["ABC GGG", "GHI GGG", "DEF *"], []),
    ],
)
def test_what_is_ruled_out_is_only_that_the_game_was_over(lines, left):
    game = rows(*lines)
    assert [game.format_code(pair) for pair in by_score(game)] == left
    for engine in ENGINES:
        opened = open_engine(game, engine)
        assert [game.format_code(pair) for pair in opened.candidates()] == left


@given(seeds)
def test_without_readings_a_pair_has_a_chance_just_where_it_is_left(seed):
    game = played(seed)
    opened = open_engine(game, "explicit")
    some = opened.posterior.probabilities > 0
    doubted = any(turn.doubted for turn in game.history.turns)
    assert [p for p, chance in zip(game.secrets, some, strict=True) if chance] == by_score(game)
    if not doubted:
        assert len({float(p) for p in opened.posterior.probabilities if p}) <= 1


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
def test_no_price_buys_a_pair_of_which_both_were_tried(engine):
    game = rows("abc *", "def *")
    opened = open_engine(game, engine)
    bought = [game.format_code(pair) for _, pair in opened.min_cost({0: 1, 1: 1}, 100)]
    assert len(bought) == game.secrets.size - 1
    assert "ABC/DEF" not in bought


def test_why_a_pair_is_out_is_that_both_were_tried():
    player = Player("xordle", settings=("secret={words: [CHILD, MONEY, FJORD]}", "gives=[]"))
    player.say("CHILD *").say("/why CHILD/MONEY")
    assert "CHILD/MONEY: still in\n" in player.out
    player.say("MONEY *").say("/why CHILD/MONEY")
    assert "both had been guessed, and the game went on\n" in player.out
    assert "0 marks off" not in player.out


def test_the_game_itself_loses_no_pair_by_an_unread_row():
    game = gamefile.load("xordle")
    engine = open_engine(game)
    before = engine.count().exact
    engine.push("CHILD *")
    assert engine.count().exact == before == game.secrets.size
    assert not any(isinstance(item, Fact) for item in engine.items)
