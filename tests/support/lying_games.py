"""Random games whose rows lie or are doubted, and what brute force makes of them."""

import random
from dataclasses import replace
from itertools import count, islice

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from puzzlehunt.channel.model import Channel, Lies
from puzzlehunt.codes.constraints import holds
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.linear import LinearEngine
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from random_games import game_of_seed

KINDS = ["repeats", "distinct", "words", "tunes", "halves", "formulas"]
LIES = {
    "none": Lies(),
    "one row": Lies(at_most=1),
    "two rows": Lies(at_most=2),
    "a mark a row": Lies(exactly=1),
    "by chance": Lies(chance=0.25),
}
ENGINES = ["explicit", "symbolic", "linear", "logic"]
seeds = st.integers(0, 100_000)
SOME = ["one row", "a mark a row", "by chance"]
few = settings(max_examples=3)
fewer = settings(max_examples=2)
some_lies = pytest.mark.parametrize("lies", [LIES[name] for name in SOME], ids=SOME)
every_lie = pytest.mark.parametrize("lies", LIES.values(), ids=LIES)


@pytest.fixture(scope="session")
def lying_game():
    """A function that returns the random game of a seed, with rows that lie as said."""
    return lying_game_of


def lying_game_of(seed: int, lies: Lies, *kinds: str) -> Game:
    rng = random.Random(seed)
    if lies.exactly:
        games = (game_of_seed(n, "repeats", "distinct", "words") for n in count(seed))
        game = next(game for game in games if game.rule.positional)
    else:
        game = game_of_seed(seed, *(kinds or KINDS))
    game = replace(game, channel=Channel(lies=lies), history=History(game.history.facts))
    secret = game.secrets.random(rng)
    for _ in range(rng.randint(1, 5)):
        game = replace(game, history=game.history.add(_turn(rng, game, secret)))
    return game


def _turn(rng: random.Random, game: Game, secret: tuple[int, ...]) -> Turn:
    guess = game.guesses.random(rng)
    doubt = rng.choice([0, 0, 0, 0.2, 0.5])
    shown = game.score(guess, secret)
    if shown == game.rule.winning:
        return Turn(guess, game.rule.notation.full_clue(shown, guess), doubt)
    if game.channel.lies.exactly:
        shown = rng.choice(one_mark_changed(shown))
    elif rng.random() < 0.4:
        shown = game.score(guess, game.secrets.random(rng))
    if shown == game.rule.winning or rng.random() < 0.1:
        return Turn(guess, game.unread_clue(guess), doubt)
    often = rng.choice([[1.0] * 9, [0.6] * 9])
    clue = game.likelihood.partly_read(shown, guess, often, lambda *_: rng.random())
    return Turn(guess, clue, doubt)


def one_mark_changed(feedback) -> list[tuple[int, ...]]:
    """The answers in which one mark is another than in an answer."""
    return [
        (*feedback[:place], digit, *feedback[place + 1 :])
        for place, shown in enumerate(feedback)
        for digit in range(3)
        if digit != shown
    ]


def fits_clue(game: Game, turn: Turn, secret) -> bool:
    """Whether a row says what it may say of a secret that its guess is not."""
    feedback = tuple(game.score(turn.guess, secret))
    if game.channel.lies.chance:
        return True
    if game.channel.lies.exactly:
        changed = one_mark_changed(feedback)
        others = [f for f in changed if f in game.rule.feedbacks and f != game.rule.winning]
        return any(shown in turn.clue for shown in others)
    return feedback in turn.clue


def fits(game: Game, items, secret) -> bool:
    """Whether a secret breaks no more clues than may lie, and nothing else."""
    lied = 0
    for item in items:
        if isinstance(item, Fact):
            if not holds(item.constraint, secret):
                return False
            continue
        won = item.guess == secret
        says_won = list(item.clue) == [game.rule.winning]
        if won and not says_won:
            return False
        if not item.doubted:
            if says_won and not won:
                return False
            lied += not (won if says_won else fits_clue(game, item, secret))
    return lied <= game.channel.lies.at_most


def brute_force(game: Game, items=None) -> list[tuple[int, ...]]:
    items = game.history.items if items is None else items
    return [secret for secret in game.secrets if fits(game, items, secret)]


def lists(engine, expected) -> bool:
    """Whether an engine has these candidates.

    The linear one searches for each; the first stand for all.
    """
    most = 4 if isinstance(engine, LinearEngine) else None
    return list(islice(engine.candidates(), most)) == expected[:most]


def check_candidates(game: Game) -> None:
    engines = [open_engine(game, name) for name in ENGINES]
    items = game.history.items
    for engine in engines:
        engine.keep(0)
    expected = [brute_force(game, items[:known]) for known in range(len(items) + 1)]
    for known in range(len(items)):
        for engine in engines:
            engine.push(items[known])
            assert engine.satisfiable() == bool(expected[known + 1])
            assert all(code in engine for code in expected[known + 1])
    for engine in engines:
        assert lists(engine, expected[-1])
        last = engine.items[-1]
        engine.pop()
        assert lists(engine, expected[-2])
        engine.push(last)
        assert engine.satisfiable() == bool(expected[-1])
