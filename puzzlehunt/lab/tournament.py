"""Tournaments: a strategy against every secret of a game, or against a seeded sample."""

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import chosen
from puzzlehunt.errors import IllegalGuessError, PuzzlehuntError, check_number, counted
from puzzlehunt.game.files.gamefile import as_game
from puzzlehunt.game.frames import frame
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.kernels.packed_codes import LARGEST_SPACE, CodeArray, array_of, code_of
from puzzlehunt.lab import naive
from puzzlehunt.lab.batches import LAB_ONLY, Batch, BatchResult, Player, basis_of, opening_of
from puzzlehunt.lab.checkpoint import Checkpoint, header_of, proves, proving
from puzzlehunt.lab.guess_counts import CountName, Outcomes, Summary, guesses_of, histogram
from puzzlehunt.lab.secrets import (
    Secrets,
    checked_secrets,
    places_to_play,
    random_secrets,
    secrets_by_hints,
    secrets_to_play,
    split_playable,
)
from puzzlehunt.lab.statistics import mean_interval
from puzzlehunt.lab.trees import thread_limit, walk
from puzzlehunt.lab.worker_pool import Execution, check_cluster, play_all
from puzzlehunt.strategies.basis import Basis
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import (
    StrategyLike,
    find_strategy,
    strategy_names,
    unknown_strategy,
)
from puzzlehunt.strategies.search.grow import suits
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds

if TYPE_CHECKING:
    from pandas import DataFrame

_GAMES_A_BATCH = 10
"""Games in one batch of work, if games share no tree."""
_HERE = Execution()


@dataclass(frozen=True, slots=True, repr=False)
class Tournament(NotebookShown):
    """How many guesses each game of a strategy took; `seconds` is the wall time of the run.

    `opening` is the first guess of every game, None if games differ in it.

    >>> import puzzlehunt
    >>> tournament = puzzlehunt.run("2x2", "first")
    >>> tournament.played, tournament.summary("played").worst
    (Counter({2: 2, 1: 1, 3: 1}), 3)
    """

    game: Game
    game_name: str
    opening: Code | None
    outcomes: Outcomes
    seconds: float
    sampled: bool = False
    """Whether only a sample of the secrets was played."""
    basis: Basis | None = None
    """What was evaluated where that was not every guess and candidate, else None."""
    given: bool = False
    """Whether the secrets were given, and are neither all of the game's nor a sample of them."""
    unlisted: tuple[Code, ...] = ()
    """The given secrets that were not played: the game rules them out from the beginning."""
    bounds: Bounds | None = None
    """Bounds of the guesses that all secrets take together; None if nothing was proved."""
    records: Sequence[BoundRecord] = ()
    """What a proof found about the parts of first guesses."""

    @property
    def lost(self) -> "npt.NDArray[np.bool_] | None":
        """(N,): whether each game took more guesses than the rules allow; None without a limit."""
        most = self.game.play.attempts
        return None if most is None else self.outcomes.played > most

    @property
    def losses(self) -> int | None:
        """How many games were lost; None if the game has no limit of attempts."""
        return None if self.lost is None else int(self.lost.sum())

    def __repr__(self) -> str:
        average = self.summary("played").average
        text = "" if average is None else f", {average:.4f} guesses on average"
        return (
            f"<Tournament of {self.game.play.strategy_name!r} in {self.game_name!r}: "
            f"{counted(len(self.outcomes), 'game')}{text}>"
        )

    @property
    def played(self) -> Counter[int]:
        """How many secrets took each number of guesses until they were played."""
        return histogram(self.outcomes.played)

    @property
    def known(self) -> Counter[int]:
        """How many secrets took each number of guesses until one candidate was left."""
        return histogram(self.outcomes.known)

    def interval(self, count: CountName) -> tuple[float, float] | None:
        """Return a 95 % interval of the average over all secrets, None if all were played.

        It is Student's t interval of the sample's mean.
        """
        guesses = guesses_of(self.outcomes, count)
        return mean_interval(guesses) if self.sampled and len(guesses) > 1 else None

    def weighed_average(self, count: CountName) -> float | None:
        """Return the average over all secrets, each as likely as the game's list says.

        None if not all secrets were played, or if all are equally likely.
        """
        space = self.game.secrets
        if self.sampled or self.given or not space.is_weighed:
            return None
        weights = [space.weight(code_of(secret)) for secret in self.outcomes.secrets]
        return float(np.average(guesses_of(self.outcomes, count), weights=weights))

    def to_frame(self) -> "DataFrame":
        """Return a pandas frame with a row for each of the N games.

        The columns are `secret`, its text, `played` and `known`, the guesses until it was played
        and until one candidate was left, and `lost`, if the game limits attempts. Raises
        PuzzlehuntError without pandas.
        """
        secrets = map(code_of, self.outcomes.secrets)
        columns: dict[str, Sequence[object]] = {
            "secret": [self.game.format_code(secret) for secret in secrets],
            "played": self.outcomes.played.tolist(),
            "known": self.outcomes.known.tolist(),
        }
        if self.lost is not None:
            columns["lost"] = self.lost.tolist()
        return frame(columns)

    def summary(self, count: CountName) -> Summary:
        """Return the guesses of all games together, by one of the two counts."""
        return Summary.of(self.played if count == "played" else self.known)


def run(
    game: Game | str | Path,
    strategy: StrategyLike | None = None,
    *,
    name: str = "",
    secrets: Secrets | Sequence[str] = None,
    budget: int | None = None,
    progress: Callable[[int], None] = lambda _done: None,
    bounds: Callable[[Bounds], None] = lambda _bounds: None,
    execution: Execution = _HERE,
) -> Tournament:
    """Play a strategy against all secrets, a sample of `secrets`, or given ones.

    `game` is a game, its name or its file. The strategy is by default the game's own. A result is
    shown with `name`, by default the game's name or its title. `budget` caps the guesses evaluated
    a turn. All other arguments are those of `play_secrets`.

    >>> import puzzlehunt
    >>> puzzlehunt.run("3x4", "minimax")
    <Tournament of 'minimax' in '3x4': 64 games, 3.3750 guesses on average>
    """
    game, name = as_game(game), name or name_of(game)
    if strategy is not None:
        game = game.with_play({"strategy": strategy})
    if budget is not None:
        check_number("budget", budget, 1, whole=True)
    player = Player(with_strategy_that_plays(game), budget)
    return play_secrets(
        player, secrets, name=name, progress=progress, bounds=bounds, execution=execution
    )


def play_secrets(
    player: Player,
    secrets: Secrets | Sequence[str] = None,
    *,
    name: str,
    progress: Callable[[int], None] = lambda _done: None,
    bounds: Callable[[Bounds], None] = lambda _bounds: None,
    execution: Execution = _HERE,
) -> Tournament:
    """Play all secrets, a sample of `secrets`, or given ones; return the result.

    Given secrets are only what is played: guesses are made for the candidates of the game. A game
    with turns is continued from them, against the secrets that they leave (none if the turns
    contradict each other). `progress` is called with how many more games are done, `bounds` with
    the bounds of a proof, whose checkpoint has what was found and no games. Raises TooLargeError if
    all secrets are too many, UnknownNameError for more than there are, PuzzlehuntError for the
    checkpoint of another run or a cluster that does not answer.
    """
    game = player.game
    chosen_secrets = checked_secrets(game, secrets)
    _check_opening(game)
    started = time.perf_counter()
    to_play, unlisted = split_playable(game, chosen_secrets)
    if execution.cluster is not None:
        check_cluster(execution.cluster)
    reported: list[Bounds] = []
    records: list[BoundRecord] = []

    def report(proved: Bounds) -> None:
        reported.append(proved)
        bounds(proved)

    with ExitStack() as stack:
        saved = None
        if proves(player):
            stack.enter_context(proving(player, execution, report, records))
            execution = replace(execution, cluster=None)
        elif execution.checkpoint is not None:
            header = header_of(game, to_play, player.budget)
            saved = Checkpoint.of_games(Path(execution.checkpoint), header)
        with thread_limit(execution.jobs):
            games = (_GamesOfTree if _share_a_tree(player) else _Games)(player, to_play)
        games.play(saved, progress, execution)
    return Tournament(
        game=game,
        game_name=name,
        opening=games.opening,
        outcomes=games.outcomes,
        seconds=time.perf_counter() - started,
        sampled=isinstance(to_play, int) and len(games.outcomes) < game.secrets.size,
        basis=games.basis,
        given=not isinstance(to_play, int | None),
        unlisted=unlisted,
        bounds=reported[-1] if reported else None,
        records=records,
    )


def with_strategy_that_plays(game: Game) -> Game:
    """Return a game with the strategy to which its own strategy delegates, if any.

    Raises UnknownNameError if there is no such strategy, or the lab cannot play it here, and
    RuleError if nobody knows the rule.
    """
    game.check_explained()
    _check_strategy(game)
    if game.play.strategy in LAB_ONLY:
        return game
    own = find_strategy(game.play.strategy)
    player = own.for_game(game)
    return game if player is own else game.with_play({"strategy": player.play_name})


def name_of(game: Game | str | Path) -> str:
    """Return the name of a game for results: its name, or else its title."""
    return game.title if isinstance(game, Game) else str(game)


def lab_strategies() -> list[str]:
    """Return the names of all strategies, including those that only the lab plays."""
    return [*strategy_names(), *LAB_ONLY]


def _check_strategy(game: Game) -> None:
    name = game.play.strategy
    if name in naive.NAMES:
        naive.check(game, name)
    if isinstance(name, str):
        check_name(name)


def check_name(name: str) -> None:
    """Raise UnknownNameError for a strategy that the lab does not know."""
    if ":" not in name and name not in lab_strategies():
        raise unknown_strategy(name, lab_strategies())


def _check_opening(game: Game) -> None:
    opening = opening_of(game)
    if opening is not None and opening not in game.guesses and opening not in game.secrets:
        text = game.format_code(opening)
        raise IllegalGuessError(f"--opening {text}: the game does not admit this guess")


class _Games:
    """Games that are played one by one: their secrets, and the guesses that they took."""

    def __init__(self, player: Player, secrets: Secrets) -> None:
        self.player = player
        self._bases: dict[int, Basis] = {}
        self._openings: set[Code | None] = set()
        self.secrets = self._secrets_to_play(secrets)
        self._guess_counts = np.zeros((2, len(self.secrets)), dtype=np.int32)

    def _secrets_to_play(self, secrets: Secrets) -> CodeArray:
        """Return the codes (N, length) to play."""
        game = self.player.game
        rng = random.Random(game.play.seed)
        if game.play.strategy in LAB_ONLY and game.secrets.size > LARGEST_SPACE:
            if isinstance(secrets, int):
                secrets = random_secrets(game, secrets, rng)
            codes = list(secrets or ())
        else:
            codes = secrets_to_play(self.player.engine, secrets, rng)
        return array_of(codes, game.length)

    @property
    def opening(self) -> Code | None:
        """The first guess of every game; where they differ, `play.opening`, or None."""
        alike = len(self._openings) == 1
        return next(iter(self._openings)) if alike else opening_of(self.player.game)

    @property
    def basis(self) -> Basis | None:
        """The basis of the first game that did not evaluate everything; None if all did."""
        return self._bases[min(self._bases)] if self._bases else None

    @property
    def outcomes(self) -> Outcomes:
        """The guesses that all games took."""
        return Outcomes(self.secrets, *self._guess_counts)

    def play(
        self,
        saved: Checkpoint[BatchResult] | None,
        progress: Callable[[int], None],
        execution: Execution,
    ) -> None:
        """Play all games that a checkpoint does not have, batch by batch, and note them there."""
        for result in saved.begin() if saved is not None else []:
            self.record(result)
            progress(len(result.numbers))
        for result in play_all(self.player, self.batches(), execution):
            self.record(result)
            if saved is not None:
                saved.add(result)
            progress(len(result.numbers))

    def batches(self) -> list[Batch]:
        """Return the games that are still to be played."""
        numbers = np.flatnonzero(self._guess_counts[0] == 0).tolist()
        starts = range(0, len(numbers), _GAMES_A_BATCH)
        blocks = [numbers[start : start + _GAMES_A_BATCH] for start in starts]
        return [Batch(tuple(b), tuple(code_of(self.secrets[n]) for n in b)) for b in blocks]

    def record(self, result: BatchResult) -> None:
        """Enter the result of a batch. Raises PuzzlehuntError for games that are none of these."""
        if max(result.numbers) >= len(self.secrets):
            raise PuzzlehuntError(f"the file has a game {max(result.numbers)} that is not played")
        self._guess_counts[:, result.numbers] = result.played, result.known
        self._openings.add(result.first)
        if result.basis:
            self._bases[result.numbers[0]] = result.basis


class _GamesOfTree(_Games):
    """Games that share a decision tree: the branch below each answer to the first guess is a batch.

    Where the codemaker gives starting hints, games with the same hints are a group with a tree of
    its own.
    """

    def _secrets_to_play(self, secrets: Secrets) -> CodeArray:
        engine = self.player.listing
        self._places = places_to_play(engine, secrets)
        game = self.player.game
        self._groups: list[tuple[list[Item], Position, npt.NDArray[np.intp], Code]] = []
        for items, places in secrets_by_hints(game, engine, self._places):
            if not len(places):
                continue
            position = self.player.position(items)
            guess = opening_of(game) or code_of(self.player.strategy.choose(position).codes[0])
            self._groups.append((items, position, places, guess))
        return engine.secrets().codes[self._places]

    def play(
        self,
        saved: Checkpoint[BatchResult] | None,
        progress: Callable[[int], None],
        execution: Execution,
    ) -> None:
        strategy = self.player.strategy
        positions = [position for _, position, _, _ in self._groups]
        quick = all(suits(each, strategy) or strategy.plans_ahead(each) for each in positions)
        if saved is not None or execution.cluster is not None or not quick:
            super().play(saved, progress, execution)
            return
        with thread_limit(execution.jobs):
            for _, position, places, guess in self._groups:
                planned = strategy.plans_ahead(position)
                if planned:
                    strategy.prepare(position, guess)
                outcomes = walk(position, strategy, places, guess, progress)
                numbers = np.searchsorted(self._places, np.sort(places))
                self._guess_counts[:, numbers] = outcomes.played, outcomes.known
                self._openings.add(guess)
                if not planned and (basis := basis_of(position, strategy)):
                    self._bases[0] = basis

    def batches(self) -> list[Batch]:
        rule = self.player.game.rule
        batches = []
        for items, position, places, guess in self._groups:
            rows = rule.rows(array_of([guess], self.player.game.length))
            answers = rule.table(rows, position.secrets[places])[0]
            numbers = np.searchsorted(self._places, places)
            for answer in np.unique(answers).tolist():
                unplayed = (answers == answer) & (self._guess_counts[0, numbers] == 0)
                games = numbers[unplayed]
                if len(games):
                    secrets, each = tuple(map(code_of, self.secrets[games])), tuple(items)
                    batches.append(Batch(tuple(games.tolist()), secrets, each, guess, answer))
        return batches


def _share_a_tree(player: Player) -> bool:
    """Return whether games share a decision tree: the same answers lead to the same guess."""
    game = player.game
    if game.play.strategy in LAB_ONLY or chosen(game, game.play.engine) != "explicit":
        return False
    fixed = all(gift in ("first", "sum") for gift in game.gives)
    plain = game.boards == 1 and game.host == "truthful" and not game.channel.weighs
    return plain and fixed and player.strategy.deterministic
