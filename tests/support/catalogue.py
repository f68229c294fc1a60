"""The catalogue of random games: each with what brute force says of it, found once in a process."""

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

import pytest

from bayes import Bayes, brute_force, possible
from positions import told
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item
from random_games import noisy_game, random_game

KINDS = [
    *("repeats", "distinct", "words", "lengths", "tunes", "halves", "formulas", "boards", "table"),
]
CHANNELS = [
    *(["reads"], ["learn"], ["exactly"], ["at_most"], ["chance"], ["doubts"], ["misread"]),
    *(["reads", "exactly"], ["reads", "at_most"], ["reads", "chance"], ["misread", "doubts"]),
    *(["reads", "misread", "doubts"], ["chance", "misread", "doubts"], ["at_most", "doubts"]),
    *(["exactly", "misread"], ["table", "reads"], ["table", "exactly"], ["table", "at_most"]),
    *(["table", "chance"], ["table", "reads", "exactly"], ["table", "reads", "misread", "doubts"]),
]
"""The parts of a channel, or of two; with `table` it is that of the columns of a table."""


@contextmanager
def short_searches() -> Iterator[None]:
    """Small spaces need no more; where too few codes fit, every step and draw would be made."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("puzzlehunt.engines.sampling.sampler._STEPS", 100)
        patched.setattr("puzzlehunt.engines.sampling.sampler._DRAWS", 2_000)
        yield


class Case:
    """A game of the catalogue, and what brute force says of it, found when it is first asked."""

    def __init__(self, game: Game) -> None:
        self.game, self.items = game, game.history.items
        self._left: dict[Any, list[Code]] = {}

    def left(self, items: Iterable[Item] | None = None) -> list[Code]:
        """Return the secrets that agree with all items, or with some.

        Where marks are read by chance, that is: those whose weight by Bayes is not 0, as if no row
        were misread.
        """
        some = self.items if items is None else tuple(items)
        key = tuple(map(id, some))
        if key not in self._left:
            channel = replace(self.game.channel, misread=0.0)
            game = replace(self.game, channel=channel)
            self._left[key] = (possible if channel.reads else brute_force)(game, some)
        return self._left[key]

    @cached_property
    def bayes(self) -> Bayes:
        return Bayes(self.game)

    @property
    def other(self) -> tuple[Item, ...]:
        """As many other items: its rows with the answers of another secret, read in full."""
        secret = self.game.secrets.random(random.Random(len(self.items)))
        return tuple(
            item if isinstance(item, Fact) else told(self.game, item.code, secret)
            for item in self.items
        )

    def torn(self, rows: int = 4) -> "Case":
        """The same with some random rows more, each with the answer of another secret."""
        game, rng = self.game, random.Random(len(self.items))
        for _ in range(rows):
            guess, secret = game.guesses.random(rng), game.secrets.random(rng)
            with suppress(PuzzlehuntError):  # where a rate or a lie makes it impossible
                turn = game.turn(guess, game.score(guess, secret))
                game = replace(game, history=game.history.add(turn))
        return Case(game)


@cache
def cases(kind: str, number: int) -> list[Case]:
    """Return so many games of the catalogue: of a kind, or with a channel of some parts."""
    if kind in KINDS:
        return [Case(random_game(seed, kind)) for seed in range(number)]
    return [Case(noisy_game(seed, *kind.split("+"))) for seed in range(number)]
