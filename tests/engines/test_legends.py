"""The joint posterior of meanings and secrets equals a direct sum over `rule.score`."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations, product

import numpy as np
import pytest

import puzzlehunt
from puzzlehunt.engines.legends import NOT_READ, NOTHING, Hypothesis, LegendPosterior, Legends
from puzzlehunt.engines.scorings import Answering
from puzzlehunt.kernels.packed_codes import code_of

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
# Gauss and Legendre's rule is exact for the polynomials of these games. One axis for each kind.
_APART = np.stack(np.meshgrid(*[(_NODES + 1) / 2] * 3, indexing="ij"))
_RATES = {"whole": np.ones((3, 1)), "alike": np.stack([(_NODES + 1) / 2] * 3), "apart": _APART}
_SHARES = {
    "whole": 1.0,
    "alike": _WEIGHTS / 2,
    "apart": np.prod(np.meshgrid(*[_WEIGHTS / 2] * 3, indexing="ij"), axis=0),
}
_READINGS = (("whole", 0.5), ("alike", 0.25), ("apart", 0.25))


@cache
def chance(marks: tuple[int, ...], row: str, signs: tuple[str, ...], rates: str, ordered: bool):
    """Return the chance of a row, for each rate at which marks are read.

    `marks` has the kind of each mark, -1 for one without a sign; `signs` are those of the kinds,
    of an unread mark, and one that means nothing.
    """
    *of_kind, unread, nothing = signs
    total = np.zeros(_RATES[rates].shape[1:])
    kept = [sign for sign in row if sign != nothing]
    for read in product((True, False), repeat=len(marks)):
        share, told = np.ones(total.shape), []
        for kind, is_read in zip(marks, read, strict=True):
            if kind < 0:
                share = share * is_read  # a mark without a sign: count it once
                continue
            rate = _RATES[rates][kind]
            share = share * (rate if is_read else 1 - rate)
            told.append(of_kind[kind] if is_read else unread)
        if not ordered:
            # A mark that was not read may be left out, if no sign of its own says so.
            told, kept = ([s for s in sorted(each) if s != "_"] for each in (told, kept))
        total += share * (list(told) == list(kept))
    return total / (len(marks) + 1) if nothing and not ordered else total


def order_chance(rows: list[str]) -> float:
    """Return the chance of the order of signs in tallies, given how many there are."""
    shuffled = 1.0
    for row in rows:
        shuffled *= math.prod(map(math.factorial, Counter(row).values()))
        shuffled /= math.factorial(len(row))
    orders = list(permutations({sign for row in rows for sign in row} - {"_"}))
    fitting = [
        order
        for order in orders
        if all(
            order.index(a) <= order.index(b)
            for row in rows
            for a, b in pairwise(row.replace("_", ""))
        )
    ]
    return (shuffled + len(fitting) / len(orders)) / 2


def direct(legends: Legends, rows: list[tuple]) -> Iterator[tuple[Hypothesis, tuple, float]]:
    """Yield (hypothesis, secret, weight) by definition, for answers that are signs."""
    texts = [text for _, text in rows]
    seen = list(dict.fromkeys(sign for text in texts for sign in text if sign != "_"))
    has_unread = any("_" in text for text in texts)
    for scoring in legends.scorings:
        ordered, kinds = scoring.shown == "tiles", list(scoring.kinds)
        if scoring.shown not in ("tiles", "tally"):
            continue
        for reading, share in _READINGS:
            if reading == "whole" and has_unread:
                continue
            odd = [NOT_READ] if reading != "whole" and not has_unread else []
            for meaning in permutations([*kinds, *odd, *([] if ordered else [NOTHING])], len(seen)):
                known = sum(kind in kinds for kind in meaning)
                prior = math.exp(scoring.log_prior) * share * 0.05 ** (len(seen) - known)
                prior /= math.perm(len(kinds), known)
                prior *= 1 if ordered else order_chance(texts) / 2
                of = dict(zip(meaning, seen, strict=True))
                odd_signs = of.get(NOT_READ, "_"), of.get(NOTHING, "")
                signs = (*(of.get(kind, "!") for kind in kinds), *odd_signs)
                hypothesis = Hypothesis(
                    scoring.rule.name,
                    scoring.options,
                    scoring.shown,
                    scoring.reversed,
                    tuple(zip(seen, meaning, strict=True)),
                )
                for silent in [False] if ordered or kinds[-1] in meaning else [False, True]:
                    for code in legends.game.secrets:
                        if any(guess == code for guess, _ in rows):
                            continue
                        total = np.ones(1)
                        for guess, text in rows:
                            marks = marks_of(scoring, guess, code)
                            last = len(kinds) - 1
                            marks = tuple(-1 if silent and k == last else k for k in marks)
                            total = total * chance(marks, text, signs, reading, ordered)
                        weight = float(np.sum(total * _SHARES[reading]))
                        yield hypothesis, code, weight * prior


def marks_of(scoring: Answering, guess: tuple, secret: tuple) -> tuple[int, ...]:
    """Return the kind of each mark of a score."""
    if scoring.reversed:
        guess, secret = secret, guess
    feedback, last = scoring.rule.score(guess, secret), len(scoring.kinds) - 1
    if scoring.rule.positional:
        return tuple(feedback)
    counts = [*feedback[:last], len(guess) - sum(feedback[:last])]
    return tuple(kind for kind, number in enumerate(counts) for _ in range(number))


@pytest.mark.parametrize("seed", range(8))
def test_the_posterior_is_the_direct_sum(seed: int) -> None:
    rng = random.Random(seed)
    game = puzzlehunt.load(rng.choice(["2x3", "3x2"]), {"legend": "unknown"})
    legends = Legends(game, own_rule=False)
    with_signs = [one for one in legends.scorings if one.shown in ("tiles", "tally")]
    scoring, *_ = legends.scorings = rng.sample(with_signs, 3)
    secret, *guesses = rng.sample(list(game.secrets), 3)
    signs, rate = rng.sample("XYZ", len(scoring.kinds)), rng.choice([1, 1, 0.6])
    rows = []
    for guess in guesses:
        marks = list(marks_of(scoring, guess, secret))
        if scoring.shown == "tally":
            rng.shuffle(marks)
        rows.append((guess, "".join(signs[k] if rng.random() < rate else "_" for k in marks)))
    found = LegendPosterior(legends, [game.turn(guess, text) for guess, text in rows])
    meanings, secrets = Counter[Hypothesis](), Counter[tuple]()
    for hypothesis, code, weight in direct(legends, rows):
        meanings[hypothesis] += weight
        secrets[code] += weight
    total = meanings.total()
    for hypothesis, weight in meanings.items():
        assert found.hypotheses.get(hypothesis, 0) == pytest.approx(weight / total, abs=1e-8)
    for place, code in enumerate(map(code_of, legends.codes)):
        assert found.secrets[place] == pytest.approx(secrets[code] / total, abs=1e-8)


def test_games_with_other_rules_behind_their_marks_differ() -> None:
    games = [puzzlehunt.load("3x4", {"legend": "unknown", "rule": one}) for one in ("pegs", "near")]
    assert games[0] != games[1]
    assert games[0] == puzzlehunt.load("3x4", {"legend": "unknown", "rule": "pegs"})
