"""The likelihood of a clue: how probable it is that a true feedback is shown and read so.

Logic needs `true_clues` alone: the feedbacks that may be the truth behind a clue. Weighing needs
`chance` and the methods beside it: the log probability of a clue, given one feedback. Everything
here is plain Python about one clue and one feedback; the engines make arrays of it.
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
"""Share of misread turns in which one mark is wrong and all others are right."""
_EQUAL = 1e-9
"""Difference of two logarithms up to which they count as equal: it comes from rounding."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many marks of each kind were read, where the rates of some kinds are learned.

    It holds for one clue and one feedback. `read` and `marks` are, for each learned kind, how many
    marks were read and how many the feedback has; `chance` is the log probability of everything
    else that the clue says.
    """

    chance: float
    read: tuple[int, ...]
    marks: tuple[int, ...]


MarkDraw: TypeAlias = Callable[[int, int], float]


class Likelihood(ABC):
    """How likely each clue is, given the true feedback, for one rule and one channel.

    All chances are natural logarithms, `NEVER` for the impossible.
    """

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
        """Return clues that together admit every feedback that may be the truth behind a clue.

        Of lies, only a fixed number of false marks in each turn (`exactly`) counts here: a turn
        that lies by chance admits every feedback, and a budget of lying turns is a matter of the
        whole history.
        """
        lied = self.channel.lies.exactly
        if not lied or self.rule.wins(clue):
            return [clue]
        return self._truths(clue, lied) or [clue]

    def admits(self, clue: Clue, feedback: Feedback) -> bool:
        """Return whether a feedback that does not win may be the truth behind a clue."""
        return any(feedback in true for true in self.true_clues(clue))

    def trouble(self, clue: Clue) -> str:
        """Return in a few words why no player can read such a clue, empty where one can."""
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
        """Return the kinds that each mark of a clue may be; empty where counts were written."""

    @staticmethod
    @abstractmethod
    def _is_unread(cell: Cell) -> bool: ...

    @abstractmethod
    def distance(self, clue: Clue, feedback: Feedback) -> int:
        """Return how many marks of a clue would have to change for it to admit a feedback."""

    # Chances.

    def chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance that a feedback is shown and read as a clue, nothing misread.

        Learned rates are taken at their mean. A budget of lying turns (`at_most`) is not counted.
        """
        if not self._lying and feedback not in clue:
            return NEVER
        if self._wins_either(clue, feedback):
            return self._won(clue, feedback)
        lies = self.channel.lies
        if lies.exactly:
            answers = self.false_feedbacks(feedback, self.mark_count(clue))
            return log_weighted_sum(
                [(share, self.read_chance(clue, other)) for other, share in answers.items()]
            )
        if lies.chance:
            return log_mix(
                lies.chance, self.read_chance(clue, feedback), self.lie_chance(clue, feedback)
            )
        return self.read_chance(clue, feedback)

    def misread_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue that was misread.

        In a half of misread turns (`_ONE_MARK`) one mark is wrong, in the others anything.
        """
        if self._wins_either(clue, feedback):
            return NEVER
        corrected = [(share, self.chance(c, feedback)) for share, c in self.corrections(clue)]
        if not corrected:
            return self.chance(clue, feedback)
        return log_mix(_ONE_MARK, self.uniform_chance(clue), log_weighted_sum(corrected))

    def lie_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue where any feedback but the true one is shown."""
        others = log_difference(self._losing(clue), self.read_chance(clue, feedback))
        return others - math.log(max(1, self._losing_answers(clue) - 1))

    def uniform_chance(self, clue: Clue) -> float:
        """Return the log chance of a clue if all feedbacks of the rule were equally likely."""
        chance = 0.0 if self.rule.wins(clue) else self._losing(clue)
        return chance - math.log(self._losing_answers(clue) + self._may_win(clue))

    def _losing(self, clue: Clue) -> float:
        """Return the log of the chances of a clue added up over all feedbacks that do not win."""
        if clue not in self._of_losing:
            self._of_losing[clue] = self._sum_of_losing(clue)
        return self._of_losing[clue]

    def _wins_either(self, clue: Clue, feedback: Feedback) -> bool:
        return tuple(feedback) == tuple(self.rule.winning) or self.rule.wins(clue)

    def _won(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance where feedback or clue wins: winning is always seen, and true."""
        both = self.rule.wins(clue) and tuple(feedback) == tuple(self.rule.winning)
        return 0.0 if both else NEVER

    # Chance itself.

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        """Return a false feedback, drawn as the game lies, for a true one that does not win."""
        if self.channel.lies.exactly:
            answers = self.false_feedbacks(
                feedback, self.mark_count(self.rule.exactly(feedback, guess))
            )
            return rng.choices(list(answers), list(answers.values()))[0]
        others = [
            other
            for other in self.rule.feedbacks
            if tuple(other) not in (tuple(feedback), tuple(self.rule.winning))
            and self.rule.possible(guess, self.rule.exactly(other, guess))
        ]
        return rng.choice(others) if others else feedback

    @abstractmethod
    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        """Return the clue of a feedback of which some marks stay unread.

        A mark is read where `draw(kind, place)`, from 0 to 1, is below the rate of its kind.
        """

    # What depends on the family of the rule.

    @abstractmethod
    def read_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance that a feedback, shown without a lie, is read as a clue."""

    @abstractmethod
    def tally(self, clue: Clue, feedback: Feedback) -> Tally | None:
        """Return how many marks of learned kinds a clue reads; None if it excludes the feedback."""

    def corrections(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues that differ in one mark, each with its chance to be misread as this."""
        if clue not in self._corrected:
            self._corrected[clue] = self._corrections(clue)
        return self._corrected[clue]

    @abstractmethod
    def _corrections(self, clue: Clue) -> list[tuple[float, Clue]]: ...

    @abstractmethod
    def blurred(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues in which one mark that was read is unread, each with its share."""

    @abstractmethod
    def swapped(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues with two tiles, or the counts of two kinds, exchanged; with shares."""

    @abstractmethod
    def mark_count(self, clue: Clue) -> int:
        """Return how many marks the feedback behind a clue has."""

    @abstractmethod
    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return the feedbacks shown instead of a true one where some marks are false, by chance.

        As many of the `marks` marks are false as the game's `lies: {exactly: n}` says; where none
        can be, the truth is shown.
        """

    @abstractmethod
    def _truths(self, clue: Clue, marks: int) -> list[Clue]:
        """Return the clues that the truth may lie in, behind a clue with so many false marks."""

    @abstractmethod
    def _sum_of_losing(self, clue: Clue) -> float: ...

    @abstractmethod
    def _losing_answers(self, clue: Clue) -> int:
        """Return how many feedbacks without winning a guess as long as the clue's can get."""

    @abstractmethod
    def _may_win(self, clue: Clue) -> bool:
        """Return whether the clue is about a guess as long as a secret."""


def kinds_of(rule: Rule) -> list[tuple[str, str]]:
    """Return the kinds of marks of a rule in order: the rule's name for it, and the game's.

    A miss without a mark of its own is left out, as nobody can read it or fail to.
    """
    if isinstance(rule, TileRule):
        return list(zip(type(rule).digit_names, rule.notation.labels, strict=True))
    if not isinstance(rule, CountRule):
        return []
    kinds = rule.notation.kinds if rule.notation.miss_has_mark else rule.notation.kinds[:-1]
    return [(kind.name, kind.label) for kind in kinds]


def has_certain_rate(rates: Sequence[Rate]) -> bool:
    """Return whether some rate is known to be 0 or 1: clues alone then rule feedbacks out."""
    return any(not rate.learned and rate.mean in (0, 1) for rate in rates)


def normalised(answers: dict[Feedback, float]) -> dict[Feedback, float]:
    """Return the weights of feedbacks scaled to sum to 1."""
    total = sum(answers.values())
    return {feedback: share / total for feedback, share in answers.items()}


def log_of(chance: float) -> float:
    """Return the logarithm of a probability, NEVER for 0."""
    return math.log(chance) if chance > 0 else NEVER


def log_sum(chances: Iterable[float]) -> float:
    """Return the logarithm of the sum of what has these logarithms."""
    some = [chance for chance in chances if chance > NEVER]
    if not some:
        return NEVER
    most = max(some)
    return most + math.log(sum([math.exp(chance - most) for chance in some]))


def log_weighted_sum(parts: Sequence[tuple[float, float]]) -> float:
    """Return the logarithm of a sum, given the weight and the logarithm of each part."""
    return log_sum([log_of(share) + chance for share, chance in parts])


def log_difference(whole: float, part: float) -> float:
    """Return the logarithm of a difference, given logarithms; NEVER where both are equal."""
    if part == NEVER:
        return whole
    return whole + math.log1p(-math.exp(part - whole)) if whole - part > _EQUAL else NEVER


def log_mix(first: float, otherwise: float, then: float) -> float:
    """Return log(first * exp(then) + (1 - first) * exp(otherwise))."""
    return log_weighted_sum([(first, then), (1 - first, otherwise)])
