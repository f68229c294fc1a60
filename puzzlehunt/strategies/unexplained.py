"""The next guess if nobody knows what the marks mean: it tells most about meaning and secret.

The value of a guess is the mutual information, in bits, between what will be shown, and the
hypothesis and the secret together. What it tells about the secret counts whole, what it tells about
the hypothesis in part. Both are computed for the likeliest hypotheses, a weighted sample of the
secrets, and a sample of the guesses. A sign that was not seen yet counts as one that will be told
apart from all others.

Shapes of arrays: G guesses, S secrets of the sample, F feedbacks, K kinds of marks, P marks of a
feedback, R sets of marks that are read, O answers that may be shown.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count, product

import numpy as np

from puzzlehunt.channel.likelihood import Counts
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.legends import Joint, LegendPosterior
from puzzlehunt.engines.scorings import Answering
from puzzlehunt.kernels.feedback_matrix import Table, entropy_terms, table_partitions, unsigned_type
from puzzlehunt.kernels.packed_codes import Indices, array_of, code_of
from puzzlehunt.strategies.base import Suggestion, named
from puzzlehunt.strategies.measures import DECIMALS, Values

_MOST_HYPOTHESES, _MOST_SECRETS, _MOST_GUESSES, _MOST_CANDIDATES = 24, 200, 60, 20
_ENOUGH = 0.95
"""The share of the hypotheses' probability that is computed with."""
_WIN_BITS = 2.0
"""What the chance to be right is worth in the choice of a guess (bits)."""
_MEANING = 0.2
"""What a bit about the hypothesis is worth in bits about the secret."""
_UNREAD, _TOKENS = 0, 64
"""The token of a mark that is not read, and more than the number of others: signs, unseen kinds."""


def suggestions(posterior: LegendPosterior, seed: int, top: int) -> list[Suggestion]:
    """Return the `top` guesses that tell most; if the secret is open, being right is worth more."""
    guesses = _pool_of(posterior, seed)
    bits, secret_bits = _bits(posterior, guesses, seed)
    chances = [posterior.chance(guess) for guess in guesses]
    worth = secret_bits + _MEANING * (bits - secret_bits)
    if len(posterior.legends.codes) > 1:
        worth += _WIN_BITS * np.array(chances)
    order = np.argsort(-np.round(worth, DECIMALS), kind="stable")[:top].tolist()
    ranked = (
        Suggestion(guesses[n], round(float(bits[n]), 4), None, chances[n] > 0, chances[n])
        for n in order
    )
    return [named(posterior.legends.game, one) for one in ranked]


def _pool_of(posterior: LegendPosterior, seed: int) -> list[Code]:
    rng = np.random.default_rng([seed, len(posterior.items)])
    codes, secrets = posterior.legends.codes, posterior.secrets
    best = np.argsort(-np.round(secrets, DECIMALS), kind="stable")[:_MOST_CANDIDATES]
    pool = [code_of(codes[place]) for place in best if secrets[place] > 0]
    guesses = posterior.legends.guesses
    chosen = rng.permutation(len(guesses))[:_MOST_GUESSES]
    return list(dict.fromkeys([*pool, *(code_of(guesses[place]) for place in chosen)]))


def _bits(posterior: LegendPosterior, guesses: list[Code], seed: int) -> tuple[Values, Values]:
    """Return the bits (G,) that guesses tell, and those about the secret.

    The latter are what they tell about it if the hypothesis is known.
    """
    numbers: dict[object, int] = {}  # of the answers that may be shown
    answers = list[tuple[list[int], Values]]()
    # The entropy of what is shown, if hypothesis and secret are known, or the hypothesis alone.
    noise, entropy = np.zeros(len(guesses)), np.zeros(len(guesses))
    for _, chance, shown, chances, uncertain in shown_by(posterior, guesses, seed):
        answers.append(([numbers.setdefault(key, len(numbers)) for key in shown], chances))
        noise += uncertain
        entropy += chance * entropy_terms(chances / (chance or 1.0)).sum(axis=1)
    total = np.zeros((len(guesses), len(numbers)))
    for columns, chances in answers:
        total[:, columns] += chances
    total /= total.sum(axis=1, keepdims=True)
    secret_bits = np.maximum(entropy - noise, 0.0)
    return np.maximum(entropy_terms(total).sum(axis=1) - noise, secret_bits), secret_bits


def shown_by(
    posterior: LegendPosterior, guesses: Sequence[Code], seed: int
) -> Iterator[tuple[Joint, float, list[object], Values, Values]]:
    """Yield what G guesses will show, for each of the likeliest hypotheses.

    A hypothesis comes with its chance, O answers that may be shown, as keys, the chances (G, O) of
    the hypothesis and each answer, and the bits (G,) of the answer if the secret is known, too.
    """
    legends = posterior.legends
    chances = np.array(posterior.chances)
    enough = int(np.searchsorted(np.cumsum(chances), _ENOUGH)) + 1
    chances = chances[: min(enough, _MOST_HYPOTHESES)]
    chances /= chances.sum()
    rng = np.random.default_rng([seed, len(posterior.items)])
    places, multipliers = _sample(posterior.secrets, rng)
    codes = array_of(guesses, legends.game.length)

    @cache
    def feedbacks(scoring: Answering) -> tuple[Counts, Table]:
        """Return the feedbacks (F,) that occur, and each guess's to each secret (G, S) in them."""
        table = scoring.table(scoring.rule.rows(codes), legends.rows(scoring.rule)[places])
        present, indices = np.unique(table, return_inverse=True)
        kind = unsigned_type(len(present))
        return present.astype(np.int64), indices.reshape(table.shape).astype(kind)

    for joint, chance in zip(posterior.joints, chances.tolist(), strict=False):
        scoring = joint.scoring
        present, table = feedbacks(scoring)
        secrets = np.zeros(len(legends.codes))
        secrets[joint.places] = joint.secrets
        weights = secrets[places] * multipliers
        weights *= chance / (weights.sum() or 1.0)
        feedback_chances = table_partitions(table, len(present), weights)
        marks = scoring.shown_feedbacks(present, guesses[0])
        keys, matrix = _channel(scoring, marks, _tokens(joint), posterior.rates(joint))
        wins = present == scoring.rule.winning_index
        matrix[wins] = 0.0
        matrix = np.column_stack((matrix, wins))
        noise = feedback_chances @ entropy_terms(matrix).sum(axis=1)
        yield joint, chance, [*keys, "won"], feedback_chances @ matrix, noise


def _sample(secrets: Values, rng: "np.random.Generator") -> tuple[Indices, Values]:
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
    kinds, unseen = len(joint.scoring.kinds), count(len(joint.kind_of) + 1)
    tokens = []
    for kind in range(kinds):
        has_none = joint.scoring.shown == "numbers" or (joint.silent and kind == kinds - 1)
        if kind in joint.kind_of:
            tokens.append(joint.kind_of.index(kind) + 1)
        elif has_none:
            tokens.append(_UNREAD)
        else:
            tokens.append(next(unseen))
    return tokens


def _channel(
    scoring: Answering, marks: Counts, tokens: Sequence[int], rates: Sequence[float]
) -> tuple[list[object], Values]:
    """Return O answers as keys, and (F, O): their chances for feedbacks with these marks.

    `marks` come from `shown_feedbacks`; `tokens` and `rates` are of each kind.
    """
    if scoring.shown == "answer":
        return [("answer", number) for number in marks[:, 0].tolist()], np.eye(len(marks))
    kinds = marks  # (F, P), of each mark
    if not scoring.by_place:
        # One kind after the other, in any order; at last one of missing marks, never seen.
        missing = marks.sum(axis=1).max() - marks.sum(axis=1)
        times, every_kind = np.column_stack((marks, missing)), np.arange(marks.shape[1] + 1)
        kinds = np.array([np.repeat(every_kind, row) for row in times])
    mark_tokens, rate = np.array([*tokens, _UNREAD])[kinds], np.array([*rates, 1.0])[kinds]
    places = np.arange(kinds.shape[1])
    # Whether each mark is read (R, P): all of them, or any.
    may_be = [True] if (rate == 1).all() else [True, False]
    is_read = np.array(list(product(may_be, repeat=len(places))))
    chances = np.where(is_read, rate[:, None], 1 - rate[:, None]).prod(axis=2)
    # An answer's key is the sum of random numbers of its tokens, at their places if these are seen.
    shape = len(places), _TOKENS
    random_numbers = np.random.default_rng(0).integers(1, 2**64, shape, dtype=np.uint64)
    random_numbers[:, _UNREAD] = 0
    row = places if scoring.by_place else 0
    keys = random_numbers[row, mark_tokens] @ is_read.T.astype(np.uint64)
    distinct, columns = np.unique(keys, return_inverse=True)
    matrix = np.zeros((len(marks), len(distinct)))
    np.add.at(matrix, (np.arange(len(marks))[:, None], columns.reshape(keys.shape)), chances)
    return [(scoring.shown, key) for key in distinct.tolist()], matrix
