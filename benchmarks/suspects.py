"""How often a row is named unasked as maybe misread: in games without such a row, and with one.

The games without are truthful: of each row so many marks are read, and rightly. In the games with
one, a mark that was read in one of the first five rows is of another kind; the player guesses on
as suggested, by what the rows say. Rows that contradict each other are no suspicion: there it is
said that nothing fits, with the repairs.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from report import table

from puzzlehunt.channel.model import Rate
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.repair import SUSPECT_CHANCE, suspects
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.session.codemaker import Noise, TruthfulCodemaker
from puzzlehunt.strategies.adviser import Adviser

MISREAD = "reads={misread: 0.05}"
COMMON = "secret.words=common"
GAMES: dict[str, tuple[str, str, list[str], float | None]] = {
    "cryptic, entropy": ("cryptic", "entropy", [], None),
    "cryptic": ("cryptic", "consistent", [], None),
    "cryptic, 60 % read": ("cryptic", "consistent", [], 0.6),
    "cryptic, all read": ("cryptic", "consistent", [], 1.0),
    "mastermind, all read": ("mastermind", "consistent", [MISREAD], None),
    "wordle, all read": ("wordle", "consistent", [MISREAD, COMMON], None),
}
"""For each line: the game, the strategy, settings, and the share (0 to 1) of marks that are really
read; None: as the game itself says."""
LONGEST = 60
"""Rows after which a game is given up."""
FIRST_ROWS = 5
"""The wrong row is one of so many, or the first after them of which something was read."""


@dataclass(frozen=True)
class Played:
    """A game: the row that was wrong, the likeliest suspects, and where the rows contradicted.

    Rows count from 1. `suspected` has after each row the likeliest suspect and its probability.
    `contradicted` is the row after which nothing fitted any more, None if that never was so.
    """

    wrong: int | None
    suspected: list[tuple[int, int, float]]
    contradicted: int | None

    def named(self, least: float) -> dict[int, int]:
        """Return the rows that are named where `least` is probable enough, and after which row."""
        rows: dict[int, int] = {}
        for row, number, probability in self.suspected:
            if probability >= least:
                rows.setdefault(number, row)
        return rows

    def seen(self, least: float) -> float:
        """Return after which row the wrong row was named, or nothing fitted; infinity if never."""
        said = [self.named(least).get(self.wrong or 0), self.contradicted]
        return min((row for row in said if row is not None), default=math.inf)


def play(name: str, with_wrong_row: bool, number: int) -> Played:
    """Return a numbered game."""
    known, strategy, settings, share_read = GAMES[name]
    game = load(known, [*settings, f"play.strategy={strategy}"])
    rng = random.Random(f"{name}:{number}")
    secret = game.secrets.random(rng)
    codemaker = TruthfulCodemaker(game, secret)
    if game.channel.reads is not None:
        codemaker.noise = Noise(really_read(game, share_read), rng)
    engine, adviser = open_engine(game), Adviser(game)
    least = rng.randint(1, FIRST_ROWS)
    wrong: int | None = None
    suspected: list[tuple[int, int, float]] = []
    for row in range(1, LONGEST + 1):
        guess = adviser.advise(engine, 1, seed=rng.randrange(2**32)).suggestions[0].guess
        turn = codemaker.answer(guess)
        if guess == secret:
            break
        if with_wrong_row and wrong is None and row >= least:
            misread = misread_turn(game, turn, rng)
            turn, wrong = (turn, None) if misread is None else (misread, row)
        engine.push(turn)
        if not engine.satisfiable():
            return Played(wrong, suspected, row)
        suspected += [(row, one.number, one.probability) for one in suspects(engine)[:1]]
    return Played(wrong, suspected, None)


def really_read(game: Game, share: float | None) -> Game:
    """Return a game of which a share of all marks is read."""
    if share is None:
        return game
    rates = tuple(Rate(share) for _ in game.channel.reads or ())
    return replace(game, channel=replace(game.channel, reads=rates))


def misread_turn(game: Game, turn: Turn, rng: random.Random) -> Turn | None:
    """Return a turn with one of the marks that were read of another kind; None if none was read."""
    clues = [clue for _, clue in game.support.edits.one_mark_edits(turn.clue)]
    possible = [
        clue
        for clue in clues
        if game.rule.is_possible(turn.guess, clue) and not game.rule.wins(clue)
    ]
    return replace(turn, clue=rng.choice(possible)) if possible else None


def rows_of(name: str, least: Sequence[float], games: int, jobs: int) -> Iterator[list[str]]:
    """Yield the rows of a game, one for each probability from which on rows are named."""
    with ProcessPoolExecutor(jobs) as pool:
        truthful, played = (
            list(pool.map(partial(play, name, with_wrong_row), range(games), chunksize=4))
            for with_wrong_row in (False, True)
        )
    wrong = [game for game in played if game.wrong is not None]
    for chance in least:
        false = sum(bool(game.named(chance)) for game in truthful)
        early = sum(game.seen(chance) < 10 for game in wrong)
        named = sum(game.wrong in game.named(chance) for game in wrong)
        others = sum(bool({*game.named(chance)} - {game.wrong}) for game in wrong)
        shares = [f"{100 * count / max(1, len(wrong)):.0f} %" for count in (early, named, others)]
        yield [name, f"{100 * chance:.0f} %", f"{false} of {games}", str(len(wrong)), *shares]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--least", nargs="+", type=float, default=[SUSPECT_CHANCE])
    parser.add_argument("--secrets", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    header = [
        "game",
        "from",
        "false",
        "with a wrong row",
        "before row 10",
        "named",
        "another named",
    ]
    rows = [
        row for name in given.games for row in rows_of(name, given.least, given.secrets, given.jobs)
    ]
    print(table(header, rows))


if __name__ == "__main__":
    main()
