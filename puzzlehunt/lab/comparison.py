"""Comparisons of strategies that play the same secrets: results, differences and a ranking."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np

from puzzlehunt.errors import StrategyError, UnknownNameError, check_type, counted, unknown_name
from puzzlehunt.game.files.gamefile import as_game
from puzzlehunt.game.frames import frame
from puzzlehunt.game.game import Game
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.game.play import strategy_name
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.lab.batches import LAB_ONLY
from puzzlehunt.lab.guess_counts import COUNTS, CountName, GuessNumbers, guesses_of
from puzzlehunt.lab.statistics import Difference, difference, holm
from puzzlehunt.lab.tournament import Tournament, check_name, name_of, run
from puzzlehunt.strategies.registry import StrategyLike, find_strategy

if TYPE_CHECKING:
    from pandas import DataFrame

REAL_BELOW = 0.05
"""A difference is more than chance if its p-value, corrected for all pairs, is below this."""

_SETTINGS = ("pool", "ties", "opening")
"""Keys of `play` that a contender may set for itself."""
_CHOICES = {"pool": ("candidates", "secrets", "all"), "ties": ("first", "candidate")}


def contender(game: Game, text: StrategyLike) -> Game:
    """Return a game with the settings of a contender, such as `minimax pool=candidates`.

    The text is the name of a strategy. Settings of `pool`, `ties` and `opening` may follow it, and
    replace those of the game. A strategy itself may be given in place of a text. Raises
    UnknownNameError for an unknown name or setting, InvalidCodeError for an opening that is no
    guess.
    """
    if not isinstance(text, str):
        find_strategy(text)
        return game.with_play({"strategy": text})
    if not text.strip():
        raise UnknownNameError("--strategy: expected the name of a strategy; none is given")
    name, *settings = text.split()
    changes: dict[str, object] = {"strategy": name}
    for setting in settings:
        key, _, value = setting.partition("=")
        if key not in _SETTINGS or not value:
            raise UnknownNameError(
                f"--strategy {text!r}: {setting!r} is none of pool=, ties= and opening="
            )
        if value not in _CHOICES.get(key, (value,)):
            raise unknown_name(key, value, _CHOICES[key])
        changes[key] = value
    check_name(name)
    if name not in LAB_ONLY:
        find_strategy(name)
    contender_game = game.with_play(changes)
    if contender_game.play.opening:
        contender_game.parse_guess(contender_game.play.opening)
    return contender_game


@dataclass(frozen=True, slots=True)
class Pair:
    """Two contenders of a comparison, and the difference of their guesses.

    - `first`, `second`: the names of the contenders
    - `difference`: how many more guesses the first contender took than the second
    - `adjusted_p`: the p-value of the difference (0 to 1), corrected for the number of pairs
    - `exact`: whether both contenders played every secret, and always make the same guesses for a
      secret. The difference is then no estimate. Its interval and p-value still describe what as
      many secrets drawn at random would show
    - `lost`: how many more secrets the first contender lost than the second; None if no contender
      of the comparison lost any. In a ranking, lost secrets count before guesses
    - `adjusted_lost_p`: the corrected p-value of `lost` (0 to 1); None if `lost` is None
    """

    first: str
    second: str
    difference: Difference
    adjusted_p: float
    exact: bool
    lost: Difference | None = None
    adjusted_lost_p: float | None = None

    @property
    def real(self) -> bool:
        """Whether the difference is significant: `adjusted_p` is below REAL_BELOW."""
        return self.adjusted_p < REAL_BELOW


@dataclass(frozen=True, repr=False)
class Comparison(NotebookShown):
    """The result of each contender on the same secrets, and the differences of all pairs.

    >>> import puzzlehunt
    >>> comparison = puzzlehunt.compare("2x2", ["first", "minimax"])
    >>> comparison.ranking, len(comparison)
    (['first', 'minimax'], 2)
    """

    game: Game
    game_name: str
    results: dict[str, Tournament]
    count: CountName
    sampled: bool
    repeatable: frozenset[str]
    """The contenders that always make the same guesses for the same secret."""

    @classmethod
    def of(cls, result: Tournament, *, count: CountName = "played") -> "Comparison":
        """Return a comparison that holds one result, and so has no pairs."""
        sampled = len(result.outcomes) < result.game.secrets.size
        name = result.game.play.strategy_name
        repeatable = frozenset([name] if is_repeatable(result.game) else [])
        results = {name: result}
        return cls(result.game, result.game_name, results, count, sampled, repeatable)

    def __repr__(self) -> str:
        names = shorten(", ".join(self.results), 100)
        return f"<Comparison in {self.game_name!r}, {counted(self.games, 'game')}: {names}>"

    def __hash__(self) -> int:
        return hash((self.game, *self.results))

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __getitem__(self, contender: str) -> Tournament:
        if contender not in self.results:
            raise unknown_name("contender", contender, self.results)
        return self.results[contender]

    @property
    def games(self) -> int:
        """How many secrets each contender played."""
        return len(next(iter(self.results.values())).outcomes)

    @property
    def guesses(self) -> dict[str, GuessNumbers]:
        """For each contender, the guesses of its N games (N,), counted as `count` says."""
        return {
            name: guesses_of(result.outcomes, self.count) for name, result in self.results.items()
        }

    def to_frame(self) -> "DataFrame":
        """Return a pandas frame with a row for each secret, in code order.

        The columns are `secret`, its text, and one for each contender: the guesses that it took,
        counted as `count` says. Raises PuzzlehuntError without pandas.
        """
        secrets = map(code_of, next(iter(self.results.values())).outcomes.secrets)
        columns = {name: of.tolist() for name, of in self.guesses.items()}
        return frame({"secret": [self.game.format_code(code) for code in secrets], **columns})

    @cached_property
    def pairs(self) -> list[Pair]:
        """The differences of every two contenders, in the order in which these were named."""
        couples = list(combinations(self.results, 2))
        found = zip(couples, self._differences(self.guesses), strict=True)
        pairs = [
            Pair(first, second, each, p, not self.sampled and {first, second} <= self.repeatable)
            for (first, second), (each, p) in found
        ]
        lost = {name: result.lost for name, result in self.results.items()}
        numbers = {name: of.astype(np.int32) for name, of in lost.items() if of is not None}
        if not any(of.any() for of in numbers.values()):
            return pairs
        return [
            replace(pair, lost=each, adjusted_lost_p=p)
            for pair, (each, p) in zip(pairs, self._differences(numbers), strict=True)
        ]

    def _differences(self, numbers: Mapping[str, GuessNumbers]) -> list[tuple[Difference, float]]:
        """Return how every two contenders differ in some number of each game, with corrected p."""
        seed = self.game.play.seed
        found = [difference(numbers[a], numbers[b], seed) for a, b in combinations(self.results, 2)]
        return list(zip(found, holm([each.p for each in found]), strict=True))

    @property
    def ranking(self) -> list[str]:
        """The contenders, the best first: fewest secrets lost, then fewest guesses on average."""

        def merit(name: str) -> tuple[int, int]:
            result = self.results[name]
            return result.losses or 0, result.summary(self.count).total

        return sorted(self.results, key=merit)


def compare(
    game: Game | str | Path,
    contenders: Sequence[StrategyLike],
    *,
    secrets: int | None = None,
    budget: int | None = None,
    count: CountName = "played",
    progress: Callable[[int], None] = lambda _done: None,
    name: str = "",
) -> Comparison:
    """Let strategies play the same secrets, and return the comparison.

    `game` is a game, its name or its file. The comparison shows it as `name`, by default its name
    or title. Each contender is a text as `contender` reads it, or a strategy itself, such as a
    function of counts. `secrets` is how many secrets are drawn (seeded by the game); None for all.
    Raises UnknownNameError for fewer than two contenders or two of one name, and what `run` raises.

    >>> import puzzlehunt
    >>> puzzlehunt.compare("3x4", ["parts", "first"]).pairs[0].difference.total
    -42
    """
    if count not in COUNTS:
        raise unknown_name("count", count, COUNTS)
    check_type("contenders", contenders, Sequence, "strategies such as ['entropy', 'parts']")
    if isinstance(contenders, str) or len(contenders) < 2:
        raise UnknownNameError(
            f"expected two strategies or more, as in ['entropy', 'parts'], not {contenders!r:.60}"
        )
    return comparison_of(
        game, contenders, secrets=secrets, budget=budget, count=count, progress=progress, name=name
    )


def comparison_of(
    game: Game | str | Path,
    contenders: Sequence[StrategyLike],
    *,
    secrets: int | None = None,
    budget: int | None = None,
    count: CountName = "played",
    progress: Callable[[int], None] = lambda _done: None,
    name: str = "",
) -> Comparison:
    """Return what `compare` does, but allow a single contender, too."""
    game, name = as_game(game), name or name_of(game)
    games = {strategy_name(each): contender(game, each) for each in contenders}
    if len(games) < len(contenders):
        twice = Counter(map(strategy_name, contenders)).most_common(1)[0][0]
        raise UnknownNameError(f"name each strategy once: there are two called {twice!r}")
    results = {}
    for text, contender_game in games.items():
        result = run(contender_game, name=name, secrets=secrets, budget=budget, progress=progress)
        results[text] = replace(result, outcomes=result.outcomes.in_code_order())
    first = next(iter(results.values())).outcomes
    for text, result in results.items():
        if not np.array_equal(first.secrets, result.outcomes.secrets):
            raise StrategyError(f"{text} did not play the secrets that the others did")
    repeatable = frozenset(text for text, each in games.items() if is_repeatable(each))
    sampled = secrets is not None and len(first) < game.secrets.size
    return Comparison(game, name, results, count, sampled, repeatable)


def is_repeatable(game: Game) -> bool:
    """Return whether a game's strategy always makes the same guesses for the same secret."""
    fixed_gifts = all(gift in ("first", "sum") for gift in game.gives)
    name = game.play.strategy
    by_chance = name not in LAB_ONLY and not find_strategy(name).deterministic
    return fixed_gifts and not by_chance and not game.channel.weighs
