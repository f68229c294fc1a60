"""How often a row is named unasked as maybe misread: in games without such a row, and with one.

The games without are truthful: of each row so many marks are read, and rightly. In the games with
one, a mark that was read in one of the first five rows is of another kind; the player guesses on
as suggested, by what the rows say. Rows that contradict each other are no suspicion: there it is
said that nothing fits, with the repairs.
"""

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from report import table

from puzzlehunt.channel.model import Rate
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.session.codemaker import Noise, TruthfulCodemaker
from puzzlehunt.session.notable import notable_suspect
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
class Told:
    """What a player was told: the row that was wrong, and after which row (from 1) what was said.

    `named` has the rows that were named as maybe misread; `contradicted` is the row after which
    nothing fitted any more, None if that never was so.
    """

    wrong: int | None
    named: dict[int, int]
    contradicted: int | None

    @property
    def seen(self) -> int | None:
        """After which row the wrong row was named, or nothing fitted; None if neither happened."""
        said = [self.named.get(self.wrong or 0), self.contradicted]
        return min((row for row in said if row is not None), default=None)


def play(name: str, with_wrong_row: bool, number: int) -> Told:
    """Return what a player was told in a numbered game."""
    known, strategy, settings, share_read = GAMES[name]
    game = load(known, [*settings, f"play.strategy={strategy}"])
    rng = random.Random(f"{name}:{number}")
    secret = game.secrets.random(rng)
    codemaker = TruthfulCodemaker(game, secret)
    if game.channel.reads is not None:
        codemaker.add_noise(Noise(really_read(game, share_read), rng))
    engine, adviser = open_engine(game), Adviser(game)
    least = rng.randint(1, FIRST_ROWS)
    wrong: int | None = None
    named: dict[int, int] = {}
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
            return Told(wrong, named, row)
        suspect = notable_suspect(engine)
        if suspect is not None:
            named.setdefault(suspect.number, row)
    return Told(wrong, named, None)


def really_read(game: Game, share: float | None) -> Game:
    """Return a game of which a share of all marks is read."""
    if share is None:
        return game
    rates = tuple(Rate(share) for _ in game.channel.reads or ())
    return replace(game, channel=replace(game.channel, reads=rates))


def misread_turn(game: Game, turn: Turn, rng: random.Random) -> Turn | None:
    """Return a turn with one of the marks that were read of another kind; None if none was read."""
    clues = [clue for _, clue in game.likelihood.corrections(turn.clue)]
    possible = [
        clue
        for clue in clues
        if game.rule.is_possible(turn.guess, clue) and not game.rule.wins(clue)
    ]
    return replace(turn, clue=rng.choice(possible)) if possible else None


def row_of(name: str, games: int, jobs: int) -> list[str]:
    """Return the row of a game."""
    with ProcessPoolExecutor(jobs) as pool:
        truthful, wrong = (
            list(pool.map(partial(play, name, with_wrong_row), range(games), chunksize=4))
            for with_wrong_row in (False, True)
        )
    wrong = [told for told in wrong if told.wrong is not None]
    false = sum(bool(told.named) for told in truthful)
    early = [told for told in wrong if told.seen is not None and told.seen < 10]
    named = sum(told.wrong in told.named for told in wrong)
    others = sum(bool({*told.named} - {told.wrong}) for told in wrong)
    shares = [len(early), named, others]
    return [
        name,
        f"{false} of {games}",
        str(len(wrong)),
        *(f"{share / max(1, len(wrong)):.0%}".replace("%", " %") for share in shares),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--secrets", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    header = ["game", "false", "with a wrong row", "before row 10", "named", "another named"]
    print(table(header, [row_of(name, given.secrets, given.jobs) for name in given.games]))


if __name__ == "__main__":
    main()
