"""Strategies against each other: all play the same secrets, and every two are compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from puzzlehunt import __version__
from puzzlehunt.errors import StrategyError, UnknownNameError, unknown
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.lab.outcomes import Guesses, Outcomes
from puzzlehunt.lab.paired import Difference, difference, holm, interval
from puzzlehunt.lab.tournament import Result, check_name, run, summary
from puzzlehunt.lab.work import LAB_ONLY
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.views.markup import Markup, Table, lines

CountName: TypeAlias = Literal["played", "known"]
COUNTS: tuple[CountName, ...] = get_args(CountName)
"""Guesses until the secret is played, or until one candidate is left."""
REAL = 0.05
"""Differences whose p-value, corrected for their number, is below this are called real."""

_KEYS = ("pool", "ties", "opening")
_CHOICES = {"pool": ("candidates", "secrets", "all"), "ties": ("first", "candidate")}


def contender(game: Game, text: str) -> Game:
    """Return the game as one contender plays it: `minimax`, or `minimax pool=candidates`.

    After the strategy may stand pool, ties and opening, where they are its own. Raises
    UnknownNameError, InvalidCodeError.
    """
    name, *settings = text.split()
    changes: dict[str, object] = {"strategy": name}
    for setting in settings:
        key, _, value = setting.partition("=")
        if key not in _KEYS or not value:
            raise UnknownNameError(
                f"--strategy {text!r}: {setting!r} is none of pool=, ties= and opening="
            )
        if value not in _CHOICES.get(key, (value,)):
            raise unknown(key, value, _CHOICES[key])
        changes[key] = value
    check_name(name)
    if name not in LAB_ONLY:
        find_strategy(name)
    own = game.with_play(changes)
    if own.play.opening:
        own.parse_guess(own.play.opening)
    return own


@dataclass(frozen=True, slots=True)
class Pair:
    """Two contenders by name and what they differ by; `adjusted` is p for all pairs together.

    `exact` says that every secret was played, and by nothing that depends on chance: then the
    difference is no estimate, and interval and test speak of secrets drawn anew.
    """

    first: str
    second: str
    difference: Difference
    adjusted: float
    exact: bool

    @property
    def real(self) -> bool:
        """Whether there is a difference: exactly, or beyond what chance would do."""
        return self.difference.total != 0 if self.exact else self.adjusted < REAL

    @property
    def sentence(self) -> str:
        """What the difference is, and whether it is real, in a sentence."""
        found = self.difference
        if not found.total:
            same = f"{self.first} and {self.second} take as many guesses"
            return f"{same}: every secret was played." if self.exact else f"{same} here."
        fewer, more = (self.first, self.second) if found.mean < 0 else (self.second, self.first)
        told = f"{fewer} takes {abs(found.mean):.4f} guesses fewer than {more}"
        if self.exact:
            return f"{told}: real, and exact, as every secret was played."
        about = f"{self._range}p {write_p(self.adjusted)}"
        told = f"{told} ({about})"
        return f"{told}: real." if self.real else f"{told}: no more than chance would do."

    @property
    def _range(self) -> str:
        low, high = self.difference.low, self.difference.high
        if low is None or high is None:
            return ""
        ends = sorted((0.0 - low, 0.0 - high) if self.difference.mean < 0 else (low, high))
        return f"95 % {ends[0]:.4f} to {ends[1]:.4f}, "

    def as_json(self) -> dict[str, Any]:
        """Return the pair under the keys of `lab compare --json`."""
        found = self.difference
        return {
            "first": self.first,
            "second": self.second,
            "mean": round(found.mean, 6),
            "total": found.total,
            "low": found.low,
            "high": found.high,
            "p": found.p,
            "adjusted": self.adjusted,
            "exact": self.exact,
            "real": self.real,
            "sentence": self.sentence,
        }


@dataclass(frozen=True)
class Comparison:
    """The results of some contenders by name, on the same secrets, and every pair of them."""

    game: Game
    name: str
    results: dict[str, Result]
    count: CountName
    sampled: bool
    repeatable: frozenset[str]
    """The contenders whose guesses depend on the answers alone."""

    @classmethod
    def of(cls, result: Result, count: CountName = "played") -> "Comparison":
        """Return a single result as one that is compared with nothing."""
        sampled = len(result.outcomes) < result.game.secrets.size
        surely = frozenset([result.game.play.strategy] if repeats(result.game) else [])
        results = {result.game.play.strategy: result}
        return cls(result.game, result.name, results, count, sampled, surely)

    @property
    def games(self) -> int:
        """How many secrets each contender played."""
        return len(next(iter(self.results.values())).outcomes)

    @cached_property
    def pairs(self) -> list[Pair]:
        """Every two contenders, in the order in which they were named."""
        couples = list(combinations(self.results, 2))
        found = [
            difference(
                guesses(self.results[one].outcomes, self.count),
                guesses(self.results[two].outcomes, self.count),
                self.game.play.seed,
            )
            for one, two in couples
        ]
        adjusted = holm([each.p for each in found])
        exact = [not self.sampled and self.repeatable.issuperset(couple) for couple in couples]
        return [
            Pair(*couple, each, p, surely)
            for couple, each, p, surely in zip(couples, found, adjusted, exact, strict=True)
        ]

    @property
    def headline(self) -> str:
        """What was played and counted, in a line."""
        return f"{self.name}: {self.which}, guesses until {self.count}, seed {self.game.play.seed}"

    @property
    def which(self) -> str:
        """Which secrets were played: `all 1,296 secrets`, `a sample of 200 secrets`."""
        if self.games == 1:
            return "one game"
        return f"{'a sample of' if self.sampled else 'all'} {self.games:,} secrets"

    def table(self) -> Table:
        """Return a row a contender: averages, worst and total in both counts."""
        header = ["strategy", "played", "worst", "total", "known", "worst known", "total known"]
        if self.sampled:
            header.insert(2, "95 %")
        rows = []
        for name, result in self.results.items():
            cells = [name]
            for count in COUNTS:
                told = summary(getattr(result, count))
                cells += [f"{told['average']:.4f}", str(told["worst"]), f"{told['total']:,}"]
            if self.sampled:
                values = guesses(result.outcomes, "played").astype(np.int64)
                low, high = interval(values, np.random.default_rng(self.game.play.seed))
                cells.insert(2, "" if low is None or high is None else f"{low:.3f}-{high:.3f}")
            rows.append(cells)
        return Table.of(header, rows, left=["strategy"])

    def pairs_table(self) -> Table:
        """Return a row a pair: the mean difference, its interval, and p as it is and for all."""
        header = ["pair", "difference", "95 %", "p", "p of all pairs", "real"]
        return Table.of(header, map(self._pair_row, self.pairs), left=["pair", "real"])

    @staticmethod
    def _pair_row(pair: Pair) -> list[str]:
        found = pair.difference
        ends = "" if found.low is None else f"{found.low:+.4f} to {found.high:+.4f}"
        real = "yes, exact" if pair.exact else "yes"
        return [
            f"{pair.first} - {pair.second}",
            f"{found.mean:+.4f}",
            ends,
            write_p(found.p),
            write_p(pair.adjusted),
            real if pair.real else "no",
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the comparison under the keys of `lab compare --json`."""
        results = []
        for name, result in self.results.items():
            told = result.as_json()
            results.append({"name": name, **told})
        return {
            "game": self.name,
            "hash": fingerprint(self.game),
            "version": __version__,
            "seed": self.game.play.seed,
            "count": self.count,
            "games": self.games,
            "sampled": self.sampled,
            "results": results,
            "pairs": [pair.as_json() for pair in self.pairs],
        }

    def _repr_html_(self) -> Markup:
        sentences = [pair.sentence for pair in self.pairs]
        shown = [self.headline, self.table()._repr_html_(), self.pairs_table()._repr_html_()]
        return lines(*shown, *sentences)


def compare(
    game: Game,
    name: str,
    contenders: Sequence[str],
    secrets: int | None = None,
    budget: int | None = None,
    count: CountName = "played",
    progress: Callable[[int], None] = lambda _done: None,
) -> Comparison:
    """Return how contenders do against the same secrets: all, or a seeded sample of `secrets`.

    A contender is a strategy's name, with `pool=`, `ties=` and `opening=` after it where they are
    not the game's: see `contender`. Raises UnknownNameError for contenders that are not at least
    two, or the same, and what `run` raises.
    """
    if len(contenders) < 2 or len(set(contenders)) < len(contenders):
        raise UnknownNameError("give two strategies or more, each once: --strategy A --strategy B")
    return played(game, name, contenders, secrets, budget, count, progress)


def played(
    game: Game,
    name: str,
    contenders: Sequence[str],
    secrets: int | None = None,
    budget: int | None = None,
    count: CountName = "played",
    progress: Callable[[int], None] = lambda _done: None,
) -> Comparison:
    """Return what `compare` does, of one contender or more."""
    games = {text: contender(game, text) for text in contenders}
    results = {}
    for text, own in games.items():
        result = run(own, name, secrets, budget, progress)
        results[text] = replace(result, outcomes=in_code_order(result.outcomes))
    first = next(iter(results.values())).outcomes
    for text, result in results.items():
        if not np.array_equal(first.secrets, result.outcomes.secrets):
            raise StrategyError(f"{text} did not play the secrets that the others did")
    repeatable = frozenset(text for text, own in games.items() if repeats(own))
    sampled = secrets is not None and len(first) < game.secrets.size
    return Comparison(game, name, results, count, sampled, repeatable)


def repeats(game: Game) -> bool:
    """Return whether each secret is always played the same way: nothing is drawn by lot."""
    told = all(gift in ("first", "sum") for gift in game.gives)
    name = game.play.strategy
    by_lot = name not in LAB_ONLY and not find_strategy(name).deterministic
    return told and not by_lot and not game.channel.weighs


def in_code_order(outcomes: Outcomes) -> Outcomes:
    """Return the same games, their secrets in code order."""
    return Outcomes.joined([outcomes])


def guesses(outcomes: Outcomes, count: CountName) -> Guesses:
    """Return what each game took, in one of the two counts."""
    return outcomes.played if count == "played" else outcomes.known


def write_p(p: float) -> str:
    """Return a p-value as it is read: `0.03`, `< 0.0001`."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"
