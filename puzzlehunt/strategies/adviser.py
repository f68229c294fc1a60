"""The advice that a strategy gives in a game."""

import math
import random
import time
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, Sample, as_engine, check_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import NoCandidatesError, StrategyError, check_number, check_type
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import GameLike, as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Rows, Tabled
from puzzlehunt.game.play import strategy_name
from puzzlehunt.strategies import joint
from puzzlehunt.strategies.base import Suggestion, named
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.oneply import QUICK_SCORES
from puzzlehunt.strategies.player import Versatile, player_of_game, player_off_book
from puzzlehunt.strategies.position import GUESS_SAMPLE, NO_BUDGET, Budget, Pool, Position
from puzzlehunt.strategies.probes import guess_for_symbols, nearest_guess, sampler_of
from puzzlehunt.strategies.registry import StrategyLike, find_strategy

LARGEST_SAMPLE = 1000
"""How many candidates of a huge space are drawn."""
_FEW = ("any", "first")
"""The draws of strategies that evaluate no partitions."""


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Tabled):
    """The best next guesses, and how they were found.

    - `suggestions`: the guesses with their values, the best first
    - `count`: how many candidates are left; None if unknown
    - `exact`: False if there may be a better guess, because not everything was evaluated
    - `strategy`: the name of the strategy that chose the guesses
    - `measure`: the name of the values of the suggestions
    - `basis`: what was evaluated, in words, such as `a sample of the guesses`, or an opening book;
      "" if everything was evaluated
    - `book`: the title of the opening book that holds the best guess; "" if none does
    - `question`: what a guess is for if its value cannot be computed, in words, else ""
    - `outside`: the chance (0 to 1) that the secret is not a candidate, because a turn was misread;
      None if turns are never misread, or if the secrets are too many to list
    - `searched`: whether the game was searched to its end, so that values in guesses are proved

    >>> advice = puzzlehunt.suggest("mastermind", ["RRGG 1b 1w", "RYBO 1b"])
    >>> advice.guesses[0], advice.count, advice.exact, advice[0].worst
    ('RBRP', 74, True, 14)
    """

    _row_type = Suggestion

    game: Game = field(compare=False, repr=False)
    suggestions: tuple[Suggestion, ...]
    count: int | None
    exact: bool
    strategy: str
    measure: str
    basis: str = ""
    book: str = ""
    question: str = ""
    outside: float | None = None
    searched: bool = False

    @property
    def only_candidate(self) -> Code | None:
        """The best guess if it is the only candidate of a game of one secret, else None."""
        best = self.suggestions[:1] if self.count == 1 and self.game.boards == 1 else ()
        return next((one.code for one in best if one.candidate), None)

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.suggestions)

    def __len__(self) -> int:
        return len(self.suggestions)

    def __getitem__(self, place: int) -> Suggestion:
        return self.suggestions[place]

    def __contains__(self, guess: object) -> bool:
        return guess in (*self, *self.guesses, *(one.code for one in self))

    def _columns(self) -> dict[str, Sequence[object]]:
        return {**Tabled._columns(self), "measure": [self.measure] * len(self)}

    def __repr__(self) -> str:
        left = "" if self.count is None else f"; {self.count:,} left"
        return f"<Advice: {', '.join(self.guesses[:5]) or 'no guess'}{left}>"

    @property
    def guesses(self) -> list[str]:
        """The suggested guesses, best first, as the game writes them."""
        return [suggestion.guess for suggestion in self.suggestions]


def suggest(
    game: GameLike,
    rows: Rows | None = None,
    top: int = 5,
    *,
    strategy: StrategyLike | None = None,
    budget: Budget | None = None,
) -> Advice:
    """Return the `top` best next guesses in a game; `Advice.guesses` are their texts.

    `game` and `rows` are as in `candidates`. `strategy` is by default the game's own. `budget` is
    by default the seconds of the game's `play.budget`, for a waiting person. If all is found,
    nothing is suggested. Raises NoCandidatesError for a contradiction.

    >>> puzzlehunt.suggest("mastermind", ["RRGG 1b 1w", "RYBO 1b"], 2)
    <Advice: RBRP, ROPR; 74 left>
    """
    engine = as_engine(game, rows)
    game, adviser = engine.game, Adviser(engine.game, strategy)
    if meaning.all_found(game, engine.history) and engine.satisfiable():
        return adviser.no_advice(1)
    seconds = Budget(seconds=game.play.budget)
    return adviser.advise(engine, top, budget=seconds if budget is None else budget)


class _NoneFoundError(NoCandidatesError):
    """The sampler found no candidate, although one may exist."""


class Adviser:
    """Suggests guesses throughout a game, by one strategy.

    `game` is as in `candidates`. `strategy` is by default the strategy of the game. The pool of
    guesses is prepared once, with the first advice.

    >>> adviser = puzzlehunt.strategies.Adviser("3x4", "minimax")
    >>> adviser.advise(puzzlehunt.engines.open_engine("3x4")).guesses
    ['ABC']
    """

    def __init__(self, game: GameLike, strategy: StrategyLike | None = None) -> None:
        self.game = game = as_game(game)
        choice = game.play.strategy if strategy is None else strategy
        chosen = find_strategy(choice)
        self.strategy = player_of_game(game, chosen)
        plays_itself = self.strategy is chosen
        self.strategy_name = strategy_name(choice) if plays_itself else self.strategy.name
        self._pool: Pool | None = None

    def __repr__(self) -> str:
        return f"<Adviser for {self.game.title!r}: {self.strategy_name}>"

    def _check(self, engine: Engine, top: int, budget: Budget) -> None:
        check_engine(engine, self.game)
        check_number("top", top, 1, whole=True)
        check_type("budget", budget, Budget, "a Budget such as Budget(seconds=1)")
        is_large = self.game.secrets.size > 10**32 and engine.listed is None
        if is_large and sampler_of(engine).counts_unlisted:
            raise StrategyError(
                f"{self.game.title}: these codes are too long to suggest guesses; take at most "
                "1e32 codes, such as 32x10, or guess yourself: rows are still checked"
            )

    def no_advice(self, count: int, *, proved: bool = True) -> Advice:
        """Return advice without a guess, for a position in which there is none to suggest.

        `count` is how many candidates there are: 0 if the turns contradict each other, 1 if the
        secret is found. Without `proved` this is uncertain, and the advice has no count.
        """
        return replace(self._advice((), count if proved else None, ""), exact=proved)

    def _advice(self, suggestions: Iterable[Suggestion], count: int | None, basis: str) -> Advice:
        name, measure = self.strategy_name, self.strategy.measure
        given = tuple(named(self.game, one) for one in suggestions)
        return Advice(self.game, given, count, not basis, name, measure, basis)

    def advise(
        self,
        engine: Engine,
        top: int = 1,
        *,
        budget: Budget = NO_BUDGET,
        seed: int | None = None,
    ) -> Advice:
        """Return the `top` best next guesses after the turns that an engine follows.

        If one candidate is left in a game of questions alone, there is no guess to suggest. Raises
        NoCandidatesError if the turns contradict each other, ValueError for another game's engine.
        """
        self._check(engine, top, budget)
        if self.game.only_questions and engine.count(quickly=True).exact == 1:
            return self.no_advice(1)
        opening = self.game.play.opening
        given = self.game.parse_guess(opening) if opening and not engine.history.turns else None
        return self._advise(engine, given, top, budget, seed, opens_book=True)

    def rate(self, engine: Engine, guess: Hashable, *, budget: Budget = NO_BUDGET) -> Advice:
        """Return the value of a guess after the turns that an engine follows.

        The guess is a code or its text. Raises InvalidCodeError, and what `advise` raises.
        """
        self._check(engine, 1, budget)
        return self._advise(engine, self.game.parse_guess(guess), 1, budget, None)

    def _advise(
        self,
        engine: Engine,
        given: Code | None,
        top: int,
        budget: Budget,
        seed: int | None,
        *,
        opens_book: bool = False,
    ) -> Advice:
        rng = random.Random(self.game.play.seed if seed is None else seed)
        if self.game.boards > 1:
            return self._advise_several(engine, given, top, budget, rng)
        if given is None and (advice := self._symbol_probe(engine)):
            return advice
        try:
            position, count, sample = self._position(engine, rng, budget, top)
        except _NoneFoundError:
            guess = given or nearest_guess(sampler_of(engine), engine.items, rng)
            if guess is None:
                raise
            return self._from_turns(engine, guess, "as near to the rows as is known")
        listing, chosen, book = engine.listed, self.strategy, None
        if opens_book and listing is not None and isinstance(chosen, Versatile):
            book = chosen.book_of(position)
        if book is not None:
            ranked, _ = chosen.rank(position, top)
            exact, title = book.file.head["strategy"] == "optimal", book.title
            return replace(self._advice(ranked, count, f"a book: {title}"), exact=exact, book=title)
        strategy = player_off_book(chosen, listing is not None)
        evaluates_sample = count is None and strategy.draws != "first"
        if evaluates_sample and strategy.draws == "all":
            raise StrategyError(f"{strategy.name}: cannot search a sample; try entropy")
        suggestions, complete = list[Suggestion](), True
        if given is not None:
            suggestions.append(strategy.rate(position, given))
        if len(suggestions) < top:
            ranked, complete = strategy.ranked(position, top)
            suggestions += [one for one in ranked if one.code != given]
        basis = sample
        if not evaluates_sample:
            basis = position.pool.basis or ("" if complete else GUESS_SAMPLE)
        observation, measured = position.observation, strategy.measured
        counts_candidates = measured is not None and not measured.uses_weights
        of_answers = counts_candidates or strategy.measure == GUESSES_ON_AVERAGE
        if observation is not None and (of_answers or not observation.complete):
            basis = basis or "answers as if all were read and true"
        if listing is None:
            if self.game.channel.misread:
                basis = basis or "rows as if none were misread"
            # Chances are known only of all codes, and the largest part of all candidates.
            for place, one in enumerate(suggestions):
                worst, fits = one.worst if count else None, one.code in engine
                suggestions[place] = replace(one, worst=worst, candidate=fits, chance=None)
        return replace(
            self._advice(suggestions[:top], count, basis),
            strategy=self.strategy_name if strategy is self.strategy else strategy.name,
            measure=strategy.measure,
            searched=strategy.proves and not basis,
            outside=None if listing is None else listing.outside,
        )

    def _symbol_probe(self, engine: Engine) -> Advice | None:
        if engine.listed is not None or self.strategy.draws in _FEW:
            return None
        sampler = sampler_of(engine)
        guess = guess_for_symbols(sampler, engine.items) if sampler.counts_unlisted else None
        purpose = "to settle how often symbols occur"
        return self._from_turns(engine, guess, purpose) if guess else None

    def _from_turns(self, engine: Engine, guess: Code, purpose: str) -> Advice:
        suggestion = Suggestion(guess, None, None, guess in engine)
        return replace(self._advice([suggestion], None, "the rows alone"), question=purpose)

    def _advise_several(
        self, engine: Engine, given: Code | None, top: int, budget: Budget, rng: random.Random
    ) -> Advice:
        if meaning.all_found(self.game, engine.history):
            raise NoCandidatesError("everything is found: there is nothing left to guess")
        boards, positions, sampled = engine.boards(), [], False
        counts: list[int | None] = []
        for board in boards:
            if board.secret is not None:
                counts.append(1)
                continue
            position, count, _ = self._position(board.engine, rng, budget, max(top, 2))
            counts.append(count)
            positions.append(_subsampled(position, rng))
            sampled |= len(positions[-1].candidates) < (count or math.inf)
        suggestions = [] if given is None else [joint.rate(positions, self.strategy, given)]
        if len(suggestions) < top:
            ranked = joint.rank(positions, self.strategy, top)
            suggestions += [one for one in ranked if one.code != given]
        basis = positions[0].pool.basis
        if sampled:
            for place, one in enumerate(suggestions):
                fits = any(board.secret is None and one.code in board.engine for board in boards)
                suggestions[place] = replace(one, worst=None, candidate=fits, chance=None)
            basis = "samples of the candidates"
        count = None if None in counts else math.prod(filter(None, counts))
        return self._advice(suggestions[:top], count, basis)

    def _position(
        self, engine: Engine, rng: random.Random, budget: Budget, top: int
    ) -> tuple[Position, int | None, str]:
        """Return the position of an engine, and how many candidates there are (None: unknown).

        At last, what sample of them the position has, in words; "" if it has them all.
        """
        if (listing := engine.listed) is not None:
            self._pool = self._pool or Pool.of(engine.game, listing.secrets())
            position = Position.of(engine.game, listing, pool=self._pool, rng=rng, budget=budget)
            return position, listing.count().exact, ""
        if self.strategy.draws == "first":
            codes = tuple(islice(engine.in_code_order(), top + 1))
            drawn = Sample(codes[:top], complete=len(codes) <= top and engine.proves)
        else:
            # Two show whether there is more than one.
            most = 2 if self.strategy.draws == "any" else LARGEST_SAMPLE
            half = None if budget.seconds is None else time.monotonic() + budget.seconds / 2
            drawn = engine.sample(most, rng, end=half)
        if not drawn.codes and not drawn.complete:
            raise _NoneFoundError("no candidate was found: rows may contradict each other")
        sampled = ExplicitEngine(engine.game, drawn.codes)
        sampled.follow(engine.items)
        pool = Pool()
        if drawn.complete and self.strategy.draws not in _FEW:
            pool = Pool.of(engine.game, sampled.secrets())
        position = Position.of(engine.game, sampled, pool=pool, rng=rng, budget=budget)
        position = replace(position, probabilities=None)
        if drawn.complete:
            return position, len(drawn.codes), ""
        sample = f"sample of {len(drawn.codes)} candidates"
        sample = f"a {sample}" if drawn.even else f"an uneven {sample}, found by search"
        # Symbols are alike among all candidates, but not in a sample of them.
        return replace(position, used_symbols=None), None, sample


def _subsampled(position: Position, rng: random.Random) -> Position:
    guesses, _ = position.choices()
    most = max(LARGEST_SAMPLE, QUICK_SCORES // len(guesses))
    if len(position.candidates) <= most:
        return position
    drawn = sorted(rng.sample(range(len(position.candidates)), most))
    return replace(position, candidates=position.candidates[drawn])
