"""The likelihood of a clue: the probability that a true feedback becomes this clue.

To find candidates, engines need `support` alone: the feedbacks that may be the truth behind a
clue. To weigh candidates they need `log_chance` and the methods after it. A *log chance* is the
natural logarithm of a probability. Each method is about one clue and one feedback; the engines make
arrays of what it returns.
"""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from puzzlehunt.channel.model import LOG_ZERO, Channel, Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import Cell, Clue, Feedback

_ONE_WRONG_MARK = 0.5
"""Share (0 to 1) of misread turns in which one mark is wrong; the others may say anything."""
_ROUNDING = 1e-9
"""Two logarithms that differ by no more than this count as equal: rounding may do that."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many marks a clue reads of one feedback, for kinds whose rates are learned.

    Of each of these kinds `marks` is how many marks the feedback has, `read` how many of them were
    read; `log_chance` is the log chance of all else that the clue says.
    """

    log_chance: float
    read: tuple[int, ...]
    marks: tuple[int, ...]


MarkDraw: TypeAlias = Callable[[int, int], float]
"""Draws a number from 0 to 1 for a mark, given its kind and its number among those of its kind.

For tiles: given its digit and its position.
"""


class Likelihood(ABC):
    """How likely each clue is, given the true feedback, for one rule and one channel.

    Methods whose name begins with `log` return a log chance, `LOG_ZERO` for probability 0.
    """

    def __init__(self, rule: Rule, channel: Channel) -> None:
        self.rule = rule
        self.channel = channel
        self.rates = channel.reads
        self._lying = channel.lies.exactly > 0 or channel.lies.chance > 0
        self._log_losing_chances: dict[Clue, float] = {}
        self._one_mark_edits_of: dict[Clue, list[tuple[float, Clue]]] = {}
        self._true_clues_of: dict[Clue, list[Clue]] = {}
        self._unanswered: dict[Clue, bool] = {}
        self._log_misread_chances: dict[tuple[Clue, Feedback], float] = {}
        self.learned = tuple(kind for kind, rate in enumerate(channel.reads or ()) if rate.learned)

    # Logic.

    def support(self, clue: Clue) -> list[Clue]:
        """Return clues that together admit just the feedbacks that may be the truth behind a clue.

        A losing feedback is among them if and only if its `log_chance` is above `LOG_ZERO`; none is
        where the clue can only be of a guess that won. Of lies, only a fixed number of false marks
        in each turn (`exactly`) is used here. Engines see to the others: turns that lie by chance
        rule out nothing, and a budget of lying turns (`at_most`) concerns the whole history.
        """
        if clue not in self._true_clues_of:
            as_it_is = self.rule.wins(clue) or self.is_unanswered(clue)
            shown = clue if as_it_is else self._narrowed(clue)
            lies = self.channel.lies.exactly and not as_it_is
            truths = [] if shown is None else self._truths(shown) if lies else [shown]
            self._true_clues_of[clue] = truths
        return self._true_clues_of[clue]

    def may_be_shown(self, guess: Code, clue: Clue) -> bool:
        """Return whether a guess that did not win can have a clue, lies included.

        A lie may show any of `losing_feedbacks`; but one with false marks (`exactly`) is of a truth
        that some secret could cause.
        """
        lies = self.channel.lies
        if lies.at_most or lies.chance:
            shown = self._narrowed(clue)
            return shown is not None and self._may_lose(shown)
        return any(self.rule.may_lose(guess, true) for true in self.support(clue))

    def is_unanswered(self, clue: Clue) -> bool:
        """Return whether nothing was read, though by the rates something would have been.

        The answer is then not known yet: the clue says nothing, and is no sign of anything.
        """
        if self.rates is None or not has_certain_rate(self.rates):
            return False
        if clue not in self._unanswered:
            cells, shown = self.cells(clue), self._narrowed(clue)
            nothing_read = bool(cells) and all(map(self._is_unread, cells))
            possible = shown is not None and self._may_lose(shown)
            self._unanswered[clue] = nothing_read and not possible
        return self._unanswered[clue]

    def may_be_win(self, clue: Clue) -> bool:
        """Return whether the marks of a clue can be those of the winning feedback."""
        shown = self._narrowed(clue)
        return shown is not None and tuple(self.rule.winning) in shown

    def admits(self, clue: Clue, feedback: Feedback) -> bool:
        """Return whether a losing feedback may be the truth behind a clue."""
        return any(feedback in true for true in self.support(clue))

    def trouble(self, clue: Clue) -> str:
        """Return why the known rates make a clue impossible, an empty text if they do not."""
        if self.rates is None:
            return ""
        cells = self.cells(clue)
        for cell in cells:
            if len(cell) == 1 and (trouble := self._never_read(cell[0])):
                return trouble
        any_unread = any(self._is_unread(cell) for cell in cells)
        if any_unread and all(rate.mean == 1 for rate in self.rates):
            return "every mark is read, so none is unread; /rates says how often marks are"
        return ""

    def _never_read(self, kind: int) -> str:
        """Return that a kind of mark is never read, an empty text if it may be."""
        if self.rates is None or self.rates[kind].mean > 0:
            return ""
        _, label = kinds_of(self.rule)[kind]
        has_mark = not isinstance(self.rule, CountRule) or self.rule.notation.miss_has_mark
        if label == "miss" and not has_mark:
            return "what is left out is a miss, and misses are never read; write _ for each"
        return f"a {label} mark is never read; /rates says how often marks are"

    @abstractmethod
    def _narrowed(self, clue: Clue) -> Clue | None:
        """Return a clue without the kinds of marks that rates of 0 and 1 rule out.

        A kind that is always read cannot be unread, one that is never read cannot be read. None if
        no kind is left for some mark.
        """

    @abstractmethod
    def cells(self, clue: Clue) -> Sequence[Cell]:
        """Return the cells of a clue, none if the player wrote counts instead of marks."""

    @staticmethod
    @abstractmethod
    def _is_unread(cell: Cell) -> bool:
        """Return whether a cell stands for an unread mark."""

    @abstractmethod
    def distance(self, clue: Clue, feedback: Feedback) -> int:
        """Return how many marks of a clue would have to change for it to admit a feedback."""

    # Chances.

    def log_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue, given the true feedback, if the turn is not misread.

        Learned rates count as known ones of the same mean. A budget of lying turns (`at_most`) is
        left out.
        """
        if not self._lying and feedback not in clue:
            return LOG_ZERO
        if self._either_wins(clue, feedback):
            return self._log_winning_chance(clue, feedback)
        if self.is_unanswered(clue):
            return 0.0
        lies = self.channel.lies
        if lies.exactly:
            shown_instead = self.false_feedbacks(feedback, self.mark_count(clue))
            return log_weighted_sum(
                [
                    (share, self.log_read_chance(clue, other))
                    for other, share in shown_instead.items()
                ]
            )
        if lies.chance:
            return log_mix(
                lies.chance,
                self.log_read_chance(clue, feedback),
                self.log_lie_chance(clue, feedback),
            )
        return self.log_read_chance(clue, feedback)

    def log_misread_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue, given the true feedback, if the turn is misread.

        Either one mark is wrong (`one_mark_edits`), with the probability `_ONE_WRONG_MARK`, or the
        clue has nothing to do with the feedback (`log_uniform_chance`).
        """
        found = self._log_misread_chances.get((clue, feedback))
        if found is None:
            found = self._log_misread_chances[clue, feedback] = self._log_misread(clue, feedback)
        return found

    def _log_misread(self, clue: Clue, feedback: Feedback) -> float:
        if self._either_wins(clue, feedback):
            return LOG_ZERO
        corrected = [
            (share, self.log_chance(c, feedback)) for share, c in self.one_mark_edits(clue)
        ]
        if not corrected:
            return self.log_chance(clue, feedback)
        return log_mix(_ONE_WRONG_MARK, self.log_uniform_chance(clue), log_weighted_sum(corrected))

    def log_lie_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue if any losing feedback but the true one may be shown."""
        others = log_difference(self._log_losing_chance(clue), self.log_read_chance(clue, feedback))
        return others - math.log(max(1, self._losing_count(clue) - 1))

    def shown_feedbacks(self, clue: Clue, feedback: Feedback) -> Mapping[Feedback, float]:
        """Return the feedbacks that a clue that is right may have been read of, given the true one.

        Each has its probability. Only the true one, unless each turn has false marks (`exactly`);
        none if the clue cannot be right.
        """
        shown: Mapping[Feedback, float] = {tuple(feedback): 1.0}
        if self.channel.lies.exactly and not self._either_wins(clue, feedback):
            shown = self.false_feedbacks(feedback, self.mark_count(clue))
        read = {f: share * math.exp(self.log_read_chance(clue, f)) for f, share in shown.items()}
        possible = {f: chance for f, chance in read.items() if chance}
        return normalised(possible) if possible else {}

    def log_uniform_chance(self, clue: Clue) -> float:
        """Return the log chance of a clue if all feedbacks of the rule are equally likely."""
        chance = 0.0 if self.rule.wins(clue) else self._log_losing_chance(clue)
        return chance - math.log(self._losing_count(clue) + self._may_win(clue))

    def _log_losing_chance(self, clue: Clue) -> float:
        """Return the log of the chance of a clue, summed over all losing feedbacks."""
        if clue not in self._log_losing_chances:
            self._log_losing_chances[clue] = self._sum_losing_chances(clue)
        return self._log_losing_chances[clue]

    def _either_wins(self, clue: Clue, feedback: Feedback) -> bool:
        """Return whether the clue or the feedback says that the game was over with the guess."""
        ends = self.rule.win_ends and tuple(feedback) == tuple(self.rule.winning)
        return ends or self.rule.wins(clue)

    def _log_winning_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue, given the feedback, if at least one of them wins.

        That a guess won is always read and never false.
        """
        both = self.rule.wins(clue) and tuple(feedback) == tuple(self.rule.winning)
        return 0.0 if both else LOG_ZERO

    # Random draws, for codemakers.

    def draw_lie(self, feedback: Feedback, guess: Code, rng: random.Random) -> Feedback:
        """Return a false feedback to show instead of a losing one, drawn as the channel lies.

        The losing one itself comes back if no other is possible.
        """
        marks = self.mark_count(self.rule.full_clue(feedback, guess))
        if self.channel.lies.exactly:
            shown_instead = self.false_feedbacks(feedback, marks)
            return rng.choices(list(shown_instead), list(shown_instead.values()))[0]
        others = [f for f in self.losing_feedbacks(marks) if tuple(f) != tuple(feedback)]
        return rng.choice(others) if others else feedback

    @abstractmethod
    def partly_read(
        self, feedback: Feedback, guess: Code, rates: Sequence[float], draw: MarkDraw
    ) -> Clue:
        """Return the clue of a feedback with some marks unread.

        A mark is read if `draw` is below the rate of its kind.
        """

    # What differs between the families of rules.

    @abstractmethod
    def log_read_chance(self, clue: Clue, feedback: Feedback) -> float:
        """Return the log chance of a clue, given the feedback that was shown."""

    @abstractmethod
    def tally(self, clue: Clue, feedback: Feedback) -> Tally | None:
        """Return how many marks a clue reads of a feedback; None if the clue excludes it."""

    def one_mark_edits(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues that differ from a given one in one mark, each with a probability.

        It is the probability to read the given clue if the other one was right, and one mark of it
        was misread.
        """
        if clue not in self._one_mark_edits_of:
            self._one_mark_edits_of[clue] = self._one_mark_edits(clue)
        return self._one_mark_edits_of[clue]

    @abstractmethod
    def _one_mark_edits(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Work out the result of `one_mark_edits`, which keeps it."""

    @abstractmethod
    def erasures(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues in which one of the read marks is unread, each with its probability.

        All read marks are equally likely.
        """

    @abstractmethod
    def transpositions(self, clue: Clue) -> list[tuple[float, Clue]]:
        """Return the clues with two tiles (or two kinds) exchanged, each with its probability.

        All pairs of tiles (or kinds) are equally likely to be exchanged.
        """

    @abstractmethod
    def open_marks(self, clue: Clue) -> Sequence[int | None]:
        """Return the marks whose kinds a clue leaves open: the positions (from 0) of their tiles.

        Of marks without order, a None for each.
        """

    @abstractmethod
    def open_kinds(self, clue: Clue, feedback: Feedback, position: int | None) -> Sequence[int]:
        """Return how many marks of each kind a feedback has among those that a clue leaves open.

        `position` is one of `open_marks`: only the mark of this tile is counted; with None all are.
        The clue must admit the feedback.
        """

    @abstractmethod
    def losing_feedbacks(self, marks: int) -> Sequence[Feedback]:
        """Return all that may stand in a false row of so many marks: every feedback but a win.

        No secret need be able to cause it.
        """

    @abstractmethod
    def mark_count(self, clue: Clue) -> int:
        """Return how many marks the feedback behind a clue has."""

    @abstractmethod
    def false_feedbacks(self, feedback: Feedback, marks: int) -> Mapping[Feedback, float]:
        """Return what a channel with `lies.exactly` shows for a losing feedback of `marks` marks.

        It is a mapping from feedbacks to their probabilities; where no mark can be false, the
        feedback itself is shown.
        """

    @abstractmethod
    def _truths(self, shown: Clue) -> list[Clue]:
        """Return clues that together admit what may be the truth behind a clue with false marks.

        `shown` admits what was shown; that is never the winning feedback, which is never false.
        """

    @abstractmethod
    def _sum_losing_chances(self, clue: Clue) -> float:
        """Work out the result of `_log_losing_chance`, which keeps it."""

    @abstractmethod
    def _losing_count(self, clue: Clue) -> int:
        """Return how many losing feedbacks a guess as long as the clue's can get."""

    @abstractmethod
    def _may_lose(self, clue: Clue) -> bool:
        """Return whether a clue admits a losing feedback."""

    @abstractmethod
    def _may_win(self, clue: Clue) -> bool:
        """Return whether a clue is about a guess as long as a secret, which can win."""


def kinds_of(rule: Rule) -> list[tuple[str, str]]:
    """Return the kinds of marks of a rule in its order, as (the rule's name, the game's name).

    The miss is one of them even if it has no mark: what was not read may be a miss.
    """
    if isinstance(rule, TileRule):
        return list(zip(type(rule).digit_names, rule.notation.labels, strict=True))
    if not isinstance(rule, CountRule):
        return []
    return [(kind.name, kind.label) for kind in rule.notation.kinds]


def has_certain_rate(rates: Sequence[Rate]) -> bool:
    """Return whether some rate is known to be 0 or 1, so that a mark read or unread says more."""
    return not {0, 1}.isdisjoint([rate.mean for rate in rates if not rate.learned])


def normalised(weights: dict[Feedback, float]) -> dict[Feedback, float]:
    """Return the weights of feedbacks, scaled so that their sum is 1."""
    total = sum(weights.values())
    return {feedback: weight / total for feedback, weight in weights.items()}


def log_of(chance: float) -> float:
    """Return the natural logarithm of a probability, `LOG_ZERO` for 0."""
    return math.log(chance) if chance > 0 else LOG_ZERO


def log_sum(chances: Iterable[float]) -> float:
    """Return the log of a sum, given the log of each summand."""
    possible = [chance for chance in chances if chance > LOG_ZERO]
    if not possible:
        return LOG_ZERO
    largest = max(possible)
    return largest + math.log(sum([math.exp(chance - largest) for chance in possible]))


def log_weighted_sum(parts: Sequence[tuple[float, float]]) -> float:
    """Return the log of a weighted sum, given the weight and the log of each summand."""
    return log_sum([log_of(share) + chance for share, chance in parts])


def log_difference(whole: float, part: float) -> float:
    """Return the log of a difference, given the logs of both; `LOG_ZERO` if they are equal."""
    if part == LOG_ZERO:
        return whole
    return whole + math.log1p(-math.exp(part - whole)) if whole - part > _ROUNDING else LOG_ZERO


def log_mix(condition: float, log_if_not: float, log_if_so: float) -> float:
    """Return the log chance of an event, given its log chance without and with a condition.

    `condition` is the probability that the condition holds.
    """
    return log_weighted_sum([(condition, log_if_so), (1 - condition, log_if_not)])
