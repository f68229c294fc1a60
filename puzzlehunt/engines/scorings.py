"""Ways to answer a guess, and what the signs of an answer may mean under each of them.

Shapes of arrays: S secrets, F feedbacks, J signs, K kinds of marks.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from typing import NamedTuple, TypeAlias, cast

import numpy as np

from puzzlehunt.channel.likelihood import Counts, Logs
from puzzlehunt.channel.model import LEARNED, LOG_ZERO, Rate
from puzzlehunt.codes.alphabet import FOREIGN, MOST_SYMBOLS, Code
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.rules.base import Options, Rule
from puzzlehunt.rules.by_score import ScoreRule, UnknownClue, UnknownRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue_values import CountClue
from puzzlehunt.rules.rule_registry import BUILT_IN, find_rule, rules_by_name

Row: TypeAlias = tuple[Code, UnknownClue]

WHOLE, ALIKE, APART = "whole", "alike", "apart"
"""Every mark is read; marks of all kinds are read equally often; each kind has a rate."""
_ODD, _REVERSED, _SWAPPED = 0.05, 0.1, 0.1
"""Prior factors: for each sign that is no kind of mark, if guess and secret change places, and if a
sign that looks better than another means less."""
_LOOKS = ("❌✗✘🟥", "○◯⚪□⬜◻🤍☆", "●⚫⬤■⬛◼🖤★", "🟨🟡🟧🟠💛", "🟩🟢💚✅✔✓")
"""Signs in groups, those that look worst first: crossed out, hollow, filled, yellow, green."""
_LOOK = {sign: rank for rank, signs in enumerate(_LOOKS) for sign in signs}
_WORTH = dict.fromkeys(("miss", "absent", "far"), 0)
_WORTH |= dict.fromkeys(("black", "match", "common", "right", "equal"), 2)
"""What the kinds are worth, from a miss to the right place; others, in between, are worth 1."""


class Tried(NamedTuple):
    """How a rule is tried: what its answers may look like, how likely it is, and its options.

    Answers are `tiles`, a sign at each position of the guess; `tally`, a sign for each mark, in any
    order; `numbers`, counts of marks; or `answer`, one word. The frequency is the number of games
    of the catalogue with the rule, and one. `reversed` is whether guess and secret may change
    places: then scores change, not only the names of kinds.
    """

    shown: tuple[str, ...]
    frequency: int = 1
    variants: tuple[Options, ...] = ({},)
    reversed: bool = False


_COUNTS, _TILES = ("tally", "numbers"), ("tiles", "tally", "numbers")
TRIED = {
    "pegs": Tried(_COUNTS, 15),
    "marks": Tried(("tiles",), 12, reversed=True),  # without their order, those of pegs
    "matches": Tried(_COUNTS, 2),
    "letters": Tried(_COUNTS, 2),
    "order": Tried(("tiles",), 5),  # without their order, those of directions
    "near": Tried(_TILES, 2, tuple({"within": number} for number in "31245")),
    "directions": Tried(_COUNTS, 2),
    "pairs": Tried(_COUNTS, 2),
}
_OF_FAMILY = ((ScoreRule, ("answer",)), (CountRule, _COUNTS), (TileRule, _TILES))
"""What answers may look like under any other rule; nobody shows the columns of a table by signs."""


@dataclass(frozen=True, slots=True, eq=False)
class Answering:
    """A way to answer, with the log of its prior probability."""

    rule: Rule
    options: tuple[tuple[str, str], ...]
    shown: str
    reversed: bool
    log_prior: float
    rates: tuple[Rate, ...] | None
    """How often marks of each kind are read, if the game says so."""
    kinds: tuple[str, ...]

    @property
    def has_parts(self) -> bool:
        """Whether some marks of an answer may be read, and others not."""
        return self.shown in ("tiles", "tally")

    def rates_of(self, reading: str) -> tuple[Rate, ...]:
        """Return how often marks of each kind are read."""
        unknown = self.rates or (LEARNED,) * len(self.kinds)
        return (Rate(1.0),) * len(self.kinds) if reading is WHOLE else unknown

    @property
    def by_place(self) -> bool:
        """Whether what is shown is a kind at each place, instead of a count of each kind."""
        return self.shown in ("tiles", "answer")

    @property
    def readings(self) -> tuple[tuple[str, float], ...]:
        """Pairs: which marks are read (`WHOLE`, `ALIKE` or `APART`), and how likely that is."""
        if not self.has_parts:
            return ((WHOLE, 1.0),)
        return ((APART, 1.0),) if self.rates else ((WHOLE, 0.5), (ALIKE, 0.25), (APART, 0.25))

    def shown_feedbacks(self, indices: Counts, guess: Code) -> Counts:
        """Return what feedbacks show: (F, K) counts, or (F, positions) the kind of each tile."""
        if self.shown == "answer":
            return indices[:, None]
        feedbacks = self.rule.feedback_array(indices)
        if self.shown == "tiles":
            return feedbacks
        if self.rule.positional:
            return np.stack([(feedbacks == kind).sum(axis=1) for kind in range(3)], axis=1)
        clue = cast(CountClue, self.rule.notation.full_clue(self.rule.feedbacks[0], guess))
        # A win that marks do not tell has one more than all.
        return clue.of_kinds(np.minimum(feedbacks, clue.marks))

    def numbers(self, shown: Counts) -> Counts:
        """Return (K, F): how many marks of each kind feedbacks have, given what they show."""
        kinds = range(len(self.kinds))
        if self.by_place:
            return np.stack([(shown == kind).sum(axis=1) for kind in kinds])
        return shown.T[: len(kinds)]

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        """Return (guesses, S): the index of each feedback; both are rows of this rule."""
        if self.reversed:
            return self.rule.table(secrets, guesses).T
        return self.rule.table(guesses, secrets)

    def odd_meanings(self, reading: str, rows: Sequence[Row]) -> list[int]:
        """Return what signs may mean that are no kinds: -1 for not read, -2 for nothing.

        Whoever writes `_` for unread marks has no other sign for them.
        """
        has_blanks = any(None in clue.signs and not clue.nothing_read for _, clue in rows)
        may_be_unread = self.has_parts and reading is not WHOLE and not has_blanks
        return [-1] * may_be_unread + [-2] * (self.shown in _COUNTS)

    def meanings(
        self, signs: Sequence[str], odd: Sequence[int]
    ) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield each meaning of the signs, as numbers of kinds, with its log prior.

        `odd` are the numbers of what signs may mean besides, as `odd_meanings` returns them.
        """
        kinds, is_answer = len(self.kinds), self.shown == "answer"
        if is_answer:
            number_of = {kind.casefold(): number for number, kind in enumerate(self.kinds)}
            by_name = tuple(number_of.get(sign.casefold(), -1) for sign in signs)
            if -1 not in by_name:
                yield by_name, 0.0
            if kinds > 4:  # too many for their texts to be replaced by other signs
                return
        for meaning in permutations([*range(kinds), *odd], len(signs)):
            explained = sum(kind >= 0 for kind in meaning)
            if self.shown == "numbers" and explained < max(1, kinds - 1):
                continue
            oddities = len(signs) - explained + is_answer
            log_prior = oddities * math.log(_ODD)
            if self._is_swapped(signs, meaning):
                log_prior += math.log(_SWAPPED)
            yield meaning, log_prior - math.log(math.perm(kinds, explained))

    def _is_swapped(self, signs: Sequence[str], meaning: Sequence[int]) -> bool:
        """Return whether a sign that looks better than another means less: hollow for in place."""
        names = [name for name, _ in self.rule.kinds]
        ranks = [
            (_LOOK[sign[:1]], _WORTH.get(names[kind], 1))
            for sign, kind in zip(signs, meaning, strict=True)
            if sign[:1] in _LOOK and 0 <= kind < len(names)
        ]
        pairs = product(ranks, ranks)
        return any(look > other and worth < least for (look, worth), (other, least) in pairs)

    def silences(self, kind_of: Sequence[int]) -> Iterator[tuple[bool, float]]:
        """Yield whether the last kind, the miss, has no sign, and the log prior of that.

        Only in a tally both are possible. `kind_of` has the kind of each sign.
        """
        if self.shown != "tally":
            yield self.shown == "numbers", 0.0
            return
        yield False, math.log(0.5)
        if len(self.kinds) - 1 not in kind_of:
            yield True, math.log(0.5)

    def can_show(self, guess: Code, clue: UnknownClue, game: Game) -> bool:
        """Return whether a scoring can show an answer of this form to a guess of this length."""
        rule = self.rule
        if len(guess) != game.length and (self.reversed or not rule.short_guesses):
            return False
        if FOREIGN in guess and rule.compares_symbols:
            return False
        if rule.only_listed and guess not in game.guesses:
            return False
        shows = {
            "tiles": len(clue.signs) == len(guess),
            "tally": not clue.numbers,
            "numbers": bool(clue.numbers),
            "answer": bool(word(clue)),
        }
        return shows[self.shown]

    def log_ways(self, clue: UnknownClue, sign: str, kind: int, shown: Counts) -> Logs:
        """Return (F,): the log number of ways to read marks of a kind as a sign, in one row."""
        match self.shown:
            case "tiles":
                places = [place for place, each in enumerate(clue.signs) if each == sign]
                return np.where((shown[:, places] == kind).all(axis=1), 0.0, LOG_ZERO)
            case "tally":
                return _log_choices(clue.signs.count(sign))[shown[:, kind]]
            case "numbers":
                place = int(sign[:-1]) - 1  # signs are `1.`, `2.`, ...
                number = clue.numbers[place] if place < len(clue.numbers) else -1
                return np.where(shown[:, kind] == number, 0.0, LOG_ZERO)
            case _:
                return np.where((shown[:, 0] == kind) | (word(clue) != sign), 0.0, LOG_ZERO)


def scorings_of(game: Game, own_rule: bool) -> Iterator[Answering]:
    """Yield every way to answer that some rule declares, with its prior."""
    assert isinstance(game.rule, UnknownRule)
    own = game.rule.meant
    rules: dict[str, type[Rule] | Rule] = {}
    for name in rules_by_name() if own is None or not own_rule else ():
        with suppress(PuzzlehuntError):
            rules[name] = find_rule(name)
    if own is not None:
        rules[own.name] = own
    for kind in rules.values():
        tried = _tried(kind)
        variants = list(tried.variants)
        if own is kind:
            given = own.options or variants[0]
            variants = [given, *(one for one in variants if one != given and not own_rule)]
        roles = [(False, 1.0), (True, _REVERSED)][: 1 + tried.reversed]
        ways = [(shown, *role) for shown in tried.shown for role in roles]
        total = sum(share for *_, share in ways) * len(variants)
        for options, rule in _rules(kind, game, variants):
            for shown, is_reversed, share in ways:
                kinds = [label for _, label in rule.kinds] or rule.kind_names
                yield Answering(
                    rule,
                    tuple((key, str(value)) for key, value in options.items()),
                    shown,
                    is_reversed,
                    math.log(tried.frequency * share / total),
                    game.rule.reads if own is kind else None,
                    tuple(map(str, rule.feedbacks)) if shown == "answer" else tuple(kinds),
                )


def _tried(rule: type[Rule] | Rule) -> Tried:
    kind = rule if isinstance(rule, type) else type(rule)
    if kind is BUILT_IN.get(rule.name) and rule.name in TRIED:
        return TRIED[rule.name]
    return Tried(next((shown for family, shown in _OF_FAMILY if issubclass(kind, family)), ()))


def _rules(
    kind: type[Rule] | Rule, game: Game, variants: Iterable[Options]
) -> Iterator[tuple[Options, Rule]]:
    """Yield options with the rule that they make for a game's codes, if they make one."""
    symbols = game.alphabet.symbols
    for options in variants:
        with suppress(PuzzlehuntError, ValueError):
            rule = kind
            if not isinstance(rule, ScoreRule):
                cls, names = (kind, {}) if isinstance(kind, type) else (type(kind), kind.names)
                rule = cls(
                    game.length, len(symbols), names=names, options=options, alphabet=symbols
                )
            if isinstance(rule, ScoreRule):
                rule = rule.for_codes(game.secrets, game.guesses)
            yield options, rule


def word(clue: UnknownClue) -> str:
    """Return an answer as one word."""
    return "".join(sign or "_" for sign in clue.signs) or " ".join(map(str, clue.numbers))


@cache
def _log_choices(read: int) -> Logs:
    """Return (MOST_SYMBOLS,): the log number of ways to choose `read` of 0, 1, ... marks."""
    ways = [math.comb(marks, read) for marks in range(MOST_SYMBOLS + 1)]
    return np.array([math.log(number) if number else LOG_ZERO for number in ways])
