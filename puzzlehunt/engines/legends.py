"""The joint posterior of a secret and of what the marks of its answers mean.

A *hypothesis* is an `Answering` (a rule with its options, how its marks are shown, and whether
guess and secret change places) and a *legend*, which maps each sign to a kind of mark, to "not
read" or to "nothing". The prior, stated in `docs/decisions/legends.md`, prefers simple ones.

Shapes of arrays: S secrets, F feedbacks, J signs, K kinds of marks.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, pairwise, permutations
from typing import cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.likelihood import Counts, Logs
from puzzlehunt.channel.model import LEARNED, LOG_ZERO, Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.engines.scorings import ALIKE, WHOLE, Answering, Row, scorings_of, word
from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item, Turn
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of, space_array, where_holds
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import UnknownClue

NOT_READ, NOTHING = "not read", "nothing"
"""What a sign may mean that is no kind of mark."""
MOST_SECRETS = 50_000
"""The most secrets for which rules are compared."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What the marks may mean: a rule, and the meaning of each sign seen so far.

    `shown` is how the answer is written: `tiles`, `tally`, `numbers` or `answer`. `reversed` says
    that the secret is scored as the guess. `legend` pairs each sign (a number by its place, from
    `1.`) with the name of a kind, `NOT_READ` or `NOTHING`.

    >>> Hypothesis("pegs", (), "tally", False, (("X", "black"), ("Y", "not read"))).rule
    'pegs'
    """

    rule: str
    options: tuple[tuple[str, str], ...]
    shown: str
    reversed: bool
    legend: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A hypothesis, and the secrets if it is true.

    `places` (N,) are the secrets that may be hidden then, `secrets` (N,) their probabilities, and
    `counts` (K, N) how many marks of each kind the rows then had.
    `log_evidence` is the log of the prior and of the chance of all rows. `reading` says which marks
    are read, `silent` that the last kind has no sign. `kind_of` has for each sign the number of its
    kind, -1 for `NOT_READ`, -2 for `NOTHING`.
    """

    scoring: Answering
    kind_of: tuple[int, ...]
    reading: str
    silent: bool
    places: npt.NDArray[np.intp]
    secrets: Logs
    counts: Counts
    log_evidence: float


class Legends:
    """The ways in which the answers of a game may be scored, and its secrets in arrays.

    With `own_rule` only the rule of the game is tried, otherwise every rule of `TRIED` and those
    of packages. Raises TooLargeError for more than `MOST_SECRETS` secrets.
    """

    def __init__(self, game: Game, own_rule: bool, secrets: CodeSpace | None = None) -> None:
        space = game.secrets if secrets is None else secrets
        if space.size > MOST_SECRETS:
            raise TooLargeError(
                f"{space.size:,} secrets are too many to find out what the marks mean (the limit "
                f"is {MOST_SECRETS:,}); take a shorter list, or name the secret"
            )
        self.game, self.own_rule = game, own_rule
        self.codes = space_array(space, game.length)
        weights = np.fromiter(map(space.weight, space), np.float64, space.size)
        self.prior: Logs = weights / weights.sum()
        self.scorings = list(scorings_of(game, own_rule))
        are_listed = game.guesses.size <= MOST_SECRETS
        self.guesses = space_array(game.guesses, game.length) if are_listed else self.codes
        self.rows: Callable[[Rule], PackedCodes] = cache(lambda rule: rule.rows(self.codes))
        """All secrets as a rule packs them."""
        self._answers: dict[tuple[Rule, bool, Code], tuple[Counts, npt.NDArray[np.intp]]] = {}

    def shown(self, scoring: Answering, guess: Code) -> tuple[Counts, npt.NDArray[np.intp]]:
        """Return (F, parts) what is shown for a guess, and (S,) which of these each secret has."""
        key = scoring.rule, scoring.reversed, guess
        if key not in self._answers:
            row = scoring.rule.rows_of([guess])
            answers = scoring.table(row, self.rows(scoring.rule)).reshape(-1)
            self._answers[key] = np.unique(answers.astype(np.int64), return_inverse=True)
        present, places = self._answers[key]
        return scoring.shown_feedbacks(present, guess), places

    def read(
        self, scoring: Answering, rows: Sequence[Row], signs: Sequence[str]
    ) -> tuple[Logs, Counts]:
        """Return (J, K, S) and (K, S): how the signs may be read, and how many marks there were.

        The first is the log of the ways to read marks of a kind as the sign in all rows, or -inf.
        """
        kinds, size = range(len(scoring.kinds)), len(self.codes)
        logs, counts = np.zeros((len(signs), len(kinds), size)), np.zeros((len(kinds), size), int)
        for guess, clue in rows:
            shown, places = self.shown(scoring, guess)
            counts += scoring.numbers(shown)[:, places]
            for place, sign in enumerate(signs):
                ways = [scoring.log_ways(clue, sign, kind, shown) for kind in kinds]
                logs[place] += np.stack(ways)[:, places]
        return logs, counts


class LegendPosterior:
    """The joint posterior of hypotheses and secrets after turns and facts.

    `joints` are the hypotheses that explain all rows, the likeliest first; [] if none does.
    `chances` has the probability of each, `log_evidence` the log of the chance of all rows.
    """

    def __init__(self, legends: Legends, items: Sequence[Item]) -> None:
        self.legends, self.items = legends, tuple(items)
        turns = [item for item in items if isinstance(item, Turn)]
        wins = legends.game.rule.wins
        # A doubted answer says nothing about the marks, and a winning one has none.
        evident = [turn for turn in turns if not (turn.doubt or wins(turn.clue))]
        self.rows = [(turn.code, cast(UnknownClue, turn.clue)) for turn in evident]
        prior = legends.prior.copy()
        for item in items:
            if isinstance(item, Fact):
                prior[~where_holds(item.constraint, legends.codes)] = 0.0
            else:
                prior[_is_code(item.code, legends.codes) != wins(item.clue)] = 0.0
        # Hypotheses are left out that are less than 10^-9 times as likely as the likeliest.
        likely, least = list[Joint](), LOG_ZERO
        for joint in chain.from_iterable(self._joints(each, prior) for each in legends.scorings):
            if joint.log_evidence > least:
                least = max(least, joint.log_evidence + math.log(1e-9))
                likely.append(joint)
        likely.sort(key=lambda joint: -round(joint.log_evidence, 9))
        self.joints = [joint for joint in likely if joint.log_evidence >= least]
        logs = [joint.log_evidence for joint in self.joints]
        self.log_evidence = float(np.logaddexp.reduce(logs)) if logs else LOG_ZERO
        self.chances = [math.exp(log - self.log_evidence) for log in logs]

    @cached_property
    def signs(self) -> dict[str, list[str]]:
        """The signs in the rows, in order of appearance, for each way in which they are shown."""
        clues = [clue for _, clue in self.rows]
        marks = dict.fromkeys(sign for clue in clues for sign in clue.signs if sign)
        places = range(1, 1 + max((len(clue.numbers) for clue in clues), default=0))
        words = dict.fromkeys(word(clue) for clue in clues if not clue.nothing_read)
        numbers = [f"{place}." for place in places]
        return {"tiles": [*marks], "tally": [*marks], "numbers": numbers, "answer": [*words]}

    @cached_property
    def secrets(self) -> Logs:
        """(S,): the probability of each secret over all hypotheses; zeros if nothing fits."""
        sums = np.zeros(len(self.legends.codes))
        for joint, chance in zip(self.joints, self.chances, strict=True):
            sums[joint.places] += joint.secrets * chance
        return sums

    def chance(self, code: Code) -> float:
        """Return the probability that a code is the secret."""
        return float(self.secrets[_is_code(code, self.legends.codes)].sum())

    def rates(self, joint: Joint) -> list[float]:
        """Return (K): the share of the marks of each kind that is read, if a hypothesis is true.

        A learned rate is the mean of its posterior.
        """
        rates = joint.scoring.rates_of(joint.reading)
        read, marks = np.zeros(len(rates)), joint.counts @ joint.secrets
        for sign, kind in zip(self.signs[joint.scoring.shown], joint.kind_of, strict=True):
            if kind >= 0:
                read[kind] = self.marks_read(sign)
        if joint.reading is ALIKE:  # one rate for all kinds that have signs
            kinds = len(rates) - joint.silent
            read[:], marks[:] = read[:kinds].sum(), marks[:kinds].sum()
        return [
            round((rate.beta[0] + read[kind]) / (sum(rate.beta) + marks[kind]), 3)
            if rate.learned
            else rate.mean
            for kind, rate in enumerate(rates)
        ]

    @cached_property
    def hypotheses(self) -> dict[Hypothesis, float]:
        """Each hypothesis with its probability, the likeliest first."""
        sums: dict[Hypothesis, float] = {}
        for joint, chance in zip(self.joints, self.chances, strict=True):
            hypothesis = self.hypothesis(joint)
            sums[hypothesis] = sums.get(hypothesis, 0.0) + chance
        return dict(sorted(sums.items(), key=lambda pair: -round(pair[1], 12)))

    def hypothesis(self, joint: Joint) -> Hypothesis:
        """Return the hypothesis of a joint probability."""
        scoring = joint.scoring
        names = (*scoring.kinds, NOTHING, NOT_READ)
        pairs = zip(self.signs[scoring.shown], joint.kind_of, strict=True)
        legend = tuple((sign, names[kind]) for sign, kind in pairs)
        return Hypothesis(
            scoring.rule.name, scoring.options, scoring.shown, scoring.reversed, legend
        )

    def _joints(self, scoring: Answering, prior: Logs) -> Iterator[Joint]:
        """Yield every legend of a scoring that explains all rows, with the secrets if it is true.

        `prior` (S,) is the probability of each secret before the rows, 0 if it is ruled out.
        """
        rows = [row for row in self.rows if scoring.has_parts or not row[1].nothing_read]
        if not all(scoring.can_show(*row, self.legends.game) for row in rows):
            return
        signs, kinds = self.signs[scoring.shown], len(scoring.kinds)
        if len(signs) > kinds + len((NOT_READ, NOTHING)):
            return
        log_ways, counts = self.legends.read(scoring, rows, signs)
        lengths = [len(guess) for guess, _ in rows]
        log_prior = scoring.log_prior
        if scoring.shown == "tally":
            log_prior += _log_order([clue.signs for _, clue in rows])
        for reading, share in scoring.readings:
            if reading is WHOLE and scoring.has_parts and any(None in row.signs for _, row in rows):
                continue
            odd = scoring.odd_meanings(reading, rows)
            chances, log_scale = self._chances_read(scoring, reading, log_ways, counts)
            # Of a secret that may be hidden, all signs but odd ones can be marks of some kind.
            explained = (chances[:-1] > 0).any(axis=1).sum(axis=0)
            places = np.flatnonzero((prior > 0) & (explained >= len(signs) - len(odd)))
            if not len(places):
                continue
            chances, marks = chances[:, :, places], counts[:, places]
            for kind_of, log_legend in scoring.meanings(signs, odd):
                for silent, log_silent in scoring.silences(kind_of):
                    log_evidence = log_prior + math.log(share) + log_legend + log_silent
                    kinds_with_signs = kinds - silent
                    read = [(sign, kind) for sign, kind in enumerate(kind_of) if kind >= 0]
                    unread = [kind for kind in range(kinds_with_signs) if kind not in kind_of]
                    pairs = [*read, *((len(signs), kind) for kind in unread)]
                    log_evidence += sum(log_scale[pair] for pair in pairs)
                    weights = prior[places]
                    for pair in pairs:
                        weights *= chances[pair]
                    if reading is ALIKE:
                        number = sum(self.marks_read(signs[sign]) for sign, _ in read)
                        total = marks[:kinds_with_signs].sum(axis=0)
                        weights *= np.exp(log_rates(LEARNED, number, int(total.max())))[total]
                    # Marks of a sign that means nothing are none.
                    nothing = signs[kind_of.index(-2)] if -2 in kind_of else ""
                    written = [sum(sign != nothing for sign in clue.signs) for _, clue in rows]
                    if silent and -1 in kind_of:
                        weights *= self._all_written(scoring, rows, written)[places]
                    log_evidence += _log_odd(scoring, lengths, written, kind_of, silent)
                    if total_weight := float(weights.sum()):
                        log_evidence += math.log(total_weight)
                        secrets = weights / total_weight
                        yield Joint(
                            scoring, kind_of, reading, silent, places, secrets, marks, log_evidence
                        )

    def _all_written(
        self, scoring: Answering, rows: Sequence[Row], written: Sequence[int]
    ) -> npt.NDArray[np.bool_]:
        """Return (S,): whether each row has a sign for each mark; unread ones have a sign, too."""
        fits = np.ones(len(self.legends.codes), dtype=np.bool_)
        for (guess, _), marks in zip(rows, written, strict=True):
            shown, places = self.legends.shown(scoring, guess)
            fits &= (shown[:, :-1].sum(axis=1) == marks)[places]
        return fits

    def marks_read(self, sign: str) -> int:
        """Return how often a sign is in the rows."""
        return sum(clue.signs.count(sign) for _, clue in self.rows)

    def _chances_read(
        self, scoring: Answering, reading: str, log_ways: Logs, counts: Counts
    ) -> tuple[Logs, Logs]:
        """Return (J + 1, K, S): the chance that a sign's marks were read, if it means a kind.

        The last row is for a kind without a sign so far, none of whose marks was read. Chances are
        relative to the greatest of each sign and kind, whose log is the second result (J + 1, K).
        """
        logs = np.concatenate((log_ways, np.zeros((1, *counts.shape))))
        if scoring.has_parts and reading is not ALIKE:
            for place, sign in enumerate((*self.signs[scoring.shown], "")):
                read = self.marks_read(sign)
                for kind, rate in enumerate(scoring.rates_of(reading)):
                    logs[place, kind] += log_rates(rate, read, int(counts.max()))[counts[kind]]
        log_scale = logs.max(axis=2)
        log_scale[log_scale == LOG_ZERO] = 0.0
        return np.exp(logs - log_scale[:, :, None]), log_scale


@lru_cache
def log_rates(rate: Rate, read: int, most: int) -> Logs:
    """Return (most + 1,): the log chance that given `read` of 0, 1, ... marks were read, no others.

    A learned rate is integrated out.
    """
    logs = np.full(most + 1, LOG_ZERO)
    for marks in range(read, most + 1):
        if rate.learned:
            a, b = rate.beta
            logs[marks] = _log_beta(a + read, b + marks - read) - _log_beta(a, b)
        elif chance := rate.mean**read * (1 - rate.mean) ** (marks - read):
            logs[marks] = math.log(chance)
    return logs


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _is_code(code: Code, codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    return np.asarray((codes == array_of([code], codes.shape[1])).all(axis=1))


def _log_order(rows: Sequence[tuple[str | None, ...]]) -> float:
    """Return the log chance of the order of the signs of a tally, given how many there are.

    Either the signs stand in any order, or those of one kind stand together, and the kinds in one
    order; both are equally likely, and so are all orders of the kinds.
    """
    log_shuffled = 0.0
    for row in rows:
        log_shuffled -= math.lgamma(len(row) + 1)
        log_shuffled += sum(math.lgamma(row.count(sign) + 1) for sign in {*row})
    signs = sorted({sign for row in rows for sign in row if sign})
    read_rows = [[sign for sign in row if sign] for row in rows]
    keeps_order = [
        all(order.index(a) <= order.index(b) for row in read_rows for a, b in pairwise(row))
        for order in permutations(signs)
    ]
    in_one_order = keeps_order.count(True) / len(keeps_order)
    return math.log((math.exp(log_shuffled) + in_one_order) / 2)


def _log_odd(
    scoring: Answering, lengths: list[int], written: list[int], kind_of: Sequence[int], silent: bool
) -> float:
    """Return the log chance of the signs of a tally, or of the numbers, that are no kinds.

    `lengths` are those of the guesses, `written` says how many marks with a meaning the rows have.
    """
    if scoring.shown == "tally":
        if any(marks > length for marks, length in zip(written, lengths, strict=True)):
            return LOG_ZERO
        if -1 in kind_of and not silent and written != lengths:
            return LOG_ZERO
    # Of signs that mean nothing, any number up to the guess's length is equally likely.
    return -sum(math.log(length + 1) for length in lengths) if -2 in kind_of else 0.0
