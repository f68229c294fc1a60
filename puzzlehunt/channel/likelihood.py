"""A channel applied to the answers of one rule: which rows a true answer may become, how likely.

`true_clues` is all that logic needs: which clues the truth may lie behind. `chance` and its kin are
all that weighing needs: how likely a clue is for each answer. Everything here is plain Python about
one clue and one feedback; arrays are for others.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from puzzlehunt.channel.model import NEVER, Channel, Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import CountRule, Rule, TileRule
from puzzlehunt.rules.notation.clue import Cell, Clue, Feedback

_ONE_MARK = 0.5
"""The share of misread rows in which one mark is wrong and all others are right."""
_EQUAL = 1e-9
"""Logarithms that differ by less differ by rounding."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a clue says of marks whose rates are learned, for one feedback.

    `chance` is the logarithm of all that does not depend on those rates; `read` and `marks` are
    how many marks of each learned kind were read, and how many there were.
    """

    chance: float
    read: tuple[int, ...]
    marks: tuple[int, ...]


Luck: TypeAlias = Callable[[int, int], float]


class Likelihood(ABC):
    """A channel applied to the answers of one rule."""

    def __init__(self, rule: Rule, channel: Channel) -> None:
        self.rule = rule
        self.channel = channel
        self.rates = channel.reads
        self._lying = channel.lies.exactly > 0 or channel.lies.chance > 0
        self._of_losing: dict[Clue, float] = {}
        self._corrected: dict[Clue, list[tuple[float, Clue]]] = {}
        self.learned = tuple(kind for kind, rate in enumerate(channel.reads or ()) if rate.learned)

    # Logic.

    def true_clues(self, clue: Clue) -> list[Clue]:
        """Return clues that together admit every answer that may be true where a row says `clue`.

        What chance may have falsified admits everything, and a budget of lies is not a row's: both
        are for whoever weighs whole histories. Here only `exactly` so many false marks count.
        """
        lied = self.channel.lies.exactly
        if not lied or self.rule.wins(clue):
            return [clue]
        return self._falsified(clue, lied) or [clue]

    def admits(self, clue: Clue, feedback: Feedback) -> bool:
        """Return whether a feedback that does not win may be the truth behind a clue."""
        return any(feedback in true for true in self.true_clues(clue))

    def never(self, clue: Clue) -> str:
        """Return why nobody can read such a clue here, in a few words; mostly nothing."""
        if self.rates is None:
            return ""
        names = [label for _, label in kinds_of(self.rule)]
        cells = self.cells(clue)
        for cell in cells:
            if len(cell) == 1 and self.rates[cell[0]].mean == 0:
                return f"a {names[cell[0]]} mark is never read; /rates says how often marks are"
        hidden = any(self._is_unread(cell) for cell in cells)
        if hidden and all(rate.mean == 1 for rate in self.rates):
            return "every mark is read, so none is unread; /rates says how often marks are"
        return ""

    @abstractmethod
    def cells(self, clue: Clue) -> Sequence[Cell]:
        """Return the marks of a clue, each the kinds it may be; none where counts were told."""

    @staticmethod
    @abstractmethod
    def _is_unread(cell: Cell) -> bool: ...

    @abstractmethod
    def off(self, clue: Clue, feedback: Feedback) -> int:
        """Return how many marks of a clue would have to be others to admit a feedback."""

    # Chances.

    def chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance that a row shows and reads a clue, if nothing is misread.

        Rates that are learned are taken at their mean. Lies within a budget are not counted.
        """
        if not self._lying and feedback not in clue:
            return NEVER
        if self._wins_either(clue, feedback):
            return self._won(clue, feedback)
        lies = self.channel.lies
        if lies.exactly:
            answers = self.lied_about(feedback, self.marks_in(clue))
            return log_mean([(share, self.read(clue, other)) for other, share in answers.items()])
        if lies.chance:
            return either(lies.chance, self.read(clue, feedback), self.lie(clue, feedback))
        return self.read(clue, feedback)

    def wrong(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance that a misread row says a clue; in half, one mark is wrong."""
        if self._wins_either(clue, feedback):
            return NEVER
        corrected = [(share, self.chance(c, feedback)) for share, c in self.corrections(clue)]
        if not corrected:
            return self.chance(clue, feedback)
        return either(_ONE_MARK, self.anything(clue), log_mean(corrected))

    def lie(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue where the row shows any answer but the true one."""
        others = log_without(self._losing(clue), self.read(clue, feedback))
        return others - math.log(max(1, self._losing_answers(clue) - 1))

    def anything(self, clue: Clue) -> float:
        """Return the log chance of a clue if all answers of the rule were equally likely."""
        chance = 0.0 if self.rule.wins(clue) else self._losing(clue)
        return chance - math.log(self._losing_answers(clue) + self._may_win(clue))

    def _losing(self, clue: Clue) -> float:
        """Return the logarithm of how likely all answers that do not win make a clue, added up."""
        if clue not in self._of_losing:
            self._of_losing[clue] = self._sum_of_losing(clue)
        return self._of_losing[clue]

    def _wins_either(self, clue: Clue, feedback: Feedback) -> bool:
        return tuple(feedback) == tuple(self.rule.winning) or self.rule.wins(clue)

    def _won(self, clue: Clue, feedback: Feedback) -> float:
        """Return the chance where guess or clue won: that is always told, and never falsely."""
        both = self.rule.wins(clue) and tuple(feedback) == tuple(self.rule.winning)
        return 0.0 if both else NEVER

    # Chance itself.

    def falsified(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        """Return a false answer instead of a true one that does not win, drawn as the game lies."""
        if self.channel.lies.exactly:
            answers = self.lied_about(feedback, self.marks_in(self.rule.exactly(feedback, guess)))
            return rng.choices(list(answers), list(answers.values()))[0]
        others = [
            other
            for other in self.rule.feedbacks
            if tuple(other) not in (tuple(feedback), tuple(self.rule.winning))
            and self.rule.possible(guess, self.rule.exactly(other, guess))
        ]
        return rng.choice(others) if others else feedback

    @abstractmethod
    def thinned(self, feedback: Feedback, guess: Code, rates: Sequence[float], luck: Luck) -> Clue:
        """Return the clue of an answer of which each mark is read or not, by its kind's rate.

        A mark is read where its luck, a number from 0 to 1 for its kind and place, is below.
        """

    # What depends on the family of the rule.

    @abstractmethod
    def read(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance that an answer, shown as it is, is read as a clue."""

    @abstractmethod
    def tally(self, clue: Clue, feedback: Feedback) -> Tally | None:
        """Return what a clue says of rates that are learned, None if the answer cannot be so."""

    def corrections(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues that differ from one in one mark, with the chance to be misread so."""
        if clue not in self._corrected:
            self._corrected[clue] = self._corrections(clue)
        return self._corrected[clue]

    @abstractmethod
    def _corrections(self, clue: Clue) -> list[tuple[float, Clue]]: ...

    @abstractmethod
    def blurred(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues in which one mark that was told is unread, with the share of each."""

    @abstractmethod
    def swapped(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues in which two tiles, or the counts of two kinds, are exchanged."""

    @abstractmethod
    def marks_in(self, clue: Clue) -> int:
        """Return how many marks the answer has that a clue is about."""

    @abstractmethod
    def lied_about(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return what a row of so many marks, `exactly` some of them false, shows, with its chance.

        Where there is nothing to lie with it is the truth.
        """

    @abstractmethod
    def _falsified(self, clue: Clue, marks: int) -> list[Clue]:
        """Return the clues of the truth behind a row with so many false marks."""

    @abstractmethod
    def _sum_of_losing(self, clue: Clue) -> float: ...

    @abstractmethod
    def _losing_answers(self, clue: Clue) -> int:
        """Return how many answers do not win, to a guess of the length that a clue is about."""

    @abstractmethod
    def _may_win(self, clue: Clue) -> bool:
        """Return whether the guess that a clue is about is as long as a secret."""


def kinds_of(rule: Rule) -> list[tuple[str, str]]:
    """Return the kinds of marks of a rule in order, each its name and what a game calls it.

    Only those that a player may read or not: not a miss that has no mark.
    """
    if isinstance(rule, TileRule):
        return list(zip(type(rule).digits, rule.notation.labels, strict=True))
    if not isinstance(rule, CountRule):
        return []
    kinds = rule.notation.kinds if rule.notation.miss_has_mark else rule.notation.kinds[:-1]
    return [(kind.name, kind.label) for kind in kinds]


def in_doubt(rates: Sequence[Rate]) -> bool:
    """Return whether some kind of mark is always read, or never."""
    return any(not rate.learned and rate.mean in (0, 1) for rate in rates)


def shares(answers: dict[Feedback, float]) -> dict[Feedback, float]:
    """Return numbers that sum to 1, in the same proportions."""
    total = sum(answers.values())
    return {feedback: share / total for feedback, share in answers.items()}


def log_of(chance: float) -> float:
    """Return the logarithm of a chance, NEVER for none."""
    return math.log(chance) if chance > 0 else NEVER


def log_sum(chances: Iterable[float]) -> float:
    """Return the logarithm of a sum, given logarithms."""
    some = [chance for chance in chances if chance > NEVER]
    if not some:
        return NEVER
    most = max(some)
    return most + math.log(sum([math.exp(chance - most) for chance in some]))


def log_mean(parts: Sequence[tuple[float, float]]) -> float:
    """Return the logarithm of a weighted sum, given weights and logarithms."""
    return log_sum([log_of(share) + chance for share, chance in parts])


def log_without(whole: float, part: float) -> float:
    """Return the logarithm of a difference, given logarithms; of two that are equal: none."""
    if part == NEVER:
        return whole
    return whole + math.log1p(-math.exp(part - whole)) if whole - part > _EQUAL else NEVER


def either(first: float, otherwise: float, then: float) -> float:
    """Return the log chance of what happens by `then` with the first chance, else `otherwise`."""
    return log_mean([(first, then), (1 - first, otherwise)])
