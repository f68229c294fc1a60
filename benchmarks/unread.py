"""How many unread marks hunters solve until the word is plain, by the order of solving them.

Each simulated hunt hides a word and answers the guesses of a log, read as the game's rates say.
Then marks that were not read are solved, one by one, until the hidden word is believed with a
probability of 50 %: in the order that is recommended (`unread_marks`), or row by row. Which mark of
a row is solved next is drawn, as marks have no order: the same for every order of the rows.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from channels import resampled
from report import table

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.explanation.unread import unread_marks
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.kernels.packed_codes import array_of, indices_in

PLAIN = 0.5
"""Probability from which on the hidden word counts as found."""


@dataclass
class Hunt:
    """A hidden word and a row for each guess: marks that were read, and others in a drawn order."""

    game: Game
    secret: Code
    guesses: list[Code]
    read: list[list[str]]
    unread: list[list[str]]

    @property
    def history(self) -> History:
        turns = []
        for guess, marks in zip(self.guesses, self.read, strict=True):
            text = "".join(marks) or "*"
            turns.append(Turn(guess, self.game.parse_clue(text, guess)))
        return History(tuple(turns))


Choice = Callable[[Hunt, ExplicitEngine], int]
"""Chooses the row (from 0) of which a mark is solved next."""


def row_by_row(hunt: Hunt, _engine: ExplicitEngine) -> int:
    return next(row for row, marks in enumerate(hunt.unread) if marks)


def most_unread(hunt: Hunt, _engine: ExplicitEngine) -> int:
    return max(range(len(hunt.unread)), key=lambda row: len(hunt.unread[row]))


def recommended(_hunt: Hunt, engine: ExplicitEngine) -> int:
    return unread_marks(engine)[0].number - 1


ORDERS: dict[str, Choice] = {
    "recommended": recommended,
    "rows in order": row_by_row,
    "the row with most unread": most_unread,
}


def begun(log: str, seed: int, number: int) -> Hunt:
    """Return a hunt with a numbered word, its rows read once."""
    game = load(log)
    rng = random.Random(f"{seed}:{number}")
    guesses = [turn.guess for turn in game.history.turns]
    secret = game.secrets.random(rng)
    while secret in guesses:
        secret = game.secrets.random(rng)
    rates = [rate.mean for rate in game.channel.reads or ()]
    kinds = [mark for mark, _ in game.rule.notation.named_marks()]
    hunt = Hunt(game, secret, guesses, [], [])
    for guess in guesses:
        whole = game.rule.notation.format(game.turn(guess, game.score(guess, secret)).clue)
        marks = rng.sample(whole, len(whole))
        is_read = [rng.random() < rates[kinds.index(mark)] for mark in marks]
        hunt.read.append([mark for mark, read in zip(marks, is_read, strict=True) if read])
        hunt.unread.append([mark for mark, read in zip(marks, is_read, strict=True) if not read])
    return hunt


@dataclass(frozen=True)
class Solved:
    """How many marks were solved, whether the word is plain then, and the slowest choice (s)."""

    marks: int
    plain: bool
    slowest: float


def solve(log: str, order: str, seed: int, number: int) -> Solved:
    """Return how a hunt with a numbered word went."""
    hunt = begun(log, seed, number)
    engine = open_engine(hunt.game).listed
    assert engine is not None
    (place,) = indices_in(engine.secrets().codes, array_of([hunt.secret], hunt.game.length))
    marks, slowest = 0, 0.0
    engine.follow(hunt.history)
    while engine.posterior.probabilities[place] < PLAIN and any(hunt.unread):
        start = time.perf_counter()
        row = ORDERS[order](hunt, engine)
        slowest = max(slowest, time.perf_counter() - start)
        hunt.read[row].append(hunt.unread[row].pop(0))
        engine.follow(hunt.history)
        marks += 1
    return Solved(marks, engine.posterior.probabilities[place] >= PLAIN, slowest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", default="heart-2018", help="the game whose guesses are answered")
    parser.add_argument("--hunts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    hunts: dict[str, list[Solved]] = {}
    with ProcessPoolExecutor(given.jobs) as pool:
        for order in ORDERS:
            one = partial(solve, given.log, order, given.seed)
            hunts[order] = list(pool.map(one, range(given.hunts), chunksize=4))
    ours, rows = [hunt.marks for hunt in hunts["recommended"]], []
    for order, solved in hunts.items():
        theirs = [hunt.marks for hunt in solved]
        low, high = resampled(ours, theirs, given.seed)
        rows.append(
            [
                order,
                f"{given.hunts}",
                f"{statistics.mean(theirs):.2f}",
                f"{statistics.median(theirs):.1f}",
                f"{max(theirs)}",
                f"{sum(not hunt.plain for hunt in solved)}",
                f"{statistics.mean(ours) / statistics.mean(theirs):.3f}",
                f"{low:.3f}-{high:.3f}",
                f"{max(hunt.slowest for hunt in solved):.3f}",
            ]
        )
    header = [
        "order",
        "hunts",
        "marks",
        "median",
        "most",
        "never plain",
        "ratio",
        "95 %",
        "slowest (s)",
    ]
    print(table(header, rows))


if __name__ == "__main__":
    main()
