"""Which strategy plays: the only place that knows which strategy plays instead of which."""

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE, MEASURES
from puzzlehunt.strategies.oneply import OnePly
from puzzlehunt.strategies.pool import GUESSES_NEAR_CANDIDATES
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.prior_weighted import PriorWeighted
from puzzlehunt.strategies.search.book import Replay, find_book
from puzzlehunt.strategies.search.deep import Deep

if TYPE_CHECKING:
    from puzzlehunt.strategies.search.optimal import Optimal

_SHORTLISTED = 300
"""If a game has too many guesses to list, this many are tried besides all candidates."""


class Versatile(Strategy):
    """The strategies `deep` and `book`, which leave each position to the strategy that suits it.

    `book` plays the guesses of a game's opening book, as long as a position is in it, and then as
    `deep` does.
    """

    measure = GUESSES_ON_AVERAGE

    def __init__(self, name: str) -> None:
        self.name = name
        self.entropy, self.weighed = OnePly(MEASURES["entropy"]), PriorWeighted()
        self.ahead = Deep()
        self._optimal = lru_cache(maxsize=1)(optimal)
        self._book: tuple[Game, Replay | None] | None = None
        """The last game, and what plays its book."""

    def _book_of(self, game: Game) -> Replay | None:
        if self._book is None or self._book[0] is not game:
            file = find_book(game, self) if self.name == "book" else None
            self._book = game, None if file is None else Replay(file)
        return self._book[1]

    def player_of(self, position: Position) -> tuple[Strategy, Position]:
        """Return the strategy that plays, and the position with the guesses among which it does."""
        book = self._book_of(position.game)
        if book is not None and _follows(book, position):
            return book, position
        return self._player_off_book(self._shortlisted(position))

    def _player_off_book(self, position: Position) -> tuple[Strategy, Position]:
        budget, guesses = position.budget, position.pool.guesses
        if budget.guesses is not None:
            most = len(position.secrets if guesses is None else guesses)
            # Of all guesses, the search proves the value.
            searching = self._optimal(None if budget.guesses >= most else budget.guesses)
            if not searching.unsupported_reason(position):
                return searching, position
        if position.weights is not None:  # looking ahead did not save guesses there
            return (self.weighed if position.observation is None else self.entropy), position
        if not self.ahead.has_room(position):
            return self.entropy, position
        # A budget of guesses is for a search, and none is made.
        return self.ahead, replace(position, budget=replace(budget, guesses=None))

    def _shortlisted(self, position: Position) -> Position:
        """Return a position with the best guesses to choose from, if all are too many to list."""
        near = position.pool.basis == GUESSES_NEAR_CANDIDATES
        if not near or position.budget.guesses is not None:
            return position
        return self.entropy.among_the_best(position, _SHORTLISTED)

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        if len(position.candidates) == 1:
            return [self.rate(position, position.candidate(0))], True
        player, playing = self.player_of(position)
        if not isinstance(player, Replay):
            return self._rank_by(player, playing, top)
        (best,), complete = player.rank(position, 1)
        return self.with_others(best, position, top), complete

    def with_others(self, best: Suggestion, position: Position, most: int) -> list[Suggestion]:
        """Return a book's guess and others after it, `most` in all, none with a better value."""
        if most == 1:
            return [best]
        ranked, _ = self._rank_by(*self._player_off_book(self._shortlisted(position)), most)
        others = [each for each in ranked if each.guess != best.guess][: most - 1]
        least = best.value or 0.0
        known = (each.value if each.value is None else max(each.value, least) for each in others)
        return [best, *(replace(each, value=n) for each, n in zip(others, known, strict=True))]

    def _rank_by(
        self, player: Strategy, position: Position, top: int
    ) -> tuple[list[Suggestion], bool]:
        ranked, complete = player.rank(position, top)
        if player is self.entropy:
            average = self.ahead.estimate
            ranked = [replace(one, value=average(position, one.guess)) for one in ranked]
        return ranked, complete

    def choose(self, position: Position) -> PackedCodes:
        if len(position.candidates) == 1:
            return position.secrets[position.candidates]
        player, position = self.player_of(position)
        return player.choose(position)

    def rate(self, position: Position, guess: Code) -> Suggestion:
        if position.weights is not None and position.observation is None:
            return self.weighed.rate(position, guess)
        return self.ahead.rate(self._shortlisted(position), guess)


def _follows(book: Replay, position: Position) -> bool:
    """Return whether the turns are a path of a book, and all that is known."""
    turns_are_all = position.used_symbols is not None or position.nothing_known
    if not turns_are_all or len(position.candidates) == 1:
        return False
    with suppress(StrategyError):  # an answer that was not read in full
        return book.node_of(position) is not None
    return False


def optimal(budget: int | None = None) -> "Optimal":
    """Return the search to the end of the game; its module is loaded only now."""
    from puzzlehunt.strategies.search.optimal import Optimal

    return Optimal(budget)


def player_of(strategy: Strategy, position: Position) -> tuple[Strategy, Position]:
    """Return the strategy that plays a position instead of another, and the position it plays.

    By default these are the strategy and the position themselves.
    """
    return strategy.player_of(position) if isinstance(strategy, Versatile) else (strategy, position)


def planner_of(strategy: Strategy, position: Position) -> "Optimal | None":
    """Return the search that can settle all guesses from a position on, None if none plays it."""
    player, _ = player_of(strategy, position)
    search = cast("Optimal", player) if player.proves else None
    return search if search is not None and search.plans_ahead(position) else None


def player_of_game(game: Game, strategy: Strategy) -> Strategy:
    """Return the strategy that plays a game instead of another, by default that one.

    `book` is played as `deep` if there is no book, or if `play.opening` is another guess than the
    book's. Several secrets at once are guessed by entropy, but for strategies that guess candidates
    alone. Looking ahead is replaced by entropy for questions about secrets that are not equally
    likely. Raises StrategyError if no guess of a game is a candidate, but the strategy guesses
    nothing else.
    """
    if game.only_questions and strategy.draws in ("any", "first"):
        raise StrategyError(
            f"{strategy.name}: guesses candidates, and no guess of {game.title} is one; try entropy"
        )
    if game.boards > 1 and strategy.draws not in ("any", "first"):
        return OnePly(MEASURES["entropy"])
    if not isinstance(strategy, Versatile):
        return strategy
    if game.only_questions and (game.channel.weighs or game.secrets.is_weighed):
        return strategy.entropy
    book, opening = find_book(game, strategy, 1), game.play.opening
    if book is not None and opening in (None, game.format_code(book.tree.code())):
        return strategy
    return player_off_book(strategy)


def player_of_sample(strategy: Strategy) -> Strategy:
    """Return the strategy that plays for another where candidates are too many to list.

    Looking ahead in a sample did not save guesses.
    """
    return strategy.entropy if isinstance(strategy, Versatile) else strategy


def player_off_book(strategy: Strategy) -> Strategy:
    """Return the strategy that plays for another in positions that are not in a book."""
    on_book = isinstance(strategy, Versatile) and strategy.name == "book"
    return Versatile("deep") if on_book else strategy
