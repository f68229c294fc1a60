"""What `optimal` and `deep` play in games of questions alone, in which no guess is the secret."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError, counted
from puzzlehunt.kernels.packed_codes import Indices, PackedCodes, array_of, code_of, indices_in
from puzzlehunt.kernels.problem import UNLIMITED, UNSOLVED_COST
from puzzlehunt.kernels.question_search import QuestionSearch
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position

_LARGEST_TABLE, _LARGEST_QUICK_TABLE = 200_000_000, 1_000_000
"""Cap on the table of questions and secrets that is searched to the end (cells), if nobody or a
person waits."""
_LOOKED_INTO, _WORK = 20, 60_000_000
"""Questions that are looked into without a search, and cap on the scores that this takes."""


class Asking(Strategy):
    """Takes the fewest questions until the secret is known.

    With `exact`, or with a budget of guesses in a position, questions are searched to the end of
    the game: all of them, or as many in each position as the budget says. Otherwise the best
    questions are looked into: each is valued by the best second questions.
    """

    name: ClassVar[str] = "optimal"
    measure = GUESSES_ON_AVERAGE
    allows_for_channel = False
    needs_all_candidates = True

    def __init__(self, exact: bool, budget: int | None = None) -> None:
        self.name = "optimal" if exact else "deep"  # type: ignore[misc]
        self.optimal = exact and budget is None
        self._exact, self._budget = exact, budget
        self._searches: tuple[PackedCodes, PackedCodes, dict[int | None, QuestionSearch]] | None
        self._searches = None

    def unsupported_reason(self, position: Position) -> str:
        if position.weights is not None or position.observation is not None:
            return "candidates that are not equally likely, or rows that may be wrong"
        guesses, secrets = len(position.choices()[0]), len(position.secrets)
        waits = position.budget.person_waits
        if guesses * secrets > (_LARGEST_QUICK_TABLE if waits else _LARGEST_TABLE):
            what = f"{counted(guesses, 'question')} and {counted(secrets, 'secret')}"
            return f"{what}{' while a person waits' if waits else ', which are too many'}"
        return ""

    def searches(self, position: Position) -> bool:
        return self._exact or position.budget.guesses is not None

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the best question; all others are just known to be no better.

        Without a search, the best questions of those that were looked into.
        """
        if self.searches(position):
            search, members, attempts = self._search(position)
            cost, best = search.best(members, attempts)
            if best < 0:  # no question settles anything in time; the game goes on nevertheless
                best = search.best(members)[1]
            if best < 0:
                raise _none_helps(position)
            suggestion = self._rated(position, code_of(position.choices()[0].codes[best]), cost)
            return [suggestion], search.width is None
        search, members, _ = self._search(position)
        found = self._looked_into(search, members, top)
        if not found:
            raise _none_helps(position)
        codes = position.choices()[0].codes
        return [self._rated(position, code_of(codes[n]), cost) for cost, n in found[:top]], True

    def rate(self, position: Position, guess: Code) -> Suggestion:
        codes = position.choices()[0].codes
        place = int(indices_in(codes, array_of([guess], codes.shape[1]))[0])
        search, members, attempts = self._search(position)
        if place < 0:
            return super().rate(position, guess)
        if self.searches(position):
            return self._rated(position, guess, search.of(members, place, attempts))
        return self._rated(position, guess, search.ahead(members, place))

    def _rated(self, position: Position, guess: Code, cost: float) -> Suggestion:
        average = None if cost >= UNSOLVED_COST else round(cost / len(position.candidates), 4)
        return replace(super().rate(position, guess), value=average)

    @staticmethod
    def _looked_into(search: QuestionSearch, members: Indices, top: int) -> list[tuple[float, int]]:
        """Return the estimated cost and index of the questions that were looked into, in order."""
        questions, _ = search.ranked(members)
        most = max(1, min(_LOOKED_INTO, _WORK // (search.table.shape[0] * len(members))))
        tried = questions[: max(most, top)].tolist()
        costs = [(search.ahead(members, question), question) for question in tried]
        return sorted(costs, key=lambda each: each[0])

    def _search(self, position: Position) -> tuple[QuestionSearch, Indices, int]:
        """Return a search that holds a position, its candidates there, and the attempts left."""
        guesses, width = position.choices()[0], self._budget
        if self.searches(position):
            width = position.budget.guesses if width is None else width
            if trouble := self.unsupported_reason(position):
                raise StrategyError(f"{self.name}: cannot search {trouble}; try entropy")
            width = None if width is None or width >= len(guesses) else width
        kept = self._searches
        if kept is None or kept[0] is not guesses or kept[1] is not position.secrets:
            kept = self._searches = guesses, position.secrets, {}
        if width not in kept[2]:
            rule = position.game.rule
            table = rule.table(guesses, position.secrets)
            kept[2][width] = QuestionSearch(table, len(rule.feedbacks), width)
        attempts = UNLIMITED if position.attempts is None else min(position.attempts, UNLIMITED)
        return kept[2][width], np.asarray(position.candidates), attempts


def _none_helps(position: Position) -> StrategyError:
    first, second = (position.game.format_code(position.candidate(n)) for n in (0, 1))
    return StrategyError(f"no question tells {first} and {second} apart; it cannot end")
