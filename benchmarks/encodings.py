"""Whole games by each way to tell z3 how many literals are true, by size.

All play whatever model the solver returns, on the same seeded secrets and in turn; the engine then
plays the same secrets by its own seeded sample, which no release of the solver can change. Every
model is checked against the specification. The model is built once a game; answers are added.

- *arithmetic*: a sum of `ite` in linear integer arithmetic, as SMT-LIB has it
- *pseudo-Boolean*: z3's theory of such sums
- *totalizers*: Booleans alone, "at least k of these" by trees (Bailleux and Boufkhad, 2003), which
  all answers share where they count the same literals
- *bit-vectors*: sums of bits
- *pairwise*: as published for Mastermind by SAT and SMT solvers. Each guess brings one Boolean for
  every position of the guess and every other position of the secret: the two are paired as a
  white. Each peg of either side is in one pair at most, only pegs of the same colour that are not
  black are paired, and no two that could be are left over; the whites are the pairs.

Times are processor time, so that other processes on the machine do not matter.
"""

import argparse
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import mean, median
from threading import Timer

from pysmt.environment import Environment
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.fnode import FNode
from pysmt.logics import QF_BOOL, QF_BV, QF_LIA
from pysmt.solvers.z3 import Z3Solver
from report import table, times
from sums import BitVectorRewriter, Rewriter, TotalizerRewriter
from z3 import Z3Exception

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.smtlib import Encoding
from puzzlehunt.engines.solvers.library import Library
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.pegs import Pegs
from puzzlehunt.strategies.adviser import Adviser

_ENOUGH = 2


class OutOfTimeError(Exception):
    """A guess took longer than it may."""


class FirstModel(ABC):
    """Plays the first model that the solver finds."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start()

    @abstractmethod
    def start(self) -> None:
        """Make the environment, its solver and the rules of a secret."""

    @abstractmethod
    def learn(self, guess: Code, pegs: Pegs) -> FNode:
        """Return what the answer to a guess says."""

    def over(self, environment: Environment, at: list[list[FNode]], solver: Z3Solver) -> None:
        self.manager = environment.formula_manager
        self.at = at
        self.solver = solver

    def guess(self, seconds: float) -> Code:
        """Return a code that agrees with everything learned. Raises OutOfTimeError."""
        # From outside, because the solver's own time limit changes how it searches.
        alarm = Timer(seconds, self.solver.z3.interrupt)
        alarm.start()
        try:
            assert self.solver.solve(), "the answers of one secret contradict each other"
        except (SolverReturnedUnknownResultError, Z3Exception):
            raise OutOfTimeError from None
        finally:
            alarm.cancel()
        value = self.solver.get_py_value
        return tuple(next(s for s, node in enumerate(row) if value(node)) for row in self.at)

    def tell(self, guess: Code, pegs: Pegs) -> None:
        self.solver.push()
        self.solver.add_assertion(self.learn(guess, pegs))


class Counts(FirstModel):
    """The package's own formulas, in which clues are counts of literals; sums as they are."""

    logic = QF_LIA
    rewriter: type[Rewriter] | None = None

    def start(self) -> None:
        self.encoding = encoding = Encoding(self.game)
        self.over(encoding.environment, encoding.position_booleans, self.open())
        self.rewrite = self.rewriter(encoding.environment).walk if self.rewriter else None
        for node in (
            *encoding.one_symbol_a_position(),
            *encoding.occurrence_definitions(),
            encoding.formula(self.game.secrets.constraint()),
        ):
            self.solver.add_assertion(self.rewritten(node))

    def open(self) -> Z3Solver:
        return Z3Solver(self.encoding.environment, self.logic, random_seed=0)

    def rewritten(self, node: FNode) -> FNode:
        return self.rewrite(node) if self.rewrite else node

    def learn(self, guess: Code, pegs: Pegs) -> FNode:
        turn = Turn(guess, self.game.rule.notation.full_clue(pegs, guess))
        return self.rewritten(self.encoding.item_formula(turn))


class PseudoBoolean(Counts):
    """What the package gives to z3."""

    def start(self) -> None:
        self.encoding = Encoding(self.game)
        self.library, self.rewrite = Library(), None
        for node in (
            *self.encoding.one_symbol_a_position(),
            *self.encoding.occurrence_definitions(),
            self.encoding.formula(self.game.secrets.constraint()),
        ):
            self.library.add(node)

    def guess(self, seconds: float) -> Code:
        answer = self.library.check([], int(seconds * 1_000_000))
        if answer is None:
            raise OutOfTimeError
        assert answer, "the answers of one secret contradict each other"
        rows, value = self.encoding.position_booleans, self.library.value
        return tuple(next(s for s, node in enumerate(row) if value(node)) for row in rows)

    def tell(self, guess: Code, pegs: Pegs) -> None:
        self.library.add(self.learn(guess, pegs))


class Totalizers(Counts):
    """Sums become trees of Booleans that say whether at least so many are true."""

    logic, rewriter = QF_BOOL, TotalizerRewriter


class BitVectors(Counts):
    """Sums of bits."""

    logic, rewriter = QF_BV, BitVectorRewriter


class Pairwise(FirstModel):
    """One Boolean for each pair of a position of the guess and another of the secret."""

    def start(self) -> None:
        environment = Environment()
        symbol = environment.formula_manager.Symbol
        colours = range(len(self.game.alphabet))
        places = range(self.game.length)
        at = [[symbol(f"at_{p}_{c}") for c in colours] for p in places]
        self.over(environment, at, self.open(environment))
        self.guesses = 0
        for row in self.at:
            self.solver.add_assertion(self.manager.ExactlyOne(row))

    def open(self, environment: Environment) -> Z3Solver:
        return Z3Solver(environment, QF_LIA, random_seed=0)

    def learn(self, guess: Code, pegs: Pegs) -> FNode:
        manager = self.manager
        places = range(self.game.length)
        self.guesses += 1
        black = [self.at[p][guess[p]] for p in places]
        pair = {
            (i, j): manager.Symbol(f"pair_{self.guesses}_{i}_{j}")
            for i in places
            for j in places
            if i != j
        }
        of_guess = {i: [pair[i, j] for j in places if j != i] for i in places}
        of_secret = {j: [pair[i, j] for i in places if i != j] for j in places}
        said = [
            manager.Equals(self.sum(black), manager.Int(pegs.black)),
            manager.Equals(self.sum(list(pair.values())), manager.Int(pegs.white)),
        ]
        for p in places:
            said += [self.at_most_one(of_guess[p]), self.at_most_one(of_secret[p])]
        for (i, j), paired in pair.items():
            alike = self.at[j][guess[i]]
            said.append(
                manager.Implies(
                    paired, manager.And(alike, manager.Not(black[i]), manager.Not(black[j]))
                )
            )
            taken = [black[i], black[j], *of_guess[i], *of_secret[j]]
            said.append(manager.Implies(alike, manager.Or(taken)))
        return manager.And(said)

    def at_most_one(self, nodes: list[FNode]) -> FNode:
        """Return it as a sum: faster here, on the largest codes, than a clause for every two."""
        return self.manager.LE(self.sum(nodes), self.manager.Int(1))

    def sum(self, nodes: list[FNode]) -> FNode:
        one, zero = self.manager.Int(1), self.manager.Int(0)
        return self.manager.Plus([self.manager.Ite(node, one, zero) for node in nodes])


class Sampled:
    """Plays as the package does: a candidate drawn with a seed, as long as one is found."""

    def __init__(self, game: Game, seed: str) -> None:
        self.game = game.with_play({"strategy": "consistent"})
        self.engine, self.adviser = open_engine(self.game, "symbolic"), Adviser(self.game)
        self.rng = random.Random(seed)

    def guess(self, _seconds: float) -> Code:
        advice = self.adviser.advise(self.engine, seed=self.rng.randrange(2**32))
        return advice.suggestions[0].guess

    def tell(self, guess: Code, pegs: Pegs) -> None:
        self.engine.push(Turn(guess, self.game.rule.notation.full_clue(pegs, guess)))


@dataclass
class Games:
    """What a player has played: seconds and guesses a finished game, and how far others came."""

    seconds: list[float] = field(default_factory=list)
    guesses: list[int] = field(default_factory=list)
    stuck: list[int] = field(default_factory=list)

    @property
    def finishes(self) -> bool:
        """Whether most games came to an end."""
        return len(self.seconds) > len(self.stuck)

    def row(self, size: str, name: str, base: "Games") -> list[str]:
        finished = len(self.seconds)
        played = f"{finished} of {finished + len(self.stuck)}"
        stuck = f"{min(self.stuck)}-{max(self.stuck)}" if self.stuck else ""
        if not finished:
            return [size, name, played, stuck, "", "", "", "", ""]
        return [
            size,
            name,
            played,
            stuck,
            f"{mean(self.guesses):.2f}",
            f"{median(self.seconds):.3f}",
            f"{max(self.seconds):.2f}",
            f"{1000 * sum(self.seconds) / sum(self.guesses):.1f}",
            times(self.seconds, base.seconds) if base.finishes and self.finishes else "",
        ]


Player = FirstModel | Sampled
PLAYERS: dict[str, type[FirstModel]] = {
    "pseudo-Boolean": PseudoBoolean,
    "arithmetic": Counts,
    "totalizers": Totalizers,
    "bit-vectors": BitVectors,
    "pairwise": Pairwise,
}


def play(game: Game, secret: Code, start: Callable[[], Player], limit: float, games: Games) -> None:
    """Play one game to its end, or to a guess that takes too long, and check every model."""
    began = time.process_time()
    player = start()
    said: list[tuple[Code, Pegs]] = []
    while not said or said[-1][0] != secret:
        try:
            guess = player.guess(limit)
        except OutOfTimeError:
            games.stuck.append(len(said) + 1)
            return
        if isinstance(player, FirstModel):
            agrees = all(game.rule.score(old, guess) == pegs for old, pegs in said)
            assert agrees, "not a candidate"
        pegs = Pegs(*game.rule.score(guess, secret))
        said.append((guess, pegs))
        if pegs != game.rule.winning:
            player.tell(guess, pegs)
    games.seconds.append(time.process_time() - began)
    games.guesses.append(len(said))


def compared(
    size: str, number: int, seed: int, limit: float, players: Iterable[str]
) -> dict[str, Games]:
    """Return the games of one size: all players in turn on the same secrets.

    One that did not finish its first two games plays no more.
    """
    game = load(size)
    rng = random.Random(seed)
    games = {name: Games() for name in (*players, "engine's sample")}
    for at in range(number):
        secret = game.secrets.random(rng)
        for name, played in games.items():
            start: Callable[[], Player] = partial(Sampled, game, f"{seed}:{at}")
            if name in PLAYERS:
                start = partial(PLAYERS[name], game)
            if played.seconds or len(played.stuck) < _ENOUGH:
                play(game, secret, start, limit, played)
    return games


def plotted(sizes: Sequence[str], all_games: Sequence[dict[str, Games]], path: str) -> None:
    """Draw how the time of a game grows with its size, where games were finished."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for name in all_games[0]:
        points = [(n, median(g[name].seconds)) for n, g in enumerate(all_games) if g[name].finishes]
        axes.plot(*zip(*points, strict=True), marker="o", label=name)
    axes.set(yscale="log", xlabel="size", ylabel="seconds a game (median)")
    axes.set_xticks(range(len(sizes)), sizes)
    axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "--sizes", nargs="+", default=["4x6", "8x6", "12x6", "16x6", "24x8", "32x10"]
    )
    parser.add_argument("--games", type=int, default=10, help="games a size")
    parser.add_argument("--limit", type=float, default=10, help="seconds a guess may take")
    parser.add_argument("--players", nargs="+", default=PLAYERS, choices=PLAYERS, metavar="NAME")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--base", default="pseudo-Boolean", help="whose time is 1")
    parser.add_argument("--plot", metavar="FILE", help="draw the seconds by size")
    given = parser.parse_args()
    rows: list[list[str]] = []
    all_games = []
    for size in given.sizes:
        games = compared(size, given.games, given.seed, given.limit, given.players)
        all_games.append(games)
        base = games[given.base]
        rows += [games[name].row(size, name, base) for name in games]
    header = ["size", "player", "finished", "stuck at", "guesses", "seconds, median", "slowest"]
    print(table([*header, "ms a guess", f"{given.base} = 1"], rows))
    if given.plot:
        plotted(given.sizes, all_games, given.plot)


if __name__ == "__main__":
    main()
