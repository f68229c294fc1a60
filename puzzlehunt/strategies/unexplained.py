"""The next guess if nobody knows what the marks mean: it tells most about meaning and secret.

The value of a guess is the mutual information, in bits, between what will be shown, and the
hypothesis and the secret together. It is what the answer tells about the hypothesis, and what it
then tells about the secret; guesses are chosen by the second, and a share of the first. Both are
computed for the likeliest hypotheses, a weighted sample of the secrets, and a sample of the
guesses. A sign that was not seen yet counts as one that will be
told apart from all others.

Shapes of arrays: G guesses, S secrets of the sample, F feedbacks, O answers that may be shown.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.legends import Joint, LegendPosterior
from puzzlehunt.engines.scorings import Answering
from puzzlehunt.kernels.packed_codes import array_of, code_of
from puzzlehunt.kernels.partitions import entropy_terms
from puzzlehunt.strategies.base import Suggestion

Chances = npt.NDArray[np.float64]

_MOST_HYPOTHESES, _MOST_SECRETS, _MOST_GUESSES, _MOST_CANDIDATES = 24, 200, 60, 20
_ENOUGH = 0.95
"""The share of the hypotheses' probability that is computed with."""
_WIN_BITS = 2.0
"""What the chance to be right is worth in the choice of a guess (bits)."""
_MEANING = 0.2
"""What a bit about the hypothesis is worth in bits about the secret."""
_UNREAD = 0
"""The token of a tile that is not read; other tokens are numbers of signs and unseen kinds."""
_BASE = 16
"""More than the number of tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What each of G guesses will show, and how likely that is.

    `answers` has the chance of each answer (G, O) under each of some hypotheses, which have the
    probabilities `chances`. `bits` (G,) are the values of the guesses, `secret_bits` (G,) what they
    tell about the secret if the hypothesis is known.
    """

    guesses: tuple[Code, ...]
    joints: tuple[Joint, ...]
    chances: Chances
    answers: tuple[tuple[npt.NDArray[np.intp], Chances], ...]
    bits: Chances
    secret_bits: Chances

    def by_hypothesis(self, chosen: Sequence[int]) -> Chances:
        """Return (G, O): the chances of all answers under the hypotheses with these numbers."""
        size = 1 + max(int(ids.max()) for ids, _ in self.answers)
        total = np.zeros((len(self.guesses), size))
        for number in chosen:
            ids, chances = self.answers[number]
            total[:, ids] += chances
        shares: Chances = total / total.sum(axis=1, keepdims=True)
        return shares


def pool_of(posterior: LegendPosterior, seed: int) -> list[Code]:
    """Return the guesses to compare: the likeliest secrets, and a sample of the game's guesses."""
    rng = np.random.default_rng([seed, len(posterior.items)])
    codes, secrets = posterior.legends.codes, posterior.secrets
    best = np.argsort(-np.round(secrets, 12), kind="stable")[:_MOST_CANDIDATES]
    pool = [code_of(codes[place]) for place in best if secrets[place] > 0]
    guesses = posterior.legends.guesses
    chosen = rng.permutation(len(guesses))[:_MOST_GUESSES]
    return list(dict.fromkeys([*pool, *(code_of(guesses[place]) for place in chosen)]))


def suggestions(posterior: LegendPosterior, shown: Shown, top: int) -> list[Suggestion]:
    """Return the `top` guesses that tell most; if the secret is open, being right is worth more."""
    chances = [posterior.chance(guess) for guess in shown.guesses]
    worth = shown.secret_bits + _MEANING * (shown.bits - shown.secret_bits)
    if len(posterior.legends.codes) > 1:
        worth += _WIN_BITS * np.array(chances)
    order = np.argsort(-np.round(worth, 6), kind="stable")[:top]
    return [
        Suggestion(
            shown.guesses[n],
            round(float(shown.bits[n]), 4),
            None,
            chances[n] > 0,
            chance=chances[n],
        )
        for n in order
    ]


def shown_by(posterior: LegendPosterior, guesses: Sequence[Code], seed: int) -> Shown:
    """Return what guesses will show, by hypothesis."""
    legends, numbers = posterior.legends, dict[object, int]()
    joints, chances = _likeliest(posterior)
    rng = np.random.default_rng([seed, len(posterior.items)])
    places, weights = _sample(posterior.secrets, rng)
    codes = array_of(guesses, legends.game.length)
    answers: dict[int, tuple[npt.NDArray[np.intp], Chances]] = {}
    noise, entropy = np.zeros(len(guesses)), np.zeros(len(guesses))
    order = sorted(range(len(joints)), key=lambda n: legends.scorings.index(joints[n].scoring))
    for scoring, of_scoring in groupby(order, key=lambda n: joints[n].scoring):
        table = scoring.table(scoring.rule.rows(codes), legends.rows(scoring)[places])
        present, columns = np.unique(table, return_inverse=True)
        columns = columns.reshape(table.shape) + len(present) * np.arange(len(guesses))[:, None]
        wins = present == scoring.rule.winning_index
        marks = scoring.shown_feedbacks(present, guesses[0])
        for n in of_scoring:
            joint = joints[n]
            of_secrets = np.zeros(len(legends.codes))
            of_secrets[joint.places] = joint.secrets
            share = of_secrets[places] * weights
            share *= chances[n] / (share.sum() or 1.0)
            sums = np.bincount(
                columns.ravel(), np.tile(share, len(guesses)), len(guesses) * len(present)
            ).reshape(len(guesses), -1)
            keys, matrix = _channel(scoring, marks, _tokens(joint), posterior.rates(joint))
            matrix[wins] = 0.0
            ids = np.array([numbers.setdefault(key, len(numbers)) for key in [*keys, "won"]])
            matrix = np.column_stack((matrix, wins))
            of_answers = sums @ matrix
            answers[n] = ids, of_answers
            noise += sums @ entropy_terms(matrix).sum(axis=1)
            entropy += chances[n] * entropy_terms(of_answers / (chances[n] or 1.0)).sum(axis=1)
    total = np.zeros((len(guesses), len(numbers)))
    for ids, of_answers in answers.values():
        total[:, ids] += of_answers
    of_secret = np.maximum(entropy - noise, 0.0)
    bits = entropy_terms(total / total.sum(axis=1, keepdims=True)).sum(axis=1) - noise
    bits = np.maximum(bits, of_secret)
    listed = tuple(answers[n] for n in range(len(joints)))
    return Shown(tuple(guesses), tuple(joints), chances, listed, bits, of_secret)


def _likeliest(posterior: LegendPosterior) -> tuple[list[Joint], Chances]:
    chances = np.array(posterior.chances)
    enough = int(np.searchsorted(np.cumsum(chances), _ENOUGH)) + 1
    number = min(enough, _MOST_HYPOTHESES, len(chances))
    return posterior.joints[:number], chances[:number] / chances[:number].sum()


def _sample(secrets: Chances, rng: np.random.Generator) -> tuple[npt.NDArray[np.intp], Chances]:
    """Return the places of secrets, and what the probability of each is multiplied by."""
    places = np.flatnonzero(secrets)
    if len(places) <= _MOST_SECRETS:
        return places, np.ones(len(places))
    # Systematic sampling: the number of times that a secret is drawn is near its expectation.
    ends = np.cumsum(secrets[places])
    steps = (np.arange(_MOST_SECRETS) + rng.random()) / _MOST_SECRETS * ends[-1]
    drawn, times = np.unique(np.searchsorted(ends, steps), return_counts=True)
    return places[drawn], times / secrets[places[drawn]]


def _tokens(joint: Joint) -> tuple[int, ...]:
    """Return the token of each kind: from 1 that of its sign; -1 for a kind without a sign.

    Kinds whose sign was not seen yet have the tokens after those of the signs.
    """
    tokens, unseen = [], len(joint.kind_of) + 1
    for kind in range(len(joint.scoring.kinds)):
        if kind in joint.kind_of:
            tokens.append(joint.kind_of.index(kind) + 1)
        elif joint.scoring.shown == "numbers" or (
            joint.silent and kind == len(joint.scoring.kinds) - 1
        ):
            tokens.append(-1)
        else:
            tokens.append(unseen)
            unseen += 1
    return tuple(tokens)


def _channel(
    scoring: Answering,
    marks: npt.NDArray[np.int64],
    tokens: Sequence[int],
    rates: Sequence[float],
) -> tuple[list[object], Chances]:
    """Return O answers as keys, and (F, O): their chances for feedbacks with these marks."""
    if scoring.shown == "tiles":
        return _tile_channel(scoring, marks, tokens, rates)
    if scoring.shown == "answer":
        return [("answer", number) for number in marks[:, 0].tolist()], np.eye(len(marks))
    rows = [_readings(tuple(row), tuple(tokens), tuple(rates)) for row in marks.tolist()]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    matrix = np.array([[row.get(key, 0.0) for key in keys] for row in rows])
    return [(scoring.shown, key) for key in keys], matrix


@lru_cache(maxsize=1 << 16)
def _readings(
    counts: tuple[int, ...], tokens: tuple[int, ...], rates: tuple[float, ...]
) -> dict[tuple[tuple[int, int], ...], float]:
    """Return what a tally may show, as pairs (token, number of signs), and the chance of each."""
    kinds = [kind for kind, token in enumerate(tokens) if token > 0]
    options = [range(counts[kind] + 1) if rates[kind] < 1 else (counts[kind],) for kind in kinds]
    found = {}
    for reading in product(*options):
        chance = 1.0
        for kind, read in zip(kinds, reading, strict=True):
            number, rate = counts[kind], rates[kind]
            chance *= math.comb(number, read) * rate**read * (1 - rate) ** (number - read)
        key = sorted((tokens[kind], read) for kind, read in zip(kinds, reading, strict=True))
        found[tuple(key)] = chance
    return found


def _tile_channel(
    scoring: Answering,
    marks: npt.NDArray[np.int64],
    tokens: Sequence[int],
    rates: Sequence[float],
) -> tuple[list[object], Chances]:
    width = marks.shape[1]
    powers = _BASE ** np.arange(width)
    signs, rate = np.array(tokens)[marks], np.array(rates)[marks]
    if (rate == 1).all():
        masks = np.ones((1, width), dtype=np.bool_)
    else:
        masks = np.array(list(product((True, False), repeat=width)))
    keys = np.where(masks, signs[:, None], _UNREAD) @ powers
    chances = np.where(masks, rate[:, None], 1 - rate[:, None]).prod(axis=2)
    distinct, columns = np.unique(keys, return_inverse=True)
    matrix = np.zeros((len(marks), len(distinct)))
    np.add.at(matrix, (np.arange(len(marks))[:, None], columns.reshape(keys.shape)), chances)
    return [("tiles", key) for key in distinct.tolist()], matrix
