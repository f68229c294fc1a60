"""Tournaments: a strategy against every secret of a game, or against a seeded sample."""

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, Listing
from puzzlehunt.engines.choice import chosen
from puzzlehunt.errors import IllegalGuessError, TooLargeError, UnknownNameError, unknown_name
from puzzlehunt.game.game import Game
from puzzlehunt.game.gifts import gifts
from puzzlehunt.game.history import Fact, Item
from puzzlehunt.game.viewed import Viewed
from puzzlehunt.kernels.codes import LARGEST_SPACE, Bytes, array_of, code_of
from puzzlehunt.lab import lazy, naive
from puzzlehunt.lab.checkpoint import Checkpoint, header_of
from puzzlehunt.lab.compiled_walk import on_cores, suits
from puzzlehunt.lab.outcomes import CountName, Outcomes, Summary, guesses_of, histogram
from puzzlehunt.lab.walk import walk
from puzzlehunt.lab.work import LAB_ONLY, Counted, Player, Unit, basis_of, opening_of
from puzzlehunt.lab.workers import check_cluster, play_all
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.basis import Basis
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import strategy_names

MOST_SECRETS = 1_000_000
_TOGETHER = 10
"""So many games are a unit of work."""


@dataclass(frozen=True, slots=True)
class Result(Viewed):
    """How a strategy did, game by game."""

    game: Game
    name: str
    opening: Code | None
    outcomes: Outcomes
    seconds: float
    sampled: bool = False
    """Whether its secrets are a sample of all."""
    basis: Basis | None = None
    """What was evaluated where that was not all: a sample of the guesses, the candidates alone."""

    @property
    def played(self) -> Counter[int]:
        """How many secrets took each number of guesses until they were played."""
        return histogram(self.outcomes.played)

    @property
    def known(self) -> Counter[int]:
        """How many secrets took each number of guesses until one candidate was left."""
        return histogram(self.outcomes.known)

    def interval(self, count: CountName) -> tuple[float, float] | None:
        """Return a 95 % interval of the average over all secrets, None where all were played.

        It is Student's t interval of the sample's mean.
        """
        guesses = guesses_of(self.outcomes, count)
        if not self.sampled or len(guesses) < 2:
            return None
        from scipy import stats

        error = stats.sem(guesses)
        if error == 0:
            return float(guesses.mean()), float(guesses.mean())
        low, high = stats.t.interval(0.95, len(guesses) - 1, guesses.mean(), error)
        return float(low), float(high)

    def summary(self, count: CountName) -> Summary:
        """Return what the games took, in one of the two counts."""
        return Summary.of(self.played if count == "played" else self.known)


def run(
    game: Game,
    name: str,
    secrets: int | None = None,
    budget: int | None = None,
    progress: Callable[[int], None] = lambda _done: None,
    strategy: Strategy | None = None,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    checkpoint: Path | None = None,
) -> Result:
    """Return how the game's own strategy does against all secrets, or a sample of `secrets`.

    A game with a log plays on from it, against the secrets that the log leaves; where its rows
    contradict each other there are no games. `jobs` processes share what takes long (None: one a
    core), or the Dask cluster whose scheduler is at the address `cluster`; the result is the same.
    With a `checkpoint` what is done is written there, and a run that was interrupted goes on.
    Raises TooLargeError where all secrets would be too many, UnknownNameError for more than there
    are, LabError for a checkpoint of another run or a cluster that does not answer.
    """
    size = game.secrets.size
    if secrets is None and size > MOST_SECRETS:
        raise TooLargeError(f"{size:,} secrets are too many to play all; say --secrets N")
    if secrets is not None and secrets > size:
        raise UnknownNameError(f"--secrets {secrets}: the game has only {size:,}")
    if game.host == "adversarial" and secrets not in (None, 1):
        raise UnknownNameError(
            f"--secrets {secrets}: an adversarial host hides none, there is one game"
        )
    check_strategy(game)
    _check_opening(game)
    started = time.perf_counter()
    kept = None if checkpoint is None else Checkpoint(checkpoint, header_of(game, secrets, budget))
    if cluster is not None:
        check_cluster(cluster)
    player = Player(game, budget, strategy)
    with on_cores(jobs):
        games = _Tree(player, secrets) if _is_a_tree(player) else _Games(player, secrets)
    if isinstance(games, _Tree) and games.at_once and kept is None and cluster is None:
        games.walk(progress, jobs)
    else:
        for counted in kept.begin() if kept is not None else []:
            games.take(counted)
            progress(len(counted.numbers))
        for counted in play_all(player, games.units(), jobs, cluster):
            games.take(counted)
            if kept is not None:
                kept.add(counted)
            progress(len(counted.numbers))
    return Result(
        game=game,
        name=name,
        opening=games.opening,
        outcomes=games.outcomes,
        seconds=time.perf_counter() - started,
        sampled=secrets is not None and len(games.outcomes) < size,
        basis=games.basis,
    )


def lab_strategies() -> list[str]:
    """Return the names of all strategies, and of those that only the lab plays."""
    return [*strategy_names(), *naive.NAMES, lazy.NAME]


def check_strategy(game: Game) -> None:
    """Raise UnknownNameError where there is no such strategy, or the lab cannot play it here."""
    name = game.play.strategy
    if name in naive.NAMES:
        naive.check(game, name)
    elif name == lazy.NAME:
        lazy.check(game)
    check_name(name)


def check_name(name: str) -> None:
    """Raise UnknownNameError for a strategy that the lab does not know."""
    if ":" not in name and name not in lab_strategies():
        raise unknown_name("strategy", name, lab_strategies())


def _check_opening(game: Game) -> None:
    opening = opening_of(game)
    if opening is not None and opening not in game.guesses and opening not in game.secrets:
        text = game.format_code(opening)
        raise IllegalGuessError(f"--opening {text}: the game does not admit this guess")


class _Games:
    """Games that are played one by one: their secrets, and what is counted of them."""

    def __init__(self, player: Player, secrets: int | None) -> None:
        self.player = player
        self._bases: dict[int, Basis] = {}
        self._first: set[Code | None] = set()
        self.secrets = self._listed(secrets)
        self._counts = np.zeros((2, len(self.secrets)), dtype=np.int32)

    def _listed(self, secrets: int | None) -> Bytes:
        """Return the secrets (N, length) to play."""
        game = self.player.game
        rng = random.Random(game.play.seed)
        if game.play.strategy in LAB_ONLY and game.secrets.size > LARGEST_SPACE:
            codes = _drawn(game, secrets, rng)
        else:
            codes = _wanted(self.player.engine, secrets, rng)
        return array_of(codes, game.length)

    @property
    def opening(self) -> Code | None:
        """The first guess of every game; None where they differ."""
        return next(iter(self._first)) if len(self._first) == 1 else opening_of(self.player.game)

    @property
    def basis(self) -> Basis | None:
        """What was evaluated where that was not all: as the first such game says."""
        return self._bases[min(self._bases)] if self._bases else None

    @property
    def outcomes(self) -> Outcomes:
        """What all games took."""
        return Outcomes(self.secrets, *self._counts)

    def units(self) -> list[Unit]:
        """Return the games that are still to be played, some at a time."""
        left = np.flatnonzero(self._counts[0] == 0).tolist()
        blocks = [left[n : n + _TOGETHER] for n in range(0, len(left), _TOGETHER)]
        return [Unit(tuple(b), tuple(code_of(self.secrets[n]) for n in b)) for b in blocks]

    def take(self, counted: Counted) -> None:
        """Keep what some games took."""
        self._counts[:, counted.numbers] = counted.played, counted.known
        self._first.add(counted.first)
        if counted.basis:
            self._bases[counted.numbers[0]] = counted.basis


class _Tree(_Games):
    """Games that share a decision tree: below each answer to the first guess is a unit."""

    def _listed(self, secrets: int | None) -> Bytes:
        engine = self.player.listing
        self._places = _places(engine, secrets)
        game = self.player.game
        self._groups: list[tuple[list[Item], Position, npt.NDArray[np.intp], Code]] = []
        for items, places in _by_what_is_given(game, engine, self._places):
            if not len(places):
                continue
            position = self.player.position(items)
            guess = opening_of(game) or code_of(self.player.strategy.choose(position).codes[0])
            self._groups.append((items, position, places, guess))
        return engine.secrets().codes[self._places]

    @property
    def at_once(self) -> bool:
        """Whether all of it is small, walked in compiled code, or searched before it is walked."""
        strategy = self.player.strategy
        return all(
            suits(position, strategy) or strategy.plans_ahead(position)
            for _, position, _, _ in self._groups
        )

    def walk(self, progress: Callable[[int], None], jobs: int | None) -> None:
        """Walk the whole tree, on so many cores."""
        with on_cores(jobs):
            for _, position, places, guess in self._groups:
                planned = self.player.strategy.plans_ahead(position)
                if planned:
                    self.player.strategy.prepare(position, guess)
                done = walk(position, self.player.strategy, places, guess, progress)
                numbers = np.searchsorted(self._places, np.sort(places))
                self._counts[:, numbers] = done.played, done.known
                self._first.add(guess)
                if not planned and (basis := basis_of(position)):
                    self._bases[0] = basis

    def units(self) -> list[Unit]:
        rule = self.player.game.rule
        units = []
        for items, position, places, guess in self._groups:
            rows = rule.rows(array_of([guess], self.player.game.length))
            answers = rule.table(rows, position.secrets[places])[0]
            numbers = np.searchsorted(self._places, places)
            for answer in np.unique(answers).tolist():
                left = numbers[(answers == answer) & (self._counts[0, numbers] == 0)]
                if len(left):
                    secrets = tuple(code_of(self.secrets[n]) for n in left)
                    units.append(Unit(tuple(left.tolist()), secrets, tuple(items), guess, answer))
        return units


def _is_a_tree(player: Player) -> bool:
    """Return whether secrets with the same answers so far get the same guess in every game."""
    game = player.game
    if game.play.strategy in LAB_ONLY or chosen(game, game.play.engine) != "explicit":
        return False
    fixed = all(gift in ("first", "sum") for gift in game.gives)
    plain = game.secrets_at_once == 1 and game.host == "truthful" and not game.channel.weighs
    return plain and fixed and player.strategy.deterministic


def _by_what_is_given(
    game: Game, engine: Listing, wanted: npt.NDArray[np.intp]
) -> list[tuple[list[Item], npt.NDArray[np.intp]]]:
    """Return secrets (places in the engine) by what the codemaker tells of them at the start."""
    if not game.gives or game.history.items:
        return [([], wanted)]
    codes = engine.secrets().codes
    told: dict[str, list[Item]] = {}
    groups: dict[str, list[int]] = {}
    for place in wanted.tolist():
        items = gifts(game, code_of(codes[place]), random.Random(0))
        key = ", ".join(item.text for item in items if isinstance(item, Fact))
        told.setdefault(key, items)
        groups.setdefault(key, []).append(place)
    return [(told[key], np.array(groups[key])) for key in sorted(groups)]


def _places(engine: Listing, secrets: int | None) -> npt.NDArray[np.intp]:
    """Return the places of the secrets to play: all candidates, or a sample.

    Strategies under one seed play the same secrets, in whichever way they are played.
    """
    places = engine.candidate_places()
    if secrets is None:
        return places
    drawn = random.Random(engine.game.play.seed).sample(list(places), min(secrets, len(places)))
    return np.array(sorted(drawn), dtype=np.intp)


def _wanted(engine: Engine, secrets: int | None, rng: random.Random) -> list[Code]:
    """Return the secrets to play: all that the engine knows to be possible, or a sample."""
    game = engine.game
    if game.host == "adversarial":
        return list(islice(engine.candidates(), 1))
    if (listing := engine.listed) is not None:
        codes = listing.secrets().codes
        return [code_of(codes[place]) for place in _places(listing, secrets)]
    if secrets is None:
        return list(engine.candidates() if game.history.items else game.secrets)
    if game.history.items:
        return list(engine.sample(secrets, rng).codes)
    return _drawn(game, secrets, rng)


def _drawn(game: Game, secrets: int | None, rng: random.Random) -> list[Code]:
    """Return so many different secrets, in the order in which they are drawn."""
    drawn: dict[Code, None] = {}
    while len(drawn) < (game.secrets.size if secrets is None else secrets):
        drawn.setdefault(game.secrets.random(rng))
    return list(drawn)
