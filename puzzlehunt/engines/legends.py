"""The joint posterior of a secret and of what the marks of its answers mean.

A *hypothesis* is an `Answering` (a rule with its options, how its marks are shown, and whether
guess and secret change places) and a *legend*, which maps each sign to a kind of mark, to "not
read" or to "nothing". The prior, stated in `docs/decisions/legends.md`, prefers simple ones.

Shapes of arrays: S secrets, F feedbacks, J signs, K kinds of marks.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise, permutations

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.model import LEARNED, Rate
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.engines.scorings import (
    ALIKE,
    WHOLE,
    Answering,
    Counts,
    Logs,
    Row,
    can_show,
    log_ways,
    meanings,
    odd_meanings,
    scorings_of,
    silences,
    word,
)
from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item, Turn
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of, code_of, space_array, where_holds
from puzzlehunt.rules.unknown import UnknownClue

NOT_READ, NOTHING = "not read", "nothing"
"""What a sign may mean that is no kind of mark."""
_ODD_MEANINGS = 2
"""How many these are."""
MOST_SECRETS = 50_000
"""The most secrets for which rules are compared."""
_KEPT = 1e-9
"""The least probability of a hypothesis that is kept, relative to the likeliest."""
_MOST_READ = 200_000
"""The most numbers that are kept of one way to answer, to add the next row to them."""
_NEVER = -math.inf


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

    `places` (N,) are the secrets that may be hidden then, `secrets` (N,) their probabilities.
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
        self.place_of = {code_of(code): place for place, code in enumerate(self.codes)}
        rng = np.random.default_rng(game.play.seed)
        self.guesses = (
            space_array(game.guesses, game.length)
            if game.guesses.size <= MOST_SECRETS
            else self.codes[rng.permutation(len(self.codes))]
        )
        self._rows: dict[int, PackedCodes] = {}
        self._reads: dict[tuple[object, ...], tuple[Sequence[Row], Logs, Counts]] = {}
        self._answers: dict[tuple[int, bool, Code], tuple[Counts, npt.NDArray[np.intp]]] = {}

    def rows(self, scoring: Answering) -> PackedCodes:
        """Return all secrets as the rule of a scoring packs them."""
        key = id(scoring.rule)
        if key not in self._rows:
            self._rows[key] = scoring.rule.rows(self.codes)
        return self._rows[key]

    def shown(self, scoring: Answering, guess: Code) -> tuple[Counts, npt.NDArray[np.intp]]:
        """Return (F, parts) what is shown for a guess, and (S,) which of these each secret has."""
        key = id(scoring.rule), scoring.reversed, guess
        if key not in self._answers:
            row = scoring.rule.rows(array_of([guess], self.game.length))
            answers = scoring.table(row, self.rows(scoring)).reshape(-1)
            self._answers[key] = np.unique(answers.astype(np.int64), return_inverse=True)
        present, places = self._answers[key]
        return scoring.shown_feedbacks(present, guess), places

    def read(
        self, scoring: Answering, rows: Sequence[Row], signs: Sequence[str]
    ) -> tuple[Logs, Counts]:
        """Return (J, K, S) and (K, S): how the signs may be read, and how many marks there were.

        The first is the log number of ways in which marks of a kind were read as the sign, in all
        rows; it is minus infinity if they were not.
        """
        kinds, size = range(len(scoring.kinds)), len(self.codes)
        known, fits, counts = self._reads.get((id(scoring), *signs), (rows[:0], 0.0, 0))
        if known != rows[: len(known)]:
            known, fits, counts = rows[:0], 0.0, 0
        fits = np.zeros((len(signs), len(kinds), size)) + fits
        counts = np.zeros((len(kinds), size), dtype=np.int64) + counts
        for guess, clue in rows[len(known) :]:
            shown, places = self.shown(scoring, guess)
            numbers = shown.T[: len(kinds)]
            if scoring.by_place:
                numbers = np.stack([(shown == kind).sum(axis=1) for kind in kinds])
            counts += numbers[:, places]
            for place, sign in enumerate(signs):
                ways = [log_ways(scoring, clue, sign, kind, shown) for kind in kinds]
                fits[place] += np.stack(ways)[:, places]
        if fits.size <= _MOST_READ:
            self._reads[(id(scoring), *signs)] = rows, fits, counts
        return fits, counts

    def posterior(self, items: Sequence[Item]) -> "LegendPosterior":
        """Return the joint posterior after turns and facts."""
        return LegendPosterior(self, tuple(items))


class LegendPosterior:
    """The joint posterior of hypotheses and secrets after turns and facts.

    `joints` are the hypotheses that explain all rows, the likeliest first; [] if none does.
    `chances` has the probability of each, `log_evidence` the log of the chance of all rows.
    """

    def __init__(self, legends: Legends, items: tuple[Item, ...]) -> None:
        self.legends, self.items = legends, items
        turns = [item for item in items if isinstance(item, Turn)]
        self.rows = [(turn.guess, clue_of(turn)) for turn in turns if _is_evidence(turn)]
        base = legends.prior.copy()
        for item in items:
            if isinstance(item, Fact):
                base[~where_holds(item.constraint, legends.codes)] = 0.0
            else:
                base[_is_tried(item, legends.codes) != legends.game.rule.wins(item.clue)] = 0.0
        self._least = _NEVER
        found = list(chain.from_iterable(self._joints(each, base) for each in legends.scorings))
        found.sort(key=lambda joint: -joint.log_evidence)
        least = found[0].log_evidence + math.log(_KEPT) if found else 0.0
        self.joints = [joint for joint in found if joint.log_evidence >= least]
        logs = [joint.log_evidence for joint in self.joints]
        self.log_evidence = float(np.logaddexp.reduce(logs)) if logs else _NEVER
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
        place = self.legends.place_of.get(code)
        return 0.0 if place is None else float(self.secrets[place])

    def rates(self, joint: Joint) -> list[float]:
        """Return how often marks of each kind are read on average, if a hypothesis is true."""
        scoring, means = joint.scoring, []
        rates = scoring.rates or (LEARNED,) * len(scoring.kinds)
        for kind, rate in enumerate(rates):
            if joint.reading is WHOLE or not rate.learned:
                means.append(1.0 if joint.reading is WHOLE else rate.mean)
                continue
            alike = range(len(rates) - joint.silent) if joint.reading is ALIKE else [kind]
            read, marks = rate.beta[0], rate.pseudo_count or 0.0
            for other in alike:
                if other in joint.kind_of:
                    sign = self.signs[scoring.shown][joint.kind_of.index(other)]
                    read += self.marks_read(sign)
                marks += self._marks(joint, other)
            means.append(round(read / marks, 3))
        return means

    def _marks(self, joint: Joint, kind: int) -> float:
        """Return how many marks of a kind all rows had, on average over the secrets."""
        total = 0.0
        for guess, _ in self.rows:
            shown, places = self.legends.shown(joint.scoring, guess)
            number = (shown == kind).sum(axis=1) if joint.scoring.by_place else shown[:, kind]
            total += float(number[places[joint.places]] @ joint.secrets)
        return total

    @cached_property
    def hypotheses(self) -> dict[Hypothesis, float]:
        """Each hypothesis with its probability, the likeliest first."""
        sums: dict[Hypothesis, float] = {}
        for joint, chance in zip(self.joints, self.chances, strict=True):
            hypothesis = self.hypothesis(joint)
            sums[hypothesis] = sums.get(hypothesis, 0.0) + chance
        return dict(sorted(sums.items(), key=lambda pair: -pair[1]))

    def hypothesis(self, joint: Joint) -> Hypothesis:
        """Return the hypothesis of a joint probability."""
        scoring = joint.scoring
        names = (*scoring.kinds, NOTHING, NOT_READ)
        pairs = zip(self.signs[scoring.shown], joint.kind_of, strict=True)
        legend = tuple((sign, names[kind]) for sign, kind in pairs)
        return Hypothesis(
            scoring.rule.name, scoring.options, scoring.shown, scoring.reversed, legend
        )

    def _joints(self, scoring: Answering, base: Logs) -> Iterator[Joint]:
        """Yield each legend of a scoring that explains all rows, if it is likely enough to keep."""
        rows = [row for row in self.rows if scoring.has_parts or not row[1].nothing_read]
        if not all(can_show(scoring, *row, self.legends.game) for row in rows):
            return
        signs, kinds = self.signs[scoring.shown], len(scoring.kinds)
        if len(signs) > kinds + _ODD_MEANINGS:
            return
        fits, all_counts = self.legends.read(scoring, rows, signs)
        most_odd = len(odd_meanings(scoring, ALIKE, rows))
        likely = np.flatnonzero((base > 0) & _may_fit(fits > _NEVER, len(signs) - most_odd))
        ways, counts = _scaled(fits[:, :, likely]), all_counts[:, likely]
        lengths, marks = [len(guess) for guess, _ in rows], _marks_without(rows, signs)
        log_prior = scoring.log_prior
        if scoring.shown == "tally":
            log_prior += _log_order([clue.signs for _, clue in rows])
        for reading, share in scoring.readings:
            if reading is WHOLE and scoring.has_parts and any(None in row.signs for _, row in rows):
                continue
            odd = odd_meanings(scoring, reading, rows)
            parts, scale = self._parts(scoring, reading, ways, counts)
            fitting = _may_fit(parts[:-1] > 0, len(signs) - len(odd))
            if not fitting.any():
                continue
            places = likely[fitting]
            if len(places) < len(likely):
                parts = parts[:, :, fitting]
            prior = base[places]
            all_marks = [all_counts[:last, places].sum(axis=0) for last in (kinds, kinds - 1)]
            for kind_of, log_legend in meanings(scoring, signs, odd):
                for silent, log_silent in silences(scoring, kind_of):
                    read = [(sign, kind) for sign, kind in enumerate(kind_of) if kind >= 0]
                    unseen = {*range(kinds - silent)}.difference(kind_of)
                    pairs = [*read, *((len(signs), kind) for kind in unseen)]
                    log_total = log_prior + math.log(share) + log_legend + log_silent
                    log_total += sum(scale[pair] for pair in pairs)
                    written = marks[kind_of.index(-2) if -2 in kind_of else -1]
                    log_total += _log_odd(scoring, lengths, written, kind_of, silent)
                    weights = prior * 1.0
                    if silent and -1 in kind_of:
                        weights *= self._all_written(scoring, rows, written)[places]
                    for pair in pairs:
                        weights *= parts[pair]
                    if reading is ALIKE:
                        number = sum(self.marks_read(signs[sign]) for sign, _ in read)
                        marked = all_marks[silent]
                        weights *= np.exp(log_rates(LEARNED, number, int(marked.max())))[marked]
                    total = float(weights.sum())
                    log_total += math.log(total) if total else _NEVER
                    if log_total > self._least:
                        self._least = max(self._least, log_total + math.log(_KEPT))
                        secrets = weights / total
                        yield Joint(scoring, kind_of, reading, silent, places, secrets, log_total)

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

    def _parts(
        self, scoring: Answering, reading: str, ways: tuple[Logs, Logs], counts: Counts
    ) -> tuple[Logs, Logs]:
        """Return (J + 1, K, S): the chance that a sign's marks were read, if it is a kind.

        The last row is for a kind without a sign so far, none of whose marks was read. All are
        relative to (J + 1, K): the log of something that is not smaller.
        """
        parts: Logs = np.concatenate((ways[0], np.ones((1, *counts.shape))))
        scale: Logs = np.concatenate((ways[1], np.zeros((1, len(counts)))))
        if not scoring.has_parts or reading is ALIKE:
            return parts, scale
        rates = scoring.rates or (LEARNED,) * len(scoring.kinds)
        most = int(counts.max(initial=0))
        for place, sign in enumerate((*self.signs[scoring.shown], "")):
            read = self.marks_read(sign)
            for kind, rate in enumerate(rates):
                logs = log_rates(None if reading is WHOLE else rate, read, most)
                best = max(float(logs.max()), -1e9)
                parts[place, kind] *= np.exp(logs - best)[counts[kind]]
                scale[place, kind] += best
        return parts, scale


def _may_fit(can_be: npt.NDArray[np.bool_], least: int) -> npt.NDArray[np.bool_]:
    """Return (S,): whether at least so many signs can be a kind of mark, given (J, K, S)."""
    return np.asarray(can_be.any(axis=1).sum(axis=0) >= least)


def _scaled(logs: Logs) -> tuple[Logs, Logs]:
    """Return logs (J, K, S) as numbers of which the greatest is 1, and the logs of these."""
    scale = logs.max(axis=2, initial=_NEVER)
    scale[scale == _NEVER] = 0.0
    return np.exp(logs - scale[:, :, None]), scale


@lru_cache(maxsize=1024)
def log_rates(rate: Rate | None, read: int, most: int) -> Logs:
    """Return (most + 1,): the log chance that given `read` of 0, 1, ... marks were read, no others.

    None is the rate 1. A learned rate is integrated out.
    """
    logs = np.full(most + 1, _NEVER)
    for marks in range(read, most + 1):
        if rate is None:
            logs[marks] = 0.0 if marks == read else _NEVER
        elif rate.learned:
            a, b = rate.beta
            logs[marks] = _log_beta(a + read, b + marks - read) - _log_beta(a, b)
        elif (rate.mean > 0 or not read) and (rate.mean < 1 or marks == read):
            of_read = read * math.log(rate.mean) if read else 0.0
            logs[marks] = of_read + (
                (marks - read) * math.log1p(-rate.mean) if marks > read else 0.0
            )
    return logs


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


# Rows.


def clue_of(turn: Turn) -> UnknownClue:
    """Return the clue of a turn of a game whose legend is unknown."""
    assert isinstance(turn.clue, UnknownClue)
    return turn.clue


def _is_evidence(turn: Turn) -> bool:
    clue = clue_of(turn)
    return not turn.doubted and (1,) not in clue


def _is_tried(turn: Turn, codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    guess = array_of([turn.guess], codes.shape[1])
    return np.asarray((codes == guess).all(axis=1))


def _log_order(rows: Sequence[tuple[str | None, ...]]) -> float:
    """Return the log chance of the order of the signs of a tally, given how many there are.

    Either the signs stand in any order, or those of one kind stand together, and the kinds in one
    order; both are equally likely, and so are all orders of the kinds.
    """
    shuffled = 0.0
    for row in rows:
        shuffled -= math.lgamma(len(row) + 1)
        shuffled += sum(math.lgamma(row.count(sign) + 1) for sign in {*row})
    signs = sorted({sign for row in rows for sign in row if sign})
    plain = [[sign for sign in row if sign] for row in rows]
    orders = [
        all(order.index(a) <= order.index(b) for row in plain for a, b in pairwise(row))
        for order in permutations(signs)
    ]
    return math.log((math.exp(shuffled) + sum(orders) / len(orders)) / 2)


def _marks_without(rows: Sequence[Row], signs: Sequence[str]) -> list[list[int]]:
    """Return how many marks each row has without those of a sign; at last, with all signs."""
    return [[len(c.signs) - c.signs.count(sign) for _, c in rows] for sign in (*signs, "")]


def _log_odd(
    scoring: Answering,
    lengths: Sequence[int],
    written: Sequence[int],
    kind_of: Sequence[int],
    silent: bool,
) -> float:
    """Return the log chance of the signs of a tally, or of the numbers, that are no kinds.

    `lengths` are those of the guesses, `written` says how many marks with a meaning the rows have.
    """
    if scoring.shown == "tally":
        if any(marks > length for marks, length in zip(written, lengths, strict=True)):
            return _NEVER
        if -1 in kind_of and not silent and written != lengths:
            return _NEVER
    # Of signs that mean nothing any number is equally likely.
    return -sum(math.log(length + 1) for length in lengths) if -2 in kind_of else 0.0
