"""Whole games on large code spaces: counts of literals beside pairs of positions, by pySMT and z3.

Both encodings play whatever model the solver returns, on the same seeded secrets and in turn; the
symbolic engine then plays the same secrets by its own seeded sample, which no release of the
solver can change. Every guess is checked against the specification.

In the *pairwise* encoding, as published for Mastermind by SAT and SMT solvers, each guess brings
one Boolean for every position of the guess and every other position of the secret: the two are
paired as a white. Each peg of either side is in one pair at most, only pegs of the same colour
that are not black are paired, and no two that could be are left over; the whites are the pairs.
"""

import argparse
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import mean, median
from threading import Timer

from pysmt.environment import Environment
from pysmt.exceptions import SolverReturnedUnknownResultError
from pysmt.fnode import FNode
from pysmt.logics import QF_LIA
from pysmt.solvers.z3 import Z3Solver
from report import table, times
from z3 import Z3Exception

from puzzlehunt.codes import Code
from puzzlehunt.engines.symbolic import SymbolicEngine
from puzzlehunt.game import Game
from puzzlehunt.gamefile import load
from puzzlehunt.history import Turn
from puzzlehunt.rules.pegs import Pegs
from puzzlehunt.smtlib import Encoding


class OutOfTimeError(Exception):
    """A game took longer than it may."""


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

    def over(self, environment: Environment, at: list[list[FNode]]) -> None:
        self.manager = environment.formula_manager
        self.at = at
        self.solver = Z3Solver(environment, QF_LIA, random_seed=0)

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


class LiteralCounts(FirstModel):
    """The package's own encoding."""

    def start(self) -> None:
        self.encoding = encoding = Encoding(self.game)
        self.over(encoding.environment, encoding.at)
        for node in (*encoding.one_a_position(), *encoding.occurrences(), encoding.space()):
            self.solver.add_assertion(node)

    def learn(self, guess: Code, pegs: Pegs) -> FNode:
        return self.encoding.item(Turn(guess, self.game.rule.exactly(pegs, guess)))


class Pairwise(FirstModel):
    """One Boolean for each pair of a position of the guess and another of the secret."""

    def start(self) -> None:
        environment = Environment()
        symbol = environment.formula_manager.Symbol
        colours = range(len(self.game.alphabet))
        places = range(self.game.length)
        self.over(environment, [[symbol(f"at_{p}_{c}") for c in colours] for p in places])
        self.guesses = 0
        for row in self.at:
            self.solver.add_assertion(self.manager.ExactlyOne(row))

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
    """Plays a candidate drawn by the symbolic engine with a seed."""

    def __init__(self, game: Game, seed: str) -> None:
        self.game = game
        self.engine = SymbolicEngine(game)
        self.rng = random.Random(seed)

    def guess(self, _seconds: float) -> Code:
        (code,) = self.engine.sample(1, self.rng).codes
        return code

    def tell(self, guess: Code, pegs: Pegs) -> None:
        self.engine.push(Turn(guess, self.game.rule.exactly(pegs, guess)))


@dataclass
class Games:
    """What a player has played: seconds and guesses a finished game."""

    seconds: list[float] = field(default_factory=list)
    guesses: list[int] = field(default_factory=list)
    unfinished: int = 0

    def row(self, size: str, name: str, base: "Games", limit: float) -> list[str]:
        finished = len(self.seconds)
        if not finished:
            return [size, name, f"0 of {self.unfinished}", "", f"over {limit:.0f}", "", "", ""]
        # A game that was stopped took at least as long as it might.
        known = [*self.seconds, *([limit] * self.unfinished)]
        return [
            size,
            name,
            f"{finished} of {len(known)}",
            f"{mean(self.guesses):.2f}",
            f"{median(known):.3f}",
            f"{max(known):.2f}",
            f"{1000 * sum(self.seconds) / sum(self.guesses):.1f}",
            times(known, base.seconds) if base.seconds else "",
        ]


Player = LiteralCounts | Pairwise | Sampled


def play(game: Game, secret: Code, start: Callable[[], Player], limit: float, games: Games) -> None:
    """Play one game to its end, or to its time limit, and check every guess."""
    began = time.perf_counter()
    player = start()
    said: list[tuple[Code, Pegs]] = []
    while not said or said[-1][0] != secret:
        left = began + limit - time.perf_counter()
        try:
            if left <= 0:
                raise OutOfTimeError
            guess = player.guess(left)
        except OutOfTimeError:
            games.unfinished += 1
            return
        assert all(game.rule.score(old, guess) == pegs for old, pegs in said), "not a candidate"
        pegs = Pegs(*game.rule.score(guess, secret))
        said.append((guess, pegs))
        if pegs != game.rule.winning:
            player.tell(guess, pegs)
    games.seconds.append(time.perf_counter() - began)
    games.guesses.append(len(said))


def compared(size: str, number: int, seed: int, limit: float) -> list[list[str]]:
    """Return the rows of one size: all players in turn on the same secrets."""
    game = load(size)
    rng = random.Random(seed)
    names = ("literal counts", "pairwise", "engine's sample")
    games = {name: Games() for name in names}
    for at in range(number):
        secret = game.secrets.random(rng)
        starts: dict[str, Callable[[], Player]] = {
            "literal counts": lambda: LiteralCounts(game),
            "pairwise": lambda: Pairwise(game),
            "engine's sample": lambda at=at: Sampled(game, f"{seed}:{at}"),  # type: ignore[misc]
        }
        for name, start in starts.items():
            play(game, secret, start, limit, games[name])
    return [games[name].row(size, name, games["literal counts"], limit) for name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--sizes", nargs="+", default=["4x6", "8x6", "16x6"])
    parser.add_argument("--games", type=int, default=10, help="games a size")
    parser.add_argument("--limit", type=float, default=30, help="seconds a game may take")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rows: list[list[str]] = []
    for size in given.sizes:
        rows += compared(size, given.games, given.seed, given.limit)
    header = ["size", "player", "finished", "guesses", "seconds, median", "slowest"]
    print(table([*header, "ms a guess", "literal counts = 1"], rows))


if __name__ == "__main__":
    main()
