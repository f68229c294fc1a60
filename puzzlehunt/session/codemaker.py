"""The codemaker, which answers guesses.

A truthful codemaker hides a secret; an adversarial one gives the answer that leaves the most
candidates.
"""

import random
from collections.abc import Hashable, Iterator
from functools import cached_property

from puzzlehunt.channel.model import LYING_TURNS
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.engines.base import Engine, open_engine
from puzzlehunt.errors import NoCandidatesError, StrategyError, TooLargeError, check_type
from puzzlehunt.explanation.review import partition
from puzzlehunt.game import meaning
from puzzlehunt.game.facts import OPEN_SIGNS
from puzzlehunt.game.files.gamefile import GameLike, as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn, number_of
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.rules.notation.clue import Clue, Feedback
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.position import NO_BUDGET, Budget

_DRAWS = 64
"""Draws for each kind of mark in a turn; if a feedback has more, they are used again."""
_NONE_LEFT = "the turns contradict each other: no secret is left"


class Codemaker:
    """Answers guesses by a secret or, without one, so that the most candidates are left.

    Of answers that leave equally many, it prefers one that does not win, then the first in the
    rule's order. Raises NoCandidatesError if its history contradicts itself, TooLargeError if there
    are too many secrets to list.

    `history` holds hints and answers. `noise` is the seed of lies and unread marks; None: neither.

    >>> puzzlehunt.open_codemaker("4x6", "ABCD").answer("AABB")
    <Turn: AABB BW>
    """

    def __init__(self, game: Game, secret: Code | None, noise: int | None = None) -> None:
        self.game = game
        self.history = game.history
        self.noise = noise
        self._secret = secret
        if secret is None and not self._engine.satisfiable():
            raise NoCandidatesError(_NONE_LEFT)

    @cached_property
    def _engine(self) -> Engine:
        return open_engine(self.game, "explicit" if self._secret is None else None)

    @property
    def secret(self) -> Code:
        """The hidden secret; an adversarial codemaker hides none and names a candidate."""
        if self._secret is not None:
            return self._secret
        self._engine.follow(self.history)
        return next(self._engine.in_code_order())

    @property
    def is_over(self) -> bool:
        """Whether every secret was guessed or, in a game of questions alone, is known."""
        if self.game.only_questions:
            self._engine.follow(self.history)
            return self._engine.known_secret() == self.secret
        guesses = {turn.code for turn in self.history.turns}
        return guesses.issuperset(split(self.secret, self.game.boards))

    def answer(self, guess: Hashable) -> Turn:
        """Answer a guess: add its turn, with the clue that the player reads, and return that turn.

        The guess is a code or its text. Raises InvalidCodeError.
        """
        guess = self.game.parse_guess(guess)
        if self._secret is None:
            self._engine.follow(self.history)
            counts = partition(self._engine, guess=guess).counts
            feedback = min(counts, key=lambda each: (-counts[each], each == self.game.rule.winning))
        else:
            feedback = self.game.score(guess, self._secret)
        clue = noisy_clue(self.game, feedback, guess, len(self.history.turns), self.noise)
        turn = with_text(self.game, Turn(guess, clue))
        self.history = self.history.add(turn)
        return turn


def noisy_clue(game: Game, feedback: Feedback, guess: Code, place: int, seed: int | None) -> Clue:
    """Return the clue that the player reads at turn `place` (from 0), given the true feedback.

    Lies and unread marks depend on the place and the game's seed, and not on the guess, so that
    every strategy has the same luck. A winning feedback, and any without a seed, is read in full;
    no clue is misread. A read rate that players have to learn is drawn from its prior, once for the
    game.
    """
    rule, channel = game.rule, game.channel
    if seed is None or feedback == rule.winning:
        return rule.notation.full_clue(feedback, guess)
    of_game, of_turn = random.Random(seed), random.Random(f"{seed}:{place}")
    rates = [
        of_game.betavariate(*rate.beta) if rate.learned else rate.mean
        for rate in channel.reads or ()
    ]
    lies, places = channel.lies, range(game.play.attempts or LYING_TURNS)
    lying = of_game.sample(places, of_game.randint(0, min(lies.at_most, len(places))))
    is_lie = of_turn.random() < lies.chance or place in lying or lies.exactly > 0
    lie_rng, read_rng = (random.Random(of_turn.randrange(2**32)) for _ in range(2))
    if is_lie:
        feedback = meaning.likelihood(game).draw_lie(feedback, guess, lie_rng)
    if not rates:
        return rule.notation.full_clue(feedback, guess)
    # As many for each kind of mark, so that luck does not depend on the guess.
    draws = [[read_rng.random() for _ in range(_DRAWS)] for _ in rates]
    return meaning.likelihood(game).partly_read(
        feedback, guess, rates, lambda kind, number: draws[kind][number % _DRAWS]
    )


def open_codemaker(
    game: GameLike, secret: Hashable | None = None, *, rng: random.Random | None = None
) -> Codemaker:
    """Return a game's codemaker, whose history begins with the hints that the game gives.

    `game` is as in `candidates`. `secret` is a code or its text; without one, a truthful codemaker
    draws one by `draw_secret`. An adversarial codemaker ignores it. A game that begins with a
    history gets no hints. Answers, and a turn given as a hint, pass through the game's channel. All
    chance comes from `rng` or else `play.seed`. Raises InvalidCodeError.

    >>> codemaker = puzzlehunt.open_codemaker("4x6", "ABCD")
    >>> codemaker.answer("AABB"), codemaker.is_over
    (<Turn: AABB BW>, False)
    """
    game = as_game(game)
    meaning.check_explained(game)
    check_type("rng", rng, random.Random | None)
    rng = random.Random(game.play.seed) if rng is None else rng
    hidden = None if secret is None else game.parse_secret(secret)
    if game.host.adversarial:
        hidden = None
    elif hidden is None:
        hidden = draw_secret(game, rng)
    codemaker = Codemaker(game, hidden, rng.randrange(2**32) if game.channel.weighs else None)
    if not game.history.items:
        give_hints(codemaker, rng)
    return codemaker


def give_hints(codemaker: Codemaker, rng: random.Random) -> None:
    """Add the facts and turns that a codemaker gives away, in the order of `Host.gives`."""
    game, secret = codemaker.game, codemaker.secret
    for gift in game.host.gives:
        if gift == "first":
            is_open = next(sign for sign in OPEN_SIGNS if sign not in game.alphabet)
            names = [*game.alphabet.names(secret[:1]), *is_open * (game.length - 1)]
            text = game.alphabet.joiner.join(names)
        elif gift == "sum":
            values = game.alphabet.symbol_values or []
            text = f"sum {sum(values[symbol] for symbol in secret)}"
        else:
            guess = secret
            while guess == secret:
                guess = game.guesses.random(rng)
                if gift == "letters":
                    guess = tuple(rng.choices(range(len(game.alphabet)), k=len(guess)))
            codemaker.answer(guess)
            continue
        codemaker.history = codemaker.history.add(game.parse_fact(text))


def draw_secret(game: Game, rng: random.Random) -> Code:
    """Return a random secret that agrees with the game's history, by the secrets' weights.

    Raises NoCandidatesError if no secret agrees, TooLargeError if none was found in a huge space.
    """
    if not game.history.items:
        return game.secrets.random(rng)
    engine = open_engine(game)
    if (listing := engine.listed) is not None and (weights := listing.weights()) is not None:
        places = listing.candidate_places()
        if weights[places].sum() > 0:
            (place,) = rng.choices(places.tolist(), weights[places].tolist())
            return code_of(listing.secrets().codes[place])
    sample = engine.sample(1, rng)
    if sample.codes:
        return sample.codes[0]
    if sample.complete:
        raise NoCandidatesError(_NONE_LEFT)
    raise TooLargeError("found no secret that agrees with the rows; name one")


def play_against(
    codemaker: Codemaker,
    adviser: Adviser,
    engine: Engine,
    rng: random.Random,
    budget: Budget = NO_BUDGET,
) -> Iterator[tuple[Turn, Advice]]:
    """Play a game against a codemaker; yield each turn with the advice that its guess came from.

    The engine follows: it has each yielded turn when the next one is asked for. `budget` is that of
    one guess. Raises StrategyError for a repeated guess, which never ends, NoCandidatesError if
    none is found.
    """
    engine.follow(codemaker.history)
    while not codemaker.is_over:
        advice = adviser.advise(engine, 1, budget=budget, seed=rng.randrange(2**32))
        guess, game = advice.suggestions[0].code, adviser.game
        may_ask_again = game.only_questions and game.channel.answers_anew
        if not may_ask_again and number_of(codemaker.history, guess) is not None:
            again = f"the guess {game.format_code(guess)} again; it cannot end"
            raise StrategyError(f"{advice.strategy}: {again}")
        turn = codemaker.answer(guess)
        yield turn, advice
        engine.push(turn)
