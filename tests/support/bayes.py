"""Chances and bits as sums over secrets, rows and lies, one by one."""

import math
from collections import Counter
from itertools import combinations

import numpy as np

from noisy_games import Notes
from puzzlehunt.channel.model import LYING_TURNS
from puzzlehunt.codes.constraints import holds
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.strategies.position import observation_of


def rows_that_lie(game, rows):
    """Which rows may lie, as sets of places, each with how likely that is before the rows.

    Any number up to the budget is as likely as any other, and so are any rows of the whole game.
    """
    length = max(rows, game.play.attempts or LYING_TURNS)
    most = min(game.channel.lies.at_most, length)
    chances: Counter = Counter()
    for number in range(most + 1):
        for places in combinations(range(length), number):
            played = frozenset(place for place in places if place < rows)
            chances[played] += 1 / (most + 1) / math.comb(length, number)
    yield from chances.items()


class Bayes:
    """The same by the book: each secret, each row, each set of rows that lie."""

    def __init__(self, game) -> None:
        self.game = game
        self.turns = game.history.turns
        self.noted = [Notes(game, turn.guess) for turn in self.turns]
        self.known = {}

    def chance(self, row, of, feedback):
        """How likely a row is by one of the ways in which rows come about: `row`, `lie`, ..."""
        key = (row, of, tuple(feedback))
        if key not in self.known:
            noted, turn = self.noted[row], self.turns[row]
            won = tuple(feedback) == tuple(self.game.rule.winning)
            if of == "lie":
                rows = {} if won else noted.lie(feedback)
            else:
                rows = getattr(noted, of)(feedback, turn.doubt)
            self.known[key] = sum(p for text, p in rows.items() if noted.clue(text) == turn.clue)
        return self.known[key]

    def prior(self, secret):
        space = self.game.secrets
        possible = all(holds(fact.constraint, secret) for fact in self.game.history.facts)
        return possible * (space.weights[secret] if isinstance(space, WordSpace) else 1)

    def likelihood(self, secret, honest=None):
        """How likely all rows are, one of them honest, if a secret is the right one."""
        feedbacks = [self.game.score(turn.guess, secret) for turn in self.turns]
        total = 0.0
        for lying, chance in rows_that_lie(self.game, len(self.turns)):
            if honest in lying:
                continue
            for row, feedback in enumerate(feedbacks):
                of = "lie" if row in lying else "honest" if row == honest else "row"
                chance *= self.chance(row, of, feedback)
            total += chance
        return total

    def weights(self, honest=None):
        return np.array([self.prior(s) * self.likelihood(s, honest) for s in self.game.secrets])


class Seen:
    """All that may be noted after a guess, for every secret that is possible, and its chance."""

    def __init__(self, engine, guess, chances=None) -> None:
        self.game, self.guess = engine.game, guess
        observation = observation_of(engine)
        probabilities = engine.posterior.probabilities
        if chances is not None:
            probabilities = np.array(list(chances.values()))
        places = np.flatnonzero(probabilities)
        rates = None if observation.rates is None else [rate.mean for rate in observation.rates]
        self.noted = Notes(self.game, guess, rates)
        self.lies = np.zeros(len(places))
        if self.game.channel.lies.at_most:
            self.lies = observation.lie_next[places]
        self.shares = probabilities[places]
        self.secrets = [list(self.game.secrets)[place] for place in places]
        self.fits = np.isin(places, engine.candidate_places())
        self.rows = [self.row(*pair) for pair in zip(self.secrets, self.lies, strict=True)]
        self.texts = sorted({text for row in self.rows for text in row})
        self.table = np.array([[row.get(text, 0.0) for text in self.texts] for row in self.rows])
        self.told = self.shares @ self.table

    def row(self, secret, lie):
        """What may be noted if a secret is the right one, and the row lies with some chance."""
        feedback = self.game.score(self.guess, secret)
        if not lie or feedback == self.game.rule.winning:
            return self.noted.right(feedback)
        false, true = self.noted.lie(feedback), self.noted.read(feedback)
        return {
            text: lie * false.get(text, 0.0) + (1 - lie) * true.get(text, 0.0)
            for text in {**false, **true}
        }

    def information(self):
        """What the note tells of the secret: how much less is open on average, in bits."""
        return bits(self.told) - self.shares @ [bits(row) for row in self.table]

    @property
    def could(self):
        """How many candidates could lead to each note."""
        return (self.table[self.fits] > 0).sum(axis=0)

    def left(self):
        """How many candidates could lead to the note, on average."""
        told = self.shares[self.fits] @ self.table[self.fits] / self.shares[self.fits].sum()
        return told @ self.could


def bits(chances):
    some = chances[chances > 0]
    return float(-(some * np.log2(some)).sum())
