"""Tournaments: a strategy against every secret of a game, or against a seeded sample."""

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes import Code
from puzzlehunt.display import Markup, Table, lines
from puzzlehunt.engines import CountingEngine, Engine, chosen, open_engine
from puzzlehunt.errors import TooLargeError, UnknownNameError
from puzzlehunt.game import Game
from puzzlehunt.history import Fact, Item
from puzzlehunt.host import open_host
from puzzlehunt.kernels import LARGEST_SPACE, code_of, load_compiled
from puzzlehunt.lab.outcomes import Outcomes, histogram
from puzzlehunt.lab.tree import walk
from puzzlehunt.strategies import (
    Adviser,
    Budget,
    Guesses,
    Position,
    Strategy,
    find_strategy,
)
from puzzlehunt.version import __version__

MOST_SECRETS = 1_000_000
_WORTH_COMPILING = 20_000_000


@dataclass(frozen=True, slots=True)
class Result:
    """How a strategy did, game by game."""

    game: Game
    name: str
    opening: Code | None
    outcomes: Outcomes
    seconds: float

    @property
    def played(self) -> Counter[int]:
        """How many secrets took each number of guesses until they were played."""
        return histogram(self.outcomes.played)

    @property
    def known(self) -> Counter[int]:
        """How many secrets took each number of guesses until one candidate was left."""
        return histogram(self.outcomes.known)

    def _repr_html_(self) -> Markup:
        header = ["guesses until", "average", "worst", "total", "guesses: games"]
        rows = []
        for name, counted in (("played", self.played), ("known", self.known)):
            told = summary(counted)
            bars = ", ".join(f"{n}: {times:,}" for n, times in told["histogram"].items())
            average = "" if told["average"] is None else f"{told['average']:.4f}"
            rows.append([name, average, str(told["worst"]), f"{told['total']:,}", bars])
        table = Table.of(header, rows, left=["guesses until", "guesses: games"])
        title = f"{self.name}: {self.game.play.strategy}, {len(self.outcomes):,} games"
        return lines(title, table._repr_html_())

    def as_json(self) -> dict[str, Any]:
        """Return the result under the keys of `lab run --json`."""
        play = self.game.play
        return {
            "game": self.name,
            "strategy": play.strategy,
            "pool": play.pool,
            "ties": play.ties,
            "opening": None if self.opening is None else self.game.format_code(self.opening),
            "seed": play.seed,
            "version": __version__,
            **summary(self.played),
            "known": {k: v for k, v in summary(self.known).items() if k != "games"},
            "seconds": round(self.seconds, 3),
        }


def summary(histogram: Counter[int]) -> dict[str, Any]:
    """Return games, total, average, worst and histogram of counted guesses."""
    games, total = histogram.total(), sum(n * times for n, times in histogram.items())
    return {
        "games": games,
        "total": total,
        "average": round(total / games, 6) if games else None,
        "worst": max(histogram, default=None),
        "histogram": {str(n): histogram[n] for n in sorted(histogram)},
    }


def run(
    game: Game,
    name: str,
    secrets: int | None = None,
    budget: int | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> Result:
    """Return how the game's own strategy does against all secrets, or a sample of `secrets`.

    A game with a log plays on from it, against the secrets that the log leaves; where its rows
    contradict each other there are no games. Raises TooLargeError where all would be too many,
    UnknownNameError for more than there are.
    """
    size = game.secrets.size
    if secrets is None and size > MOST_SECRETS:
        raise TooLargeError(f"{size:,} secrets are too many to play all; say --secrets N")
    if secrets is not None and secrets > size:
        raise UnknownNameError(f"--secrets {secrets}: the game has only {size:,}")
    started = time.perf_counter()
    if game.host == "adversarial" and secrets not in (None, 1):
        raise UnknownNameError(
            f"--secrets {secrets}: an adversarial host hides none, there is one game"
        )
    strategy = find_strategy(game.play.strategy)
    explicit = chosen(game, game.play.engine) == "explicit"
    if explicit and strategy.deterministic and _is_a_tree(game):
        outcomes, opening = _by_tree(game, strategy, secrets, budget, progress)
    else:
        outcomes, opening = _game_by_game(game, strategy, secrets, budget, progress)
    return Result(game, name, opening, outcomes, time.perf_counter() - started)


def _by_tree(
    game: Game,
    strategy: Strategy,
    secrets: int | None,
    budget: int | None,
    progress: Callable[[int], None],
) -> tuple[Outcomes, Code | None]:
    if game.secrets.size * min(game.guesses.size, LARGEST_SPACE) >= _WORTH_COMPILING:
        load_compiled()
    engine = open_engine(game, "explicit")
    assert isinstance(engine, CountingEngine)
    engine.follow(game.history)
    given = _opening(game)
    if not engine.satisfiable():
        return Outcomes.of([], game.length), given
    wanted = _places(engine, secrets)
    guesses = Guesses.of(game, engine.every())
    walks = []
    for items, places in _by_what_is_given(game, engine, wanted):
        engine.follow((*game.history.items, *items))
        position = Position.of(game, engine, guesses, budget=Budget(guesses=budget))
        walks.append(walk(position, strategy, places, given, progress))
    return Outcomes.joined(walks), given


def _is_a_tree(game: Game) -> bool:
    """Return whether secrets with the same answers so far get the same guess in every game."""
    fixed = all(gift in ("first", "sum") for gift in game.gives)
    plain = game.secrets_at_once == 1 and game.host == "truthful" and not game.channel.weighs
    return plain and fixed


def _by_what_is_given(
    game: Game, engine: CountingEngine, wanted: npt.NDArray[np.intp]
) -> list[tuple[list[Item], npt.NDArray[np.intp]]]:
    """Return secrets (places in the engine) by what the codemaker tells of them at the start."""
    if not game.gives or game.history.items:
        return [([], wanted)]
    codes = engine.every().codes
    told: dict[str, list[Item]] = {}
    groups: dict[str, list[int]] = {}
    for place in wanted.tolist():
        items = game.given(code_of(codes[place]), random.Random(0))
        key = ", ".join(item.text for item in items if isinstance(item, Fact))
        told.setdefault(key, items)
        groups.setdefault(key, []).append(place)
    return [(told[key], np.array(groups[key])) for key in sorted(groups)]


def _game_by_game(
    game: Game,
    strategy: Strategy,
    secrets: int | None,
    budget: int | None,
    progress: Callable[[int], None],
) -> tuple[Outcomes, Code | None]:
    engine = open_engine(game)
    engine.follow(game.history)
    adviser = Adviser(game, strategy)
    games = []
    for number, secret in enumerate(_wanted(engine, secrets, random.Random(game.play.seed))):
        engine.follow(game.history)
        rng = random.Random(f"{game.play.seed}:{number}")
        played, known = 0, None
        host = open_host(game, secret, rng)
        for _, advice in adviser.play_against(engine, host, rng, Budget(guesses=budget)):
            if advice.count == 1 and known is None:
                known = played
            played += 1
        games.append((secret, played, played if known is None else known))
        progress(1)
    return Outcomes.of(games, game.length), _opening(game)


def _opening(game: Game) -> Code | None:
    """Return the first guess that the game asks for; a game with rows has had its first."""
    asked = game.play.opening
    return game.parse_guess(asked) if asked and not game.history.turns else None


def _places(engine: CountingEngine, secrets: int | None) -> npt.NDArray[np.intp]:
    """Return the places of the secrets to play: all candidates, or a sample.

    Strategies under one seed play the same secrets, in whichever way they are played.
    """
    places = engine.places()
    if secrets is None:
        return places
    drawn = random.Random(engine.game.play.seed).sample(list(places), min(secrets, len(places)))
    return np.array(sorted(drawn), dtype=np.intp)


def _wanted(engine: Engine, secrets: int | None, rng: random.Random) -> list[Code]:
    """Return the secrets to play: all that the engine knows to be possible, or a sample."""
    game = engine.game
    if game.host == "adversarial":
        return list(islice(engine.candidates(), 1))
    if isinstance(engine, CountingEngine):
        codes = engine.every().codes
        return [code_of(codes[place]) for place in _places(engine, secrets)]
    if secrets is None:
        return list(engine.candidates() if game.history.items else game.secrets)
    if game.history.items:
        return list(engine.sample(secrets, rng).codes)
    drawn: dict[Code, None] = {}
    while len(drawn) < secrets:
        drawn.setdefault(game.secrets.random(rng))
    return list(drawn)
