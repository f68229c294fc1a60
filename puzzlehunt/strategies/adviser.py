"""The advice that a strategy gives in a game."""

import math
import random
import time
from dataclasses import dataclass, field, replace
from functools import cached_property

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, Listing, Sample, first_codes
from puzzlehunt.errors import NoCandidatesError, StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.viewed import Viewed
from puzzlehunt.strategies.base import Budget, Strategy, Suggestion
from puzzlehunt.strategies.basis import GUESS_SAMPLE, Basis, Evaluated, Question
from puzzlehunt.strategies.book import find_book, look_up
from puzzlehunt.strategies.joint import Several
from puzzlehunt.strategies.pool import Pool
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.structured import Settling
from puzzlehunt.strategies.symmetry import used_symbols
from puzzlehunt.strategies.tree import TreeFile

LARGEST_SAMPLE = 1000
"""Candidates of a huge space that are drawn to stand for all of them."""
_ENOUGH = 500
"""Fewest candidates in a sample from which codes a step away are tried as guesses: where fewer are
found they resemble each other, and say less about the rest."""
_MOST_SCORES = 60_000_000
"""Scores that one suggestion may take where several secrets are to be found."""
_PAIR = 2
"""Candidates that tell whether one is left or more."""


@dataclass(frozen=True, slots=True)
class Advice(Viewed):
    """The best next guesses, and what they are based on.

    `count` is how many candidates are left, None if unknown. `exact` is false where a sample of
    guesses or of candidates was evaluated; `basis` then says which. `book` names the opening book
    that the guess is from.
    """

    suggestions: tuple[Suggestion, ...]
    count: int | None
    exact: bool
    strategy: str
    measure: str
    basis: Basis | None = None
    book: str = ""
    question: Question | None = None
    game: Game | None = field(default=None, compare=False, repr=False)
    """Whose guesses they are, so that they can show themselves."""


_EVERYTHING = Budget()


class _NoneFoundError(Exception):
    """No candidate was found, which does not mean that there is none."""


class Adviser:
    """Gives advice all through a game; prepares the guesses once."""

    def __init__(self, game: Game, strategy: Strategy | None = None) -> None:
        self.game = game
        self.strategy = strategy or find_strategy(game.play.strategy)
        self._pool: tuple[object, Pool] | None = None
        self._settles: Settling | None = None

    def _settling(self, engine: Engine) -> Settling:
        """Return what makes guesses from the turns of an engine alone; prepared once."""
        if self._settles is None or engine.sampler not in (None, self._settles.sampler):
            self._settles = Settling(engine.game, engine.sampler)
        return self._settles

    def advise(
        self, engine: Engine, top: int = 1, budget: Budget = _EVERYTHING, seed: int | None = None
    ) -> Advice:
        """Return the best next guesses in the position of an engine.

        Raises NoCandidatesError if the turns contradict each other.
        """
        opening = self.game.play.opening
        begun = any(isinstance(item, Turn) for item in engine.items)
        chosen = [self.game.parse_guess(opening)] if opening and not begun else []
        if self.game.secrets_at_once > 1:
            return self._advise_several(engine, chosen, top, budget, seed)
        if not chosen and (known := self._by_book(engine)):
            return known
        return self._advise(engine, chosen, top, budget, seed)

    def _by_book(self, engine: Engine) -> Advice | None:
        """Return what an opening book says; None where there is none, or it says nothing."""
        listing, count = engine.listed, engine.count(quickly=True).exact
        if self.book is None or listing is None or count is None or count < _PAIR:
            return None
        tree = look_up(self.book, self.game, engine.items)
        if tree is None:
            return None
        facts = self.book.facts
        name = ", ".join([facts["game"], facts["strategy"]])
        position = Position.of(engine.game, listing, self._prepared(listing))
        rated = Strategy.rate(self.strategy, position, tree.guess)
        value = round(tree.total / count, 4)
        return Advice(
            suggestions=(replace(rated, value=value),),
            count=count,
            exact=facts["strategy"] == "optimal",
            strategy=self.game.play.strategy,
            measure=self.strategy.measure,
            basis=Basis(Evaluated.BOOK, book=name),
            book=name,
            game=self.game,
        )

    @cached_property
    def book(self) -> TreeFile | None:
        """The opening book of the game and the strategy, None where there is none."""
        return find_book(self.game, getattr(self.strategy, "name", ""))

    @property
    def ranks_by_bits(self) -> bool:
        """Whether the best guess is the one whose answer will tell the most bits."""
        return self.strategy.ranks_by_bits(self.game.secrets_at_once)

    def rate(
        self, engine: Engine, guess: Code, budget: Budget = _EVERYTHING, seed: int | None = None
    ) -> Advice:
        """Return what one guess of the player's is worth in the position of an engine."""
        if self.game.secrets_at_once > 1:
            return self._advise_several(engine, [guess], 1, budget, seed)
        return self._advise(engine, [guess], 1, budget, seed)

    def _advise(
        self, engine: Engine, chosen: list[Code], top: int, budget: Budget, seed: int | None
    ) -> Advice:
        rng = random.Random(self.game.play.seed if seed is None else seed)
        if not chosen and (asking := self._for_symbols(engine)):
            return asking
        try:
            position, count = self._position(engine, rng, budget, top)
        except _NoneFoundError:
            return self._for_a_part(engine, chosen, rng, budget)
        known = count is not None or self.strategy.in_order
        if not known and self.strategy.whole:
            raise StrategyError(f"{self.strategy.name}: cannot search a sample; try entropy")
        size = len(position.candidates)
        sampled = None if known else Basis(Evaluated.CANDIDATE_SAMPLE, size)
        suggestions = [self.strategy.rate(position, guess) for guess in chosen]
        complete = True
        if len(suggestions) < top:
            ranked, complete = self.strategy.rank(position, top)
            suggestions += [s for s in ranked if s.guess not in chosen][: top - len(suggestions)]
        limited = position.pool.basis
        basis = sampled or limited or (None if complete else GUESS_SAMPLE)
        whole = self.strategy.through_channel
        if position.observation is not None and not (whole and position.observation.whole):
            basis = basis or Basis(Evaluated.ANSWERS_READ_AND_TRUE)
        if count is None:
            suggestions = [
                replace(self._unscaled(suggestion), candidate=suggestion.guess in engine)
                for suggestion in suggestions
            ]
        return Advice(
            suggestions=tuple(suggestions),
            count=count,
            exact=not basis,
            strategy=self.game.play.strategy,
            game=self.game,
            measure=self.strategy.measure,
            basis=basis,
        )

    def _for_symbols(self, engine: Engine) -> Advice | None:
        """Return a guess that asks how often symbols occur, where that has to be settled first."""
        if not self.strategy.asks_for_symbols:
            if engine.listed is not None or not self.strategy.counts:
                return None
            if not self._settling(engine).sampler.counts_unlisted:
                return None
        guess = self._settling(engine).symbols(engine.items)
        if guess is None:
            return None
        return self._from_rows(engine, guess, Question.HOW_OFTEN_SYMBOLS_OCCUR)

    def _for_a_part(
        self, engine: Engine, chosen: list[Code], rng: random.Random, budget: Budget
    ) -> Advice:
        """Return a guess for a code of which no candidate is found, or what is said of one."""
        end = None if budget.seconds is None else time.monotonic() + budget.seconds / 2
        guess = chosen[0] if chosen else self._settling(engine).part(engine.items, rng, end)
        if guess is None:
            raise NoCandidatesError("no candidate was found: rows may contradict each other")
        return self._from_rows(engine, guess, Question.WHERE_SYMBOLS_STAND)

    def _from_rows(self, engine: Engine, guess: Code, question: Question) -> Advice:
        return Advice(
            suggestions=(Suggestion(guess, None, None, guess in engine),),
            count=None,
            exact=False,
            strategy=self.game.play.strategy,
            game=self.game,
            measure=self.strategy.measure,
            basis=Basis(Evaluated.TURNS),
            question=question,
        )

    def _advise_several(
        self, engine: Engine, chosen: list[Code], top: int, budget: Budget, seed: int | None
    ) -> Advice:
        """Return the best guesses for several secrets at once."""
        rng = random.Random(self.game.play.seed if seed is None else seed)
        found = self.game.winning_guesses(History(engine.items))
        if None not in found:
            raise NoCandidatesError("everything is found: there is nothing left to guess")
        boards = engine.boards()
        positions = []
        counts: list[int | None] = []
        left: list[int | None] = []
        for board in boards:
            if board.secret is not None:
                counts.append(1)
                continue
            position, count = self._position(board.engine, rng, budget, max(top, _PAIR))
            counts.append(count)
            positions.append(self._thinned(position, rng))
            left.append(count)
        known = frozenset(code for code in found if code is not None)
        all_of_them = Several.of(positions, self.game.secrets_at_once // len(boards), known)
        suggestions = [all_of_them.rate(self.strategy, guess) for guess in chosen]
        if len(suggestions) < top:
            ranked = all_of_them.rank(self.strategy, top)
            suggestions += [s for s in ranked if s.guess not in chosen][: top - len(suggestions)]
        count = None if None in counts else math.prod(filter(None, counts))
        sampled = any(
            len(p.candidates) < (n or math.inf) for p, n in zip(positions, left, strict=True)
        )
        if sampled:
            suggestions = [self._unscaled(suggestion) for suggestion in suggestions]
        limited = positions[0].pool.basis
        if sampled:
            basis: Basis | None = Basis(Evaluated.BOARD_SAMPLES)
        else:
            basis = limited or all_of_them.basis
        return Advice(
            suggestions=tuple(suggestions),
            count=count,
            exact=not basis,
            strategy=self.game.play.strategy,
            game=self.game,
            measure="bits" if self.strategy.counts else self.strategy.measure,
            basis=basis,
        )

    @staticmethod
    def _thinned(position: Position, rng: random.Random) -> Position:
        """Return a position with a seeded sample of its candidates, where they are too many."""
        guesses = (
            len(position.candidates)
            if position.pool.guesses is None
            else len(position.pool.guesses)
        )
        most = max(LARGEST_SAMPLE, _MOST_SCORES // guesses)
        if len(position.candidates) <= most:
            return position
        chosen = sorted(rng.sample(range(len(position.candidates)), most))
        return replace(position, candidates=position.candidates[chosen])

    @staticmethod
    def _unscaled(suggestion: Suggestion) -> Suggestion:
        """Return a suggestion without what a sample does not tell: group size, chance to win."""
        return replace(suggestion, worst=None, chance=None)

    def _position(
        self, engine: Engine, rng: random.Random, budget: Budget, top: int
    ) -> tuple[Position, int | None]:
        """Return the position of an engine, and how many candidates there are, if known."""
        if (listing := engine.listed) is not None:
            pool = self._prepared(listing)
            position = Position.of(engine.game, listing, pool, rng, budget)
            return position, listing.count().exact
        from puzzlehunt.engines.explicit import ExplicitEngine

        seconds = budget.seconds
        end = None if seconds is None else time.monotonic() + seconds / 2
        if self.strategy.in_order:
            codes, more = first_codes(engine.candidates(), top)
            drawn = Sample(tuple(codes), complete=not more)
        else:
            drawn = engine.sample(LARGEST_SAMPLE if self.strategy.counts else _PAIR, rng, end)
        if not drawn.codes and not drawn.complete:
            raise _NoneFoundError
        if not drawn.codes:
            raise NoCandidatesError("the turns contradict each other: no candidate is left")
        sampled = ExplicitEngine(engine.game, drawn.codes)
        if engine.game.channel.weighs:
            sampled.follow(engine.items)
        if not self.strategy.counts:
            pool = Pool()
        elif drawn.complete:
            pool = Pool.of(engine.game, sampled.secrets())
            if pool.basis and len(drawn.codes) > _PAIR:
                pool = Pool.around(engine.game, sampled.secrets(), rng)
        elif not engine.items:
            pool = Pool.to_begin(engine.game, sampled.secrets())
        else:
            enough = len(drawn.codes) >= _ENOUGH
            pool = Pool.sampled(engine.game) if enough else Pool()
        position = Position.of(engine.game, sampled, pool, rng, budget)
        alike = used_symbols(engine.game, engine.items) if drawn.complete else None
        position = replace(position, used=alike, fresh=False)
        return position, len(drawn.codes) if drawn.complete else None

    def _prepared(self, engine: Listing) -> Pool:
        """Return the pool of guesses of a game, prepared once; all boards have the same."""
        if self._pool is None or self._pool[0] is not engine.game:
            self._pool = (engine.game, Pool.of(engine.game, engine.secrets()))
        return self._pool[1]
