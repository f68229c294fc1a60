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

from puzzlehunt.channel.model import SUSPICION, Rate
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.repair import suspects
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.session.codemaker import Noise, TruthfulCodemaker
from puzzlehunt.strategies.adviser import Adviser

OF_A_HUNT = (0.10, 0.13, 0.51)
READERS = {"a hunt": OF_A_HUNT, "60 %": (0.6,) * 3, "no reds": (1.0, 1.0, 0.0), "all": (1.0,) * 3}
"""The share (0 to 1) of black, white and red marks that are really read."""
GAMES: dict[str, tuple[str, list[str]]] = {
    "cryptic": ("cryptic", []),
    "cryptic, rates of a hunt": ("cryptic", ["reads={black: 0.10, white: 0.13, miss: 0.51}"]),
    "mastermind": ("mastermind", ["reads={misread: 0.05}"]),
    "wordle": ("wordle", ["reads={misread: 0.05}", "secret.words=common"]),
}
"""For each line: a game and its settings; marks without a rate are all read."""
LONGEST = 60
"""Rows after which a game is given up."""
FIRST_ROWS = 5
"""The wrong row is one of so many, or the first after them of which something was read."""


@dataclass(frozen=True)
class Played:
    """A game: the row that was wrong, the likeliest suspects, and where the rows contradicted.

    Rows count from 1. `suspected` has after each row the likeliest suspect, and the probability
    that the secret is no candidate. `contradicted` is the row after which nothing fitted any more,
    None if that never was so.
    """

    wrong: int | None
    suspected: list[tuple[int, int, float]]
    contradicted: int | None

    def named(self, least: float) -> dict[int, int]:
        """Return the rows that are named where `least` is probable enough, and after which row."""
        rows: dict[int, int] = {}
        for row, number, outside in self.suspected:
            if outside >= least:
                rows.setdefault(number, row)
        return rows

    def seen(self, least: float) -> float:
        """Return after which row the wrong row was named, or nothing fitted; infinity if never."""
        said = [self.named(least).get(self.wrong or 0), self.contradicted]
        return min((row for row in said if row is not None), default=math.inf)


def play(name: str, reader: str, strategy: str, with_wrong_row: bool, number: int) -> Played:
    """Return a numbered game."""
    known, settings = GAMES[name]
    game = load(known, [*settings, f"play.strategy={strategy}"])
    rng = random.Random(f"{reader}:{number}")
    secret = game.secrets.random(rng)
    codemaker = TruthfulCodemaker(game, secret)
    if game.channel.reads is not None:
        rates = tuple(Rate(share) for share in READERS[reader])
        read = replace(game, channel=replace(game.channel, reads=rates))
        codemaker.noise = Noise(read, rng)
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
        outside = (engine.listed and engine.listed.outside) or 0.0
        suspected += [(row, one.number, outside) for one in suspects(engine)[:1]]
    return Played(wrong, suspected, None)


def misread_turn(game: Game, turn: Turn, rng: random.Random) -> Turn | None:
    """Return a turn with one of the marks that were read of another kind; None if none was read."""
    clues = [clue for _, clue in game.likelihood.rule.edits.one_mark_edits(turn.clue)]
    possible = [
        clue
        for clue in clues
        if not game.rule.refusal(turn.guess, clue) and not game.rule.wins(clue)
    ]
    return replace(turn, clue=rng.choice(possible)) if possible else None


def rows_of(
    case: tuple[str, str, str], least: Sequence[float], games: int, jobs: int
) -> Iterator[list[str]]:
    """Yield the rows of a game, one for each probability from which on rows are named."""
    with ProcessPoolExecutor(jobs) as pool:
        truthful, played = (
            list(pool.map(partial(play, *case, with_wrong_row), range(games), chunksize=4))
            for with_wrong_row in (False, True)
        )
    wrong = [game for game in played if game.wrong is not None]
    average = sum(1 + len(game.suspected) for game in truthful) / games
    for chance in least:
        false = sum(bool(game.named(chance)) for game in truthful)
        early = sum(game.seen(chance) < 10 for game in wrong)
        named = sum(game.wrong in game.named(chance) for game in wrong)
        others = sum(bool({*game.named(chance)} - {game.wrong}) for game in wrong)
        shares = [f"{100 * count / max(1, len(wrong)):.0f} %" for count in (early, named, others)]
        shown = [f"{average:.1f}", f"{100 * chance:.0f} %", f"{false} of {games}"]
        yield [*case, *shown, str(len(wrong)), *shares]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=["cryptic"], choices=list(GAMES))
    parser.add_argument("--readers", nargs="+", default=list(READERS), choices=list(READERS))
    parser.add_argument("--strategy", default="consistent")
    parser.add_argument("--least", nargs="+", type=float, default=[SUSPICION])
    parser.add_argument("--secrets", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    header = ["game", "read", "strategy", "guesses", "from", "false", "one wrong"]
    header += ["before row 10", "named", "another named"]
    rows = [
        row
        for name in given.games
        for reader in given.readers
        for row in rows_of((name, reader, given.strategy), given.least, given.secrets, given.jobs)
    ]
    print(table(header, rows))


if __name__ == "__main__":
    main()
