"""The next guess if nobody knows what the marks mean: it tells most about meaning and secret.

The value of a guess is the mutual information, in bits, between what will be shown, and the
hypothesis and the secret together. It is what the answer tells about the hypothesis, and what it
then tells about the secret; guesses are chosen by the second, and a share of the first. Both are
computed for the likeliest hypotheses, a weighted sample of the secrets, and a sample of the
guesses. A sign that was not seen yet counts as one that will be
told apart from all others.

Shapes of arrays: G guesses, S secrets of the sample, F feedbacks, O answers that may be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.legends import Joint, LegendPosterior
from puzzlehunt.engines.scorings import Answering, Counts
from puzzlehunt.kernels.packed_codes import array_of, code_of
from puzzlehunt.kernels.partitions import entropy_terms
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.measures import DECIMALS

Chances = npt.NDArray[np.float64]

_MOST_HYPOTHESES, _MOST_SECRETS, _MOST_GUESSES, _MOST_CANDIDATES = 24, 200, 60, 20
_ENOUGH = 0.95
"""The share of the hypotheses' probability that is computed with."""
_WIN_BITS = 2.0
"""What the chance to be right is worth in the choice of a guess (bits)."""
_MEANING = 0.2
"""What a bit about the hypothesis is worth in bits about the secret."""
_UNREAD, _TOKENS = 0, 64
"""The token of a mark that is not read, and more than the number of others: signs, unseen kinds."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What each of G guesses will show, and how likely that is.

    `answers` has, for each of some hypotheses, the numbers of its answers (O,) and the chances
    (G, O) of the hypothesis and each answer. `bits` (G,) are the values of the guesses,
    `secret_bits` (G,) what they tell about the secret if the hypothesis is known.
    """

    guesses: tuple[Code, ...]
    joints: tuple[Joint, ...]
    answers: tuple[tuple[npt.NDArray[np.intp], Chances], ...]
    bits: Chances
    secret_bits: Chances

    def by_hypothesis(self, chosen: Sequence[int]) -> Chances:
        """Return (G, O): the chances of all answers under the hypotheses with these numbers."""
        size = 1 + max((int(ids.max()) for ids, _ in self.answers), default=-1)
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
    best = np.argsort(-np.round(secrets, DECIMALS), kind="stable")[:_MOST_CANDIDATES]
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
    order = np.argsort(-np.round(worth, DECIMALS), kind="stable")[:top]
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
    answers = list[tuple[npt.NDArray[np.intp], Chances]]()
    noise, entropy = np.zeros(len(guesses)), np.zeros(len(guesses))

    @cache
    def feedbacks(scoring: Answering) -> tuple[Counts, Counts]:
        table = scoring.table(scoring.rule.rows(codes), legends.rows(scoring.rule)[places])
        present, columns = np.unique(table, return_inverse=True)
        columns = columns.reshape(table.shape) + len(present) * np.arange(len(guesses))[:, None]
        return present.astype(np.int64), columns.ravel()

    for joint, chance in zip(joints, chances.tolist(), strict=True):
        scoring = joint.scoring
        present, columns = feedbacks(scoring)
        share = np.zeros(len(legends.codes))
        share[joint.places] = joint.secrets
        share = share[places] * weights
        share *= chance / (share.sum() or 1.0)
        size = len(guesses) * len(present)
        sums = np.bincount(columns, np.tile(share, len(guesses)), size)
        sums = sums.reshape(len(guesses), -1)
        marks = scoring.shown_feedbacks(present, guesses[0])
        keys, matrix = _channel(scoring, marks, _tokens(joint), posterior.rates(joint))
        wins = present == scoring.rule.winning_index
        matrix[wins] = 0.0
        matrix = np.column_stack((matrix, wins))
        ids = [numbers.setdefault(key, len(numbers)) for key in [*keys, "won"]]
        answers.append((np.array(ids), sums @ matrix))
        noise += sums @ entropy_terms(matrix).sum(axis=1)
        entropy += chance * entropy_terms(answers[-1][1] / (chance or 1.0)).sum(axis=1)
    of_secret = np.maximum(entropy - noise, 0.0)
    shown = Shown(tuple(guesses), tuple(joints), tuple(answers), of_secret, of_secret)
    all_chances = shown.by_hypothesis(range(len(joints)))
    bits = np.maximum(entropy_terms(all_chances).sum(axis=1) - noise, of_secret)
    return replace(shown, bits=bits)


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


def _tokens(joint: Joint) -> list[int]:
    """Return the token of each kind: from 1 that of its sign; `_UNREAD` for one without a sign.

    Kinds whose sign was not seen yet have the tokens after those of the signs.
    """
    kinds, unseen = len(joint.scoring.kinds), len(joint.kind_of) + 1
    tokens = []
    for kind in range(kinds):
        has_none = joint.scoring.shown == "numbers" or (joint.silent and kind == kinds - 1)
        if kind in joint.kind_of:
            tokens.append(joint.kind_of.index(kind) + 1)
        elif has_none:
            tokens.append(_UNREAD)
        else:
            tokens.append(unseen)
            unseen += 1
    return tokens


def _channel(
    scoring: Answering, marks: Counts, tokens: Sequence[int], rates: Sequence[float]
) -> tuple[list[object], Chances]:
    """Return O answers as keys, and (F, O): their chances for feedbacks with these marks."""
    if scoring.shown == "answer":
        return [("answer", number) for number in marks[:, 0].tolist()], np.eye(len(marks))
    if not scoring.by_place:
        # One kind after the other, in any order; what is missing in a row is never seen.
        width, kinds = marks.sum(axis=1).max(), np.arange(marks.shape[1] + 1)
        times = np.column_stack((marks, width - marks.sum(axis=1)))
        marks = np.array([np.repeat(kinds, row) for row in times])
    signs, rate = np.array([*tokens, _UNREAD])[marks], np.array([*rates, 1.0])[marks]
    places = np.arange(marks.shape[1])
    one_or_both = (True,) if (rate == 1).all() else (True, False)
    masks = np.array(list(product(one_or_both, repeat=len(places))))
    chances = np.where(masks, rate[:, None], 1 - rate[:, None]).prod(axis=2)
    # Equal sums of random numbers stand for equal answers.
    worth = np.random.default_rng(0).integers(1, 2**64, (len(places), _TOKENS), dtype=np.uint64)
    worth[:, _UNREAD] = 0
    keys = worth[places if scoring.by_place else 0, signs] @ masks.T.astype(np.uint64)
    distinct, columns = np.unique(keys, return_inverse=True)
    matrix = np.zeros((len(marks), len(distinct)))
    np.add.at(matrix, (np.arange(len(marks))[:, None], columns.reshape(keys.shape)), chances)
    return [(scoring.shown, key) for key in distinct.tolist()], matrix
