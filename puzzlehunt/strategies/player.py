"""Which strategy plays: the only place that knows which strategy plays instead of which."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import BITS, GUESSES_ON_AVERAGE, MEASURES
from puzzlehunt.strategies.oneply import OnePly
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.prior_weighted import PriorWeighted
from puzzlehunt.strategies.search.deep import Deep
from puzzlehunt.strategies.search.tree_file import Replay, find_book

if TYPE_CHECKING:
    from puzzlehunt.strategies.search.optimal import Optimal


class Versatile(Strategy):
    """The strategies `deep` and `book`, which leave each position to the strategy that suits it.

    `book` plays an opening book as long as a position is in it, and then as `deep` does.
    """

    measure = GUESSES_ON_AVERAGE

    def __init__(self, name: str) -> None:
        self.name, self.made_by = name, partial(Versatile, name)
        self.entropy, self.weighed = OnePly(MEASURES["entropy"]), PriorWeighted()
        self.ahead = Deep()
        self._optimal: Optimal | None = None
        self.off_book: Versatile = self if name == "deep" else Versatile("deep")

    def player_of(self, position: Position) -> Strategy:
        """Return the strategy that plays a position."""
        return self.book_of(position) or self.off_book._searcher_of(position)

    def book_of(self, position: Position) -> Replay | None:
        """Return what plays a position from the opening book, None if no book has it."""
        is_alike = position.used_symbols is not None and len(position.candidates) > 1
        book = find_book(position.game) if self.name == "book" and is_alike else None
        if book is None:
            return None
        try:
            book.guess_in(position)
        except StrategyError:
            return None
        return book

    def _searcher_of(self, position: Position) -> Strategy:
        budget, guesses = position.budget, position.pool.guesses
        if budget.guesses is not None:
            most = len(position.secrets if guesses is None else guesses)
            # Of all guesses, the search proves the value.
            width = None if budget.guesses >= most else budget.guesses
            if self._optimal is None or self._optimal.budget != width:
                from puzzlehunt.strategies.search.optimal import Optimal

                self._optimal = Optimal(width)
            if not self._optimal.unsupported_reason(position):
                return self._optimal
        if position.weights is not None:  # looking ahead did not save guesses there
            return self.weighed if position.observation is None else self.entropy
        return self.ahead if self.ahead.has_room(position) else self.entropy

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        player = self.player_of(position)
        if not isinstance(player, Replay):
            ranked, complete = player.rank(position, top)
            if player.measure == BITS:  # the values are guesses all the same
                average = self.ahead.estimate
                ranked = [replace(one, value=average(position, one)) for one in ranked]
            return ranked, complete
        (best,), complete = player.rank(position, 1)
        ranked = self.off_book.rank(position, top)[0] if top > 1 else []
        # The book's guess is the best, so that no other has a better value.
        least = best.value or 0.0
        others = [one for one in ranked if one.code != best.code][: top - 1]
        others = [replace(one, value=one.value and max(one.value, least)) for one in others]
        return [best, *others], complete

    def _choose(self, position: Position) -> PackedCodes:
        return self.player_of(position).choose(position)

    def rate(self, position: Position, guess: Code) -> Suggestion:
        if position.weights is not None and position.observation is None:
            return self.weighed.rate(position, guess)
        return self.ahead.rate(position, guess)


deep, book = partial(Versatile, "deep"), partial(Versatile, "book")


def player_of(strategy: Strategy, position: Position) -> Strategy:
    """Return the strategy that plays a position instead of another, by default that one."""
    return strategy.player_of(position) if isinstance(strategy, Versatile) else strategy


def player_of_game(game: Game, strategy: Strategy) -> Strategy:
    """Return the strategy that plays a game instead of another, by default that one.

    `book` is played as `deep` if there is no book. Several secrets at once are guessed by entropy,
    but for strategies that guess candidates alone. Looking ahead is replaced by entropy for
    questions about secrets that are not equally likely. Raises StrategyError if it guesses only
    candidates, and the game has none.
    """
    guesses_candidates = strategy.draws in ("any", "first")
    if game.only_questions and guesses_candidates:
        raise StrategyError(
            f"{strategy.name}: guesses candidates, and no guess of {game.title} is one; try entropy"
        )
    if game.boards > 1 and not guesses_candidates:
        return OnePly(MEASURES["entropy"])
    if not isinstance(strategy, Versatile):
        return strategy
    if game.only_questions and (game.channel.weighs or game.secrets.is_weighed):
        return strategy.entropy
    return strategy.off_book if find_book(game) is None else strategy


def player_off_book(strategy: Strategy, listed: bool) -> Strategy:
    """Return the strategy that plays for another in positions that are not in a book.

    Where candidates are not `listed`, it is entropy: looking ahead in a sample saved no guesses.
    """
    if not isinstance(strategy, Versatile):
        return strategy
    return strategy.off_book if listed else strategy.entropy
