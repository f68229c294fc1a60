"""The interface of strategies, which choose the next guess in a position."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, SupportsIndex

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import PuzzlehuntError, StrategyError, in_one_line
from puzzlehunt.game.game import Game
from puzzlehunt.game.play import strategy_name
from puzzlehunt.game.turn_notation import tried
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.strategies.measures import Measure
from puzzlehunt.strategies.position import Position


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A guess and its value; `guess` is the text of its `code`, which advice fills in.

    `value` is in the unit of the strategy's `measure`, `worst` how many candidates the answer
    leaves at most; both are None if unknown. `candidate` says whether the guess may be the secret
    if every turn is right. `chance` (0 to 1) is how likely it is the secret; if turns may be
    misread, it can be above 0 for other guesses. None if all are equally likely, or unknown.

    >>> puzzlehunt.suggest("3x4", ["AAB 1b"], 1, strategy="minimax")[0]
    Suggestion(code=(0, 2, 0), guess='ACA', value=5.0, worst=5, candidate=True, chance=None)
    """

    code: Code
    guess: str = field(default="", compare=False, kw_only=True)
    value: float | None
    worst: int | None
    candidate: bool
    chance: float | None = None

    def __str__(self) -> str:
        return self.guess


def named(game: Game, suggestion: Suggestion) -> Suggestion:
    """Return a suggestion with the text of its guess."""
    return replace(suggestion, guess=game.format_code(suggestion.code))


class Strategy(ABC):
    """Picks the next guess.

    >>> puzzlehunt.strategies.find_strategy("minimax").measure
    'largest group'
    """

    name: str
    """The name by which the strategy is chosen."""
    measure: str
    """The unit of a suggestion's value, in words: `bits`, `largest group`."""
    deterministic: bool = True
    """Whether the strategy always makes the same guess in the same position."""
    draws: Literal["many", "any", "first", "all"] = "many"
    """The candidates it needs where they are too many to list: many drawn at random, any, the first
    ones in code order, or all, so that it refuses to play."""
    proves: bool = False
    """Whether, without a budget, no play takes fewer guesses on average, which is proved."""

    measured: Measure | None = None
    """The measure of partitions that ranks the guesses, where one does: trees are then walked in
    compiled code."""
    made_by: "Callable[[], Strategy] | None" = None
    """A function that makes the strategy again. If given, only this function is pickled."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[object, ...]:
        return super().__reduce_ex__(protocol) if self.made_by is None else (self.made_by, ())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {strategy_name(self)}>"

    @abstractmethod
    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return up to `top` suggestions, best first, and whether all guesses were evaluated."""

    def ranked(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the checked result of `rank`; a single candidate is not ranked.

        Raises StrategyError if a strategy from outside the package fails or returns anything else.
        """
        if len(position.candidates) == 1:
            return [self.rate(position, position.candidate(0))], True
        try:
            answer = self.rank(position, top)
        except PuzzlehuntError:
            raise
        except (Exception, SystemExit) as error:
            if type(self).__module__.startswith("puzzlehunt."):
                raise
            raise StrategyError(f"strategy {strategy_name(self)}: {in_one_line(error)}") from None
        if not _is_ranking(answer, position.game):
            raise StrategyError(
                f"strategy {strategy_name(self)}: rank returned {answer!r:.60}; expected a list of "
                "Suggestions of guesses, best first, and whether all guesses were evaluated"
            )
        return answer

    def choose(self, position: Position) -> PackedCodes:
        """Return the best guess alone, as arrays of one row."""
        if len(position.candidates) == 1:
            return position.secrets[position.candidates]
        return self._choose(position)

    def _choose(self, position: Position) -> PackedCodes:
        """Return the best guess where there are several candidates."""
        ranked, _ = self.ranked(position, 1)
        return position.row(ranked[0].code)

    def rate(self, position: Position, guess: Code) -> Suggestion:
        """Return the value of a given guess; here, what it leaves at worst, and its chance."""
        rule, observation = position.game.rule, position.observation
        rows, secrets = position.row(guess), position.secrets[position.candidates]
        worst = None
        if observation is None or not observation.differs:
            worst = int(rule.partitions(rows, secrets).max())
        if position.game.only_questions:
            return Suggestion(guess, None, worst, candidate=False)
        same = secrets.codes
        for place, symbol in enumerate(rows.codes[0]):
            same = same[same[:, place] == symbol]
        chance = None if position.weights is None else position.chance(guess)
        return Suggestion(guess, None, worst, len(same) > 0, chance)


def _is_ranking(answer: object, game: Game) -> bool:
    match answer:
        case (list(ranked), _) if ranked:
            return all(
                isinstance(one, Suggestion) and tried(game.parse_guess, one.code) == one.code
                for one in ranked
            )
    return False
