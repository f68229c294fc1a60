"""Tournaments: a strategy against every secret of a game, or against a seeded sample."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import TooLargeError, UnknownNameError, check_number, counted
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import GameLike, as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Tabled
from puzzlehunt.kernels.compiled.threads import thread_limit
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, array_of, code_of
from puzzlehunt.lab.batches import Batch, BatchResult, Player, Secrets, name_of, open_player
from puzzlehunt.lab.execution import Execution, on_cluster, open_checkpoint, open_proof, play_all
from puzzlehunt.lab.statistics import CountName, GuessNumbers, Summary, interval
from puzzlehunt.strategies.registry import StrategyLike
from puzzlehunt.strategies.search.grow import Progress, suits
from puzzlehunt.strategies.search.proof import Bounds

_HERE = Execution()
MOST_SECRETS = 1_000_000
"""Games with more secrets than this are not played against all of them."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tournament(Tabled):
    """How many guesses each game of a strategy took; `seconds` is the wall time of the run.

    `secrets` (N, length) are the secrets of the games, and `guesses` has the guesses (N,) that each
    took by either count. `opening` is the first guess of every game, None if games differ in it.
    A frame has a row for each game: its secret's text, both counts, and `lost` if attempts are few.

    >>> tournament = puzzlehunt.run("2x2", "first")
    >>> tournament.played, tournament.summary("played").worst
    (Counter({2: 2, 1: 1, 3: 1}), 3)
    """

    game: Game
    game_name: str
    opening: Code | None
    secrets: CodeArray
    guesses: dict[CountName, GuessNumbers]
    seconds: float
    sampled: bool = False
    """Whether only a sample of the secrets was played."""
    basis: str = ""
    """What was evaluated if not every guess and candidate, else ""."""
    unlisted: tuple[Code, ...] = ()
    """The given secrets that were not played: the game rules them out from the beginning."""
    bounds: Bounds | None = None
    """Bounds of the guesses that all secrets take together; None if nothing was proved."""

    @property
    def lost(self) -> "npt.NDArray[np.bool_] | None":
        """(N,): whether each game took more guesses than the rules allow; None without a limit."""
        most = self.game.play.attempts
        return None if most is None else self.guesses["played"] > most

    @property
    def losses(self) -> int | None:
        """How many games were lost; None if the game has no limit of attempts."""
        return None if self.lost is None else int(self.lost.sum())

    def __repr__(self) -> str:
        average = self.summary("played").average
        text = "" if average is None else f", {average:.4f} guesses on average"
        return (
            f"<Tournament of {self.game.play.strategy_name!r} in {self.game_name!r}: "
            f"{counted(len(self.secrets), 'game')}{text}>"
        )

    @property
    def played(self) -> Counter[int]:
        """How many secrets took each number of guesses until they were played."""
        return self.summary("played").histogram

    @property
    def known(self) -> Counter[int]:
        """How many secrets took each number of guesses until one candidate was left."""
        return self.summary("known").histogram

    def interval(self, count: CountName) -> tuple[float, float] | None:
        """Return a 95 % interval of the average over all secrets, None if all were played."""
        return interval(self.guesses[count], self.game.play.seed) if self.sampled else None

    def weighed_average(self, count: CountName) -> float | None:
        """Return the average over all secrets, each as likely as the game's list says.

        None if not all secrets were played, or if all are equally likely.
        """
        space = self.game.secrets
        if len(self.secrets) < space.size or not space.is_weighed:
            return None
        weights = [space.weight(code_of(secret)) for secret in self.secrets]
        return float(np.average(self.guesses[count], weights=weights))

    def _columns(self) -> dict[str, Sequence[object]]:
        lost = {} if self.lost is None else {"lost": self.lost.tolist()}
        secrets = [self.game.format_code(code_of(secret)) for secret in self.secrets]
        counts = {str(name): each.tolist() for name, each in self.guesses.items()}
        return {"secret": secrets, **counts, **lost}

    def summary(self, count: CountName) -> Summary:
        """Return the guesses of all games together, by one of the two counts."""
        return Summary.of(self.guesses[count])


def run(
    game: GameLike | Player,
    strategy: StrategyLike | None = None,
    *,
    name: str = "",
    secrets: Secrets | Sequence[str] = None,
    budget: int | None = None,
    progress: Progress = lambda _done: None,
    bounds: Callable[[Bounds], None] = lambda _bounds: None,
    execution: Execution = _HERE,
) -> Tournament:
    """Play a strategy against all secrets, a sample of `secrets`, or given ones.

    `game` is as in `candidates`, or a player, which keeps what it has proved. The
    strategy is by default the game's own. A result is shown with `name`, by default the game's name
    or its title. `budget` caps the guesses evaluated a turn.

    Given secrets are only what is played: guesses are made for the candidates of the game. A game
    with turns is continued from them, against the secrets that they leave (none if the turns
    contradict each other). `progress` is called with how many more games are done, `bounds` with
    the bounds of a proof, whose checkpoint has what was found and no games. Raises TooLargeError if
    all secrets are too many, UnknownNameError for more than there are, PuzzlehuntError for the
    checkpoint of another run or a cluster that does not answer.

    >>> puzzlehunt.run("3x4", "minimax")
    <Tournament of 'minimax' in '3x4': 64 games, 3.3750 guesses on average>
    """
    player = game if isinstance(game, Player) else open_player(as_game(game), strategy, budget)
    to_play, unlisted = _playable_secrets(player.game, secrets)
    started = time.perf_counter()
    with ExitStack() as stack:
        if execution.jobs is not None:
            stack.enter_context(thread_limit(execution.jobs))
        if execution.cluster is not None:
            stack.enter_context(on_cluster(execution.cluster))
        if player.proves:
            open_proof(player, execution, bounds)
            execution = replace(execution, checkpoint=None, cluster=None)
        codes, results = _play(player, to_play, execution, progress)
    firsts = {result.first for result in results}
    played, known = np.zeros((2, len(codes)), dtype=np.int32)
    for result in results:
        played[result.numbers], known[result.numbers] = result.played, result.known
    return Tournament(
        game=player.game,
        game_name=name or name_of(game, player.game),
        opening=firsts.pop() if len(firsts) == 1 else None,
        secrets=codes,
        guesses={"played": played, "known": known},
        seconds=time.perf_counter() - started,
        sampled=isinstance(to_play, int) and len(codes) < player.game.secrets.size,
        basis=max((result.basis for result in results), default=""),
        unlisted=unlisted,
        bounds=player.bounds,
    )


def _play(
    player: Player, secrets: Secrets, execution: Execution, progress: Progress
) -> tuple[CodeArray, list[BatchResult]]:
    saved = open_checkpoint(execution, player, secrets, BatchResult)
    results = [] if saved is None else [*saved.results]
    codes = _codes_to_play(player, secrets)
    if player.shares_tree and len(codes):
        position, strategy = player.position(), player.strategy
        first = player.opening or code_of(strategy.choose(position).codes[0])
        tree = Batch(np.arange(len(codes)), codes, first)
        alone = saved is None and execution.cluster is None
        if alone and (suits(position, strategy) or player.plans(first)):
            return codes, [player.play_tree(tree, progress)]
        batches = player.branches(tree)
    else:
        blocks = np.split(np.arange(len(codes)), range(10, len(codes), 10))
        batches = [Batch(block, codes[block]) for block in blocks if len(block)]
    done = {number for result in results for number in result.numbers}
    progress(len(done))
    left = [batch for batch in batches if not done.issuperset(batch.numbers.tolist())]
    for result in play_all(player, left, execution):
        results.append(result)
        if saved is not None:
            saved.add(result)
        progress(len(result.numbers))
    return codes, results


def _playable_secrets(
    game: Game, secrets: Secrets | Sequence[str]
) -> tuple[Secrets, tuple[Code, ...]]:
    """Return the secrets to play, and the given ones that the game rules out from the start.

    Duplicates count once. Ruled out are codes that are not secrets of the game, or contradict its
    log. Raises TooLargeError for too many secrets to play, UnknownNameError for a number that is
    too large, or if secrets cannot be chosen; TypeError, ValueError or InvalidCodeError for
    anything but a number of secrets or codes.
    """
    size = game.secrets.size
    if isinstance(secrets, str):
        raise TypeError(f"secrets: expected a number, or a list of codes, not {secrets!r:.40}")
    if secrets is None and size > MOST_SECRETS:
        raise TooLargeError(f"{size:,} secrets are too many to play all; say how many")
    if secrets is not None and not isinstance(secrets, Iterable):
        check_number("secrets", secrets, 1, whole=True)
        if secrets > size:
            raise UnknownNameError(f"{secrets:,} secrets are too many: the game has only {size:,}")
    if game.host.adversarial and secrets not in (None, 1):
        raise UnknownNameError("an adversarial host hides no secrets, there is one game")
    if isinstance(secrets, int | None):
        return secrets, ()
    given = dict.fromkeys(map(game.parse_secret, secrets))
    playable = {s for s in given if s in game.secrets and meaning.fits(game, game.history, s)}
    return [s for s in given if s in playable], tuple(s for s in given if s not in playable)


def _codes_to_play(player: Player, secrets: Secrets) -> CodeArray:
    """Return the secrets to play (N, length), in code order if they can be listed or are given.

    A sample depends on the game's seed alone, so that all strategies play the same secrets. Where
    candidates are weighed, likelier ones are drawn sooner.
    """
    game, rng = player.game, random.Random(player.game.play.seed)
    if game.host.adversarial:
        drawn: Iterable[Code] = islice(player.engine.in_code_order(), 1)
    elif not isinstance(secrets, int | None):
        drawn = sorted(secrets)
    elif player.engine.listed is not None:
        return player.listing.secrets().codes[_places_drawn(player.listing, secrets, rng)]
    elif secrets is None:
        drawn = player.engine.in_code_order()
    elif game.history.items:
        drawn = player.engine.sample(secrets, rng).codes
    else:
        drawn = different = dict[Code, None]()  # in the order in which they are drawn
        while len(different) < secrets:
            different.setdefault(game.secrets.random(rng))
    return array_of(list(drawn), game.length)


def _places_drawn(engine: ExplicitEngine, count: int | None, rng: random.Random) -> Indices:
    """Return the places of some candidates in the list of an engine, ascending; None: all."""
    places = engine.candidate_places()
    if count is None:
        return places
    size, weights = min(count, len(places)), engine.weights()
    if weights is None or engine.game.channel.weighs:
        return np.array(sorted(rng.sample(list(places), size)), dtype=np.intp)
    # Weighted sampling without replacement (Efraimidis and Spirakis, 2006): those with the least
    # exponential waiting times, at rates that are their weights.
    waits = [rng.expovariate(1.0) / weight for weight in weights[places].tolist()]
    return np.sort(places[np.argsort(waits, kind="stable")[:size]])
