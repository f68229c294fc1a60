"""Published results of strategies, for comparison with one's own.

The figures are in `published.yaml`; each entry names its source and what is counted.
"""

from dataclasses import dataclass, field
from pathlib import Path

from puzzlehunt.game.files.document import read_file
from puzzlehunt.game.files.gamefile import GameLike, as_game, load
from puzzlehunt.lab.statistics import CountName
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.strategies.search.tree_file import nameless_fingerprint

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

    >>> from puzzlehunt.lab.published import published
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
