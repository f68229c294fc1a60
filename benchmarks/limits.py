"""A lower bound on the expected guesses of every strategy, where answers are half read or false.

The bound is a function F of the entropy H of the chances of the secrets (bits): whatever a player
does, the game takes F(H) guesses on average, or more.

1. A guess sorts N secrets by the answer that each would give, `n[k]` of them giving answer k. The
   player reads a clue, with the chance `W[k, y]` of clue y after answer k. If the answers have the
   chances q, the clue tells I(q) bits of the secret: the mutual information between k and y.
2. Chances of entropy H have a divergence of log N - H from even chances, and the answers' chances q
   diverge from n / N by no more. So no guess tells more than c(H), the greatest I(q) of all guesses
   and of all q with D(q || n / N) <= log N - H. For every price L >= 0 it is at most

       max I(q) - L * D(q || n / N), over all q and guesses,  + L * (log N - H)

   and for every distribution r of the clues, the maximum over q is at most

       L * log sum (n[k] / N) * 2 ** (D(W[k] || r) / L), over all k.

   The bound uses the least of these over some prices, a concave function of H; r comes from the
   iterations of Blahut and Arimoto (1972). At the least price it is the capacity of the channel.
3. Suppose that the first n guesses number A + B * H on average, or more, for all chances. A guess
   wins with some chance p, which is seen. If it does not win, the entropy was x on average, where
   (1 - p) * x = H - h(p) and h is the binary entropy. The clue leaves x - c(x) or more. So for each
   price the first n + 1 guesses number 1 + (1 - p) * (a + b * x) or more, with b = B * (1 + L), or
   1 - b * log (1 + 2 ** (-a / b)) + b * H for the best p: again a line. As x is at most log N, the
   steeper lines through what is known there are bounds, too (Fano's inequality, in effect).

F is the highest of these lines. All logarithms are to the base 2.

Where all marks are read, the *count* may be a better bound: a losing answer finds at most one more
secret. If a guess has K losing answers, of M secrets at most K ** (t - 1) are found by guess t.
This holds for the secrets of each answer to the first guess. Codes that are too many to list are
bounded by their black marks, which have the same distribution for every guess, as if all numbers of
white marks beside them were equally likely.
"""

import argparse
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from math import comb, log2
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from report import table

from puzzlehunt.channel.likelihood import CountLikelihood
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import array_of

Chances: TypeAlias = npt.NDArray[np.float64]

_PRICES = [0.0001, *np.geomspace(0.004, 5, 14).tolist()]
_MOST_ITERATIONS = 40
_CLOSE = 1e-3
"""Guesses are left out once they tell at most this much more than another one (bits)."""
_ENTROPIES = 200
"""Lines are kept that are the highest at one of so many entropies."""
_STEEPER = np.geomspace(0.01, 10, 30)
"""How much steeper lines through the greatest entropy may be (guesses per bit)."""
_NONE = -1e9
"""The logarithm of 0."""
_LISTED = 1_000_000
"""Codes of larger spaces are bounded by their black marks."""
_COMMON = "secret.words=common"
_MISREAD = "reads={rest: 1, misread: 0.05}"
GAMES: dict[str, tuple[str, list[str], float | None]] = {
    "cryptic": ("cryptic", [], 20.81),
    "fibble, common list": ("fibble", [_COMMON], 4.74),
    "wordle, common list": ("wordle", [_COMMON], 3.5886),
    "the same, 5 % misread": ("wordle", [_COMMON, _MISREAD], None),
    "4x6": ("4x6", [], 4.3403),
    "bulls-and-cows": ("bulls-and-cows", [], 5.2131),
    "16x6": ("16x6", [], 11.21),
    "24x8": ("24x8", [], 19.20),
    "32x10": ("32x10", [], 30.00),
}
"""A game, its settings, and how many guesses play takes on average (docs/benchmarks.md)."""


@dataclass(frozen=True)
class Questions:
    """What may be asked in a game of `secrets` secrets.

    - `shares` (guesses, answers): of each guess, the share of the secrets with each losing answer
    - `channel` (answers, clues): the chance of each clue; None if answers are seen as they are
    """

    secrets: int
    shares: Chances
    channel: Chances | None = None

    @property
    def bits(self) -> float:
        """The entropy of the secrets, all equally likely."""
        return log2(self.secrets)

    @cached_property
    def lines(self) -> Chances:
        """Each price, and the most bits that a guess tells less what they cost (P, 2)."""
        return np.array([[price, self._most(price)] for price in _PRICES])

    def told(self, entropies: Chances) -> Chances:
        """Return the most bits that a guess can tell at each entropy (bits)."""
        prices, bits = self.lines.T[:, :, None]
        return np.asarray((bits + prices * (self.bits - entropies)).min(axis=0))

    def _most(self, price: float) -> float:
        logs = _log(self.shares)
        if self.channel is None:
            return (1 + price) * float(_log_sum(logs * price / (1 + price)).max())
        # The clues of the best first guess show of most guesses that they tell less.
        least, clues = _iterated(self.shares[[self._first]], self.channel, price, 0.0)[1:]
        is_left = _bounds(logs, self.channel, clues, price)[1] > least + _CLOSE
        if not is_left.any():
            return least + _CLOSE
        return _iterated(self.shares[is_left], self.channel, price, least)[0]

    @cached_property
    def _first(self) -> int:
        """The guess that tells most if all secrets are equally likely."""
        assert self.channel is not None
        spread = self.shares @ _entropy(self.channel)
        return int((_entropy(self.shares @ self.channel) - spread).argmax())


def _iterated(
    shares: Chances, channel: Chances, price: float, least: float
) -> tuple[float, float, Chances]:
    """Return an upper and a lower bound on the most bits less the price, and the clues' chances.

    `least` is a lower bound that is known. The clues (guesses, clues) are those of the last guesses
    that were not left out.
    """
    chances, logs = shares, _log(shares)
    for _ in range(_MOST_ITERATIONS):
        clues = chances @ channel
        distances, most = _bounds(logs, channel, clues, price)
        bits = (chances * (distances - price * (_log(chances) - logs))).sum(axis=1)
        least = max(least, float(bits.max()))
        is_left = most > least + _CLOSE
        if not is_left.any():
            break
        chances, distances, logs = chances[is_left], distances[is_left], logs[is_left]
        powers = (_log(chances) + distances + price * logs) / (1 + price)
        chances = 2 ** (powers - _log_sum(powers)[:, None])
    return max(float(most.max()), least + _CLOSE), least, clues


def _bounds(
    logs: Chances, channel: Chances, clues: Chances, price: float
) -> tuple[Chances, Chances]:
    """Return how far each answer's clues are from those (bits), and step 2's bound by them."""
    distances = -_entropy(channel) - _log(clues) @ channel.T
    return distances, price * _log_sum(np.where(logs > _NONE, logs + distances / price, _NONE))


def _log(chances: Chances) -> Chances:
    return np.log2(chances, out=np.full_like(chances, _NONE), where=chances > 0)


def _log_sum(logs: Chances) -> Chances:
    """Return the logarithm of the sum of each row of values, given their logarithms."""
    most = logs.max(axis=1, keepdims=True)
    return np.asarray(most[:, 0] + np.log2((2 ** (logs - most)).sum(axis=1)))


def _entropy(chances: Chances) -> Chances:
    return np.asarray(-(chances * _log(chances)).sum(axis=-1))


def by_entropy(bits: float, lines: Chances, guesses: int | None = None) -> float:
    """Return a lower bound on the average number of guesses, or on that of the first few.

    `bits` is the entropy of the secrets; `lines` are those of `Questions`.
    """
    prices, most = lines.T
    entropies = np.linspace(0, bits, _ENTROPIES)
    starts, slopes = np.zeros(1), np.zeros(1)
    for number in count(1):
        last = float((starts + slopes * bits).max())
        after = starts[:, None] - np.outer(slopes, most + prices * bits)
        after = np.concatenate(([0.0], after.ravel()))
        steep = np.concatenate(([0.0], np.outer(slopes, 1 + prices).ravel()))
        steeper = steep.max() + _STEEPER
        after = np.concatenate((after, (after + steep * bits).max() - steeper * bits))
        steep = np.concatenate((steep, steeper))
        # np.logaddexp2 is log2(2 ** 0 + 2 ** x) here.
        starts = 1 - steep * np.logaddexp2(0, -after / np.maximum(steep, _STEEPER[0] / 1e6))
        slopes = steep
        used = np.unique((starts[:, None] + np.outer(slopes, entropies)).argmax(axis=0))
        starts, slopes = starts[used], slopes[used]
        now = float((starts + slopes * bits).max())
        if number == guesses or now < last + 1e-5:
            return now
    raise AssertionError


def by_count(questions: Questions) -> float:
    """Return a lower bound on the average where answers are seen: every answer finds a secret."""
    most = int((questions.shares > 0).sum(axis=1).max())
    secrets = float(questions.secrets)

    def average(left: float) -> float:
        whole, total = left, 0.0
        for number in count(1):
            found = min(left, float(most) ** (number - 1))
            total, left = total + number * found / whole, left - found
            if left <= 0:
                return total
        raise AssertionError

    averages = [
        sum(share * average(share * (secrets - 1)) for share in shares[shares > 0].tolist())
        for shares in questions.shares
    ]
    return 1 + (1 - 1 / secrets) * float(min(averages))


def questions_of(game: Game) -> Questions:
    """Return what may be asked in a game."""
    secrets = game.secrets.size
    if secrets > _LISTED:
        return Questions(secrets, _by_black_marks(game.length, len(game.alphabet)))
    rule, length = game.rule, game.length
    codes = rule.rows(array_of(list(game.secrets), length))
    guesses = rule.rows(array_of(list(game.guesses), length))
    losing = np.arange(len(rule.feedbacks)) != rule.winning_index
    answers = rule.table(guesses, codes)
    counts = [np.bincount(each, minlength=len(losing))[losing] for each in answers]
    different = np.unique(counts, axis=0).astype(float)
    shares = different / different.sum(axis=1, keepdims=True)
    return Questions(secrets, shares, _channel(game))


def _channel(game: Game) -> Chances | None:
    """Return the chance of each clue after each losing answer; None if answers are seen."""
    rule, channel = game.rule, game.channel
    losing = np.flatnonzero(np.arange(len(rule.feedbacks)) != rule.winning_index)
    if channel.lies.exactly:
        return game.likelihood.false_mark_matrix()[np.ix_(losing, losing)]
    if not channel.reads:
        return None
    if isinstance(game.likelihood, CountLikelihood):
        return game.likelihood.clue_matrix([rate.mean for rate in channel.reads])[losing, :-1]
    feedbacks, guess = rule.feedback_array(losing), (0,) * game.length
    clues = [rule.notation.full_clue(rule.feedbacks[n], guess) for n in losing.tolist()]
    turns = [game.likelihood.turn_likelihood(clue, feedbacks) for clue in clues]
    chances = np.exp(np.array([turn.log_clue for turn in turns])).T
    # A losing row that is misread as a winning one is a clue of its own.
    return np.column_stack((chances, 1 - chances.sum(axis=1)))


def _by_black_marks(length: int, colours: int) -> Chances:
    """Return the shares of a guess of which each number of black marks leaves all whites alike."""
    shares = []
    for black in range(length):
        whites = length - black + 1 if black < length - 1 else 1
        codes = comb(length, black) * (colours - 1) ** (length - black)
        shares += [codes / whites / (colours**length - 1)] * whites
    return np.array([shares])


def bounded(name: str) -> list[str]:
    """Return the row of a game."""
    known, settings, play = GAMES[name]
    questions = questions_of(load(known, settings))
    capacity = float(questions.lines[0, 1])
    crude = by_entropy(questions.bits, questions.lines[:1])
    best = by_entropy(questions.bits, questions.lines)
    counted = by_count(questions) if questions.channel is None else None
    bound = max(best, counted or 0)
    return [
        name,
        f"{questions.bits:.2f}",
        f"{questions.told(np.array([questions.bits]))[0]:.2f}",
        f"{capacity:.2f}",
        f"{crude:.2f}",
        f"{best:.2f}",
        f"{counted:.2f}" if counted else "",
        f"{play:.2f}" if play else "",
        f"{play / bound:.2f}" if play else "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    given = parser.parse_args()
    header = ["game", "bits", "first guess", "capacity", "by capacity", "by entropy", "by count"]
    print(table([*header, "play", "play / bound"], [bounded(name) for name in given.games]))


if __name__ == "__main__":
    main()
