"""Comparisons of strategies that play the same secrets, and published results beside them.

Published figures are in `published.yaml`; each entry names its source and what is counted.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from textwrap import shorten

import numpy as np

from puzzlehunt.errors import UnknownNameError, check_type, counted, unknown_name
from puzzlehunt.game.files.document import read_file
from puzzlehunt.game.files.gamefile import GameLike, as_game, load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Tabled
from puzzlehunt.game.play import strategy_name
from puzzlehunt.lab.batches import Player, name_of, open_player
from puzzlehunt.lab.statistics import COUNTS, CountName, Difference, GuessNumbers, differences
from puzzlehunt.lab.tournament import Tournament, run
from puzzlehunt.strategies.registry import StrategyLike
from puzzlehunt.strategies.search.tree_file import nameless_fingerprint


@dataclass(frozen=True, slots=True)
class Pair:
    """Two contenders of a comparison, and how many more guesses the first took than the second.

    - `exact`: whether both contenders played every secret, and always make the same guesses for a
      secret. The difference is then no estimate. Its interval and p-value still describe what as
      many secrets drawn at random would show
    - `lost`: how many more secrets the first contender lost than the second; None if no contender
      of the comparison lost any. In a ranking, lost secrets count before guesses
    """

    first: str
    second: str
    difference: Difference
    exact: bool
    lost: Difference | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Tabled):
    """The result of each contender on the same secrets, and the differences of all pairs.

    A frame has a row for each secret: its text, and the guesses of each contender.

    >>> comparison = puzzlehunt.compare("2x2", ["first", "minimax"])
    >>> comparison.ranking
    ['first', 'minimax']
    """

    game: Game
    game_name: str
    results: dict[str, Tournament]
    count: CountName = "played"

    def __repr__(self) -> str:
        names = shorten(", ".join(self.results), 100)
        return f"<Comparison in {self.game_name!r}, {counted(self.games, 'game')}: {names}>"

    def _columns(self) -> dict[str, Sequence[object]]:
        texts = next(iter(self.results.values()))._columns()["secret"]
        return {"secret": texts} | {name: each.tolist() for name, each in self.guesses.items()}

    @property
    def games(self) -> int:
        """How many secrets each contender played."""
        return len(next(iter(self.results.values())).secrets)

    @property
    def sampled(self) -> bool:
        """Whether not all secrets were played."""
        return any(result.sampled for result in self.results.values())

    @property
    def guesses(self) -> dict[str, GuessNumbers]:
        """For each contender, the guesses of its N games (N,), counted as `count` says."""
        return {name: result.guesses[self.count] for name, result in self.results.items()}

    @cached_property
    def pairs(self) -> list[Pair]:
        """The differences of every two contenders, in the order in which these were named."""
        seed = self.game.play.seed
        names, results = combinations(self.results, 2), self.results.values()
        guesses = differences(combinations(self.guesses.values(), 2), seed)
        lost: Sequence[Difference | None] = [None] * len(guesses)
        if any(result.losses for result in results):
            numbers = [np.asarray(result.lost, np.int32) for result in results]
            lost = differences(combinations(numbers, 2), seed)
        exact = [not self.sampled and Player(result.game).repeatable for result in results]
        pairs = zip(names, guesses, map(all, combinations(exact, 2)), lost, strict=True)
        return [Pair(*both, each, is_exact, more) for both, each, is_exact, more in pairs]

    @property
    def ranking(self) -> list[str]:
        """The contenders, the best first: fewest secrets lost, then fewest guesses on average."""
        merits = {
            name: (result.losses or 0, result.summary(self.count).total)
            for name, result in self.results.items()
        }
        return sorted(merits, key=merits.__getitem__)


def compare(
    game: GameLike,
    contenders: Sequence[StrategyLike],
    *,
    secrets: int | None = None,
    budget: int | None = None,
    count: CountName = "played",
    progress: Callable[[int], None] = lambda _done: None,
    name: str = "",
) -> Comparison:
    """Let strategies play the same secrets, and return the comparison.

    `game` is as in `candidates`. The comparison shows it as `name`, by default its name
    or title. Each contender is the name of a strategy, or a strategy itself, such as a function of
    counts. `secrets` is how many secrets are drawn (seeded by the game); None for all.
    Raises UnknownNameError for no contenders or two of one name, and what `run` raises.

    >>> puzzlehunt.compare("3x4", ["parts", "first"]).pairs[0].difference.total
    -42
    """
    if count not in COUNTS:
        raise unknown_name("count", count, COUNTS)
    check_type("contenders", contenders, Sequence, "strategies such as ['entropy', 'parts']")
    if isinstance(contenders, str) or not contenders:
        raise UnknownNameError(
            f"expected strategies, as in ['entropy', 'parts'], not {contenders!r:.60}"
        )
    named, game = game, as_game(game)
    name = name or name_of(named, game)
    players = {strategy_name(each): open_player(game, each, budget) for each in contenders}
    if len(players) < len(contenders):
        twice = Counter(map(strategy_name, contenders)).most_common(1)[0][0]
        raise UnknownNameError(f"name each strategy once: there are two called {twice!r}")
    results = {
        text: run(player, name=name, secrets=secrets, progress=progress)
        for text, player in players.items()
    }
    return Comparison(game, name, results, count)


# Published results, for comparison with one's own.

FILE = Path(__file__).with_name("published.yaml")
_NUMBERS: dict[str, type] = {"total": int, "worst": int, "attempts": int, "average": float}


@dataclass(frozen=True, slots=True)
class Published:
    """A published result of a strategy in a game: its figures, what they count, and the source.

    `games` is how many secrets the game has. A figure that the source does not give is None. A
    setting that is None is not part of the strategy's definition.
    """

    game: str
    strategy: str
    count: CountName
    source: str
    games: int
    pool: str | None = None
    ties: str | None = None
    opening: str | None = None
    attempts: int | None = None
    definition: str = ""
    average: float | None = None
    total: int | None = None
    worst: int | None = None
    histogram: dict[int, int] = field(default_factory=dict)

    @property
    def mean(self) -> float | None:
        """The average number of guesses: from the published total if there is one."""
        return self.average if self.total is None else self.total / self.games

    def fits(self, result: Tournament) -> bool:
        """Return whether a result is of the same strategy and settings, on all secrets."""
        game, play = result.game, result.game.play
        if play.strategy != self.strategy or len(result.secrets) != self.games:
            return False
        opening = load(self.game).parse_guess(self.opening) if self.opening else None
        opens_alike = opening == (game.parse_guess(play.opening) if play.opening else None)
        # A row without a limit fits any limit that no game exceeds.
        within = self.attempts is None and (self.worst or 0) <= (play.attempts or 0)
        one_pool = game.guesses == game.secrets and {self.pool, play.pool} == {"all", "secrets"}
        chooses_alike = self.pool in (None, play.pool) or one_pool
        ends_alike = within or self.attempts == play.attempts
        return opens_alike and ends_alike and chooses_alike and self.ties in (None, play.ties)


def published(game: GameLike) -> list[Published]:
    """Return the published results of a game, in the file's order; symbols may have other names.

    `game` is as in `candidates`.

    >>> from puzzlehunt.lab.comparison import published
    >>> any(row.strategy == "minimax" and row.worst == 5 for row in published("mastermind"))
    True
    """
    wanted = nameless_fingerprint(as_game(game))
    return [row for row in all_published() if nameless_fingerprint(load(row.game)) == wanted]


def all_published() -> list[Published]:
    """Return every published result."""
    rows = []
    for value in read_file(FILE).value["tables"]:
        row = value | {key: of(value[key]) for key, of in _NUMBERS.items() if key in value}
        row["histogram"] = {int(n): int(games) for n, games in value.get("histogram", {}).items()}
        rows.append(Published(games=load(value["game"]).secrets.size, **row))
    return rows
