"""The codemaker: answers guesses truthfully, or so as to hold out as long as it can.

What it says comes through the game's channel: marks stay unread, turns lie.
"""

import random
from abc import ABC, abstractmethod
from collections import Counter

from puzzlehunt.channel.model import LYING_TURNS, Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import NoCandidatesError, TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.gifts import gifts
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.game.lines import with_text
from puzzlehunt.kernels.codes import array_of
from puzzlehunt.rules.notation.clue import Clue, Feedback


class Codemaker(ABC):
    """Plays one game as its codemaker; `history` is what was said so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.history = game.history
        self._noise: Noise | None = None

    @abstractmethod
    def feedback(self, guess: Code) -> Feedback:
        """Return the answer to a guess; the history is not changed."""

    @property
    @abstractmethod
    def secret(self) -> Code:
        """What is to be found; of an adversarial codemaker a secret that it may still choose."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether everything was found."""

    def answer(self, guess: Code) -> Turn:
        """Return the turn of a guess, and add it to the history."""
        feedback = self.feedback(guess)
        if self._noise is None:
            clue = self.game.rule.exactly(feedback, guess)
        else:
            clue = self._noise.clue(feedback, guess, len(self.history.turns))
        turn = with_text(self.game, Turn(guess, clue))
        self.tell(turn)
        return turn

    def through(self, noise: "Noise") -> None:
        """Answer through the game's channel from now on."""
        self._noise = noise

    def tell(self, item: Item) -> None:
        """Add something to what was said."""
        self.history = self.history.add(item)


class TruthfulCodemaker(Codemaker):
    """Hides a secret and tells the truth."""

    def __init__(self, game: Game, secret: Code) -> None:
        super().__init__(game)
        self._secret = secret

    @property
    def secret(self) -> Code:
        return self._secret

    def feedback(self, guess: Code) -> Feedback:
        return self.game.score(guess, self._secret)

    @property
    def is_over(self) -> bool:
        return self.game.all_guessed(self.history, self._secret)


class Noise:
    """What becomes of the answers of one game, drawn from a seed.

    What is drawn for a turn does not depend on the guess, so that every strategy has the same luck:
    a mark of a kind stays unread, and a turn lies, at the same numbers of the same game. Nothing is
    misread. Rates that are not known are drawn as they are believed.
    """

    def __init__(self, game: Game, rng: random.Random) -> None:
        self.game = game
        self._seed = rng.randrange(2**32)
        own = random.Random(self._seed)
        self._rates = [_drawn_rate(rate, own) for rate in game.channel.reads or ()]
        numbers = range(game.play.attempts or LYING_TURNS)
        lies = own.randint(0, min(game.channel.lies.at_most, len(numbers)))
        self._lying = frozenset(own.sample(numbers, lies))

    def clue(self, feedback: Feedback, guess: Code, number: int) -> Clue:
        """Return what is shown and read of the true answer to a turn (from 0); a win is seen."""
        rule, likelihood = self.game.rule, self.game.likelihood
        if tuple(feedback) == tuple(rule.winning):
            return rule.exactly(feedback, guess)
        rng = random.Random(f"{self._seed}:{number}")
        lies = self.game.channel.lies
        lying = rng.random() < lies.chance or number in self._lying or lies.exactly > 0
        lie = random.Random(rng.randrange(2**32))
        if lying:
            feedback = likelihood.draw_lie(feedback, guess, lie)
        if not self._rates:
            return rule.exactly(feedback, guess)
        lucky = random.Random(rng.randrange(2**32))
        luck = [[lucky.random() for _ in range(_MARKS)] for _ in self._rates]
        return likelihood.partly_read(
            feedback, guess, self._rates, lambda kind, n: luck[kind][n % _MARKS]
        )


_MARKS = 64


def _drawn_rate(rate: Rate, rng: random.Random) -> float:
    return rng.betavariate(*rate.beta) if rate.learned else rate.mean


class AdversarialCodemaker(Codemaker):
    """Hides nothing yet: gives the answer that leaves the most secrets (Absurdle).

    Among equals, one that does not end the game, then the first in the rule's order. Raises
    NoCandidatesError for a history that contradicts itself, TooLargeError for secrets that are
    too many to list.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        engine = open_engine(game, "explicit").listed
        assert engine is not None, "an adversary hides nothing on several boards"
        self._engine = engine
        self._engine.follow(self.history)
        if not self._engine.satisfiable():
            raise NoCandidatesError("the turns contradict each other: no secret is left")

    @property
    def secret(self) -> Code:
        return next(self._engine.candidates())

    def feedback(self, guess: Code) -> Feedback:
        rule = self.game.rule
        rows = rule.rows(array_of([guess], self.game.length))
        left = self._engine.every()[self._engine.places()]
        counts = Counter(rule.table(rows, left)[0].tolist())
        winning = rule.feedbacks.index(rule.winning)
        best = min(counts, key=lambda index: (-counts[index], index == winning, index))
        chosen: Feedback = rule.feedbacks[best]
        return chosen

    def tell(self, item: Item) -> None:
        super().tell(item)
        self._engine.push(item)

    @property
    def is_over(self) -> bool:
        return self.game.is_won(self.history)


def open_codemaker(game: Game, secret: Code | None, rng: random.Random) -> Codemaker:
    """Return the game's own codemaker, with what it gives at the start told.

    A truthful one hides the secret; None draws one that agrees with the game's history. Its answers
    come through the game's channel, a turn that it gives at the start too, with all chance drawn
    from `rng`.
    """
    if game.host == "adversarial":
        codemaker: Codemaker = AdversarialCodemaker(game)
    else:
        codemaker = TruthfulCodemaker(game, drawn(game, rng) if secret is None else secret)
    if game.channel.weighs:
        codemaker.through(Noise(game, rng))
    if not game.history.items:
        for item in gifts(game, codemaker.secret, rng):
            if game.channel.weighs and isinstance(item, Turn):
                codemaker.answer(item.guess)
            else:
                codemaker.tell(item)
    return codemaker


def drawn(game: Game, rng: random.Random) -> Code:
    """Return a secret that agrees with the game's history. Raises NoCandidatesError."""
    if not game.history.items:
        return game.secrets.random(rng)
    engine = open_engine(game)
    engine.follow(game.history)
    drawn = engine.sample(1, rng)
    if not drawn.codes and not drawn.complete:
        raise TooLargeError("found no secret that agrees with the rows; name one with --secret")
    if not drawn.codes:
        raise NoCandidatesError("the turns contradict each other: no secret is left")
    return drawn.codes[0]
