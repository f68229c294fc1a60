"""Random games whose rows lie or are doubted, and what brute force makes of them."""

import math
import random
from dataclasses import replace
from itertools import count, islice, pairwise

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from puzzlehunt.channel.model import Channel, Lies
from puzzlehunt.codes.constraints import holds
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.linear import LinearEngine
from puzzlehunt.engines.posterior import doubt_cost
from puzzlehunt.explanation.remaining import remaining
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


def paid(game: Game, items, secret, costs) -> int | None:
    """What a secret pays for the clues that it breaks, None if it breaks what it must not."""
    total = lied = 0
    for place, item in enumerate(items):
        if isinstance(item, Fact):
            if not holds(item.constraint, secret):
                return None
            continue
        won = item.guess == secret
        says_won = list(item.clue) == [game.rule.winning]
        if won and not says_won:
            return None
        fits = won if says_won else fits_clue(game, item, secret)
        if place in costs:
            total += 0 if fits else costs[place]
        elif not item.doubted:
            if says_won and not won:
                return None
            lied += not fits
    return total if lied <= game.channel.lies.at_most else None


def brute_force(game: Game, items=None, costs=()) -> list[tuple[int, tuple[int, ...]]]:
    """All secrets by what they pay, then in code order."""
    items = game.history.items if items is None else items
    pairs = [(paid(game, items, secret, costs), secret) for secret in game.secrets]
    return sorted(pair for pair in pairs if pair[0] is not None)


def codes(pairs) -> list[tuple[int, ...]]:
    return [code for _, code in pairs]


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
    expected = [codes(brute_force(game, items[:known])) for known in range(len(items) + 1)]
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


def doubting(random_game, seed: int, kind: str) -> Game:
    """A random game in which most rows are doubted, each in its own way."""
    rng = random.Random(seed)
    game = random_game(seed, kind)
    doubts = [0.5, 0.5, 0.2, 0.05, 0.9, 0]
    items = [
        replace(item, doubt=rng.choice(doubts)) if isinstance(item, Turn) else item
        for item in game.history
    ]
    return replace(game, history=History(tuple(items)))


def doubt_costs(game: Game) -> dict[int, int]:
    return {
        place: doubt_cost(game, item)
        for place, item in enumerate(game.history)
        if isinstance(item, Turn) and item.doubted
    }


def check_ranking(game: Game) -> None:
    """Costs are rounded: what differs by less than that much a row may come in either order."""
    costs = doubt_costs(game)
    engine = open_engine(game, "explicit")
    ranked = dict(engine.likeliest(10_000))
    cheapest = brute_force(game, costs=costs)
    assert len(cheapest) == len(ranked)
    assert set(codes(cheapest)) == set(ranked)
    rounding = 0.5 * len(costs) + 1e-6
    bits = [-1000 * math.log2(ranked[code]) for code in codes(cheapest)]
    for (cost, _), some in zip(cheapest, bits, strict=True):
        assert abs((some - bits[0]) - (cost - cheapest[0][0])) <= 2 * rounding
    order = codes(cheapest)
    for first, then in pairwise(order):
        assert ranked[first] > ranked[then] or math.isclose(
            ranked[first], ranked[then], rel_tol=2 ** (2 * rounding / 1000) - 1
        )
    if costs:
        found = remaining(open_engine(game, "symbolic"), 12)
        assert list(found.codes) == sorted(order)[:12]
        assert found.more == (len(order) > 12)
