"""How long explanations take: why rows cannot all be right, `/why` and `/certain`.

Contradictions come from seeded games in which one row is falsified by a mark: a row that matters to
many others, so that the rows contradict each other. The engine holds the rows before the clock
starts, as it does where a person waits; `first` is what is shown at once.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator

from report import spread, table

from puzzlehunt.channel.model import SUSPICION
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.repair import repairs
from puzzlehunt.explanation.why import explain, verdicts
from puzzlehunt.game.files.gamefile import built_in_games, load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.session.codemaker import open_codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser

LARGE = {"5x8": 50, "16x6": 30}
"""Sizes, and how many rows contradict each other."""


def contradicting(size: str, rows: int, games: int) -> Iterator[tuple[Game, Engine]]:
    """Iterate over engines that hold so many rows, of which one is false and contradicts others."""
    game, found, seed = load(size), 0, 0
    while found < games:
        rng, seed = random.Random(seed), seed + 1
        secret = game.secrets.random(rng)
        turns: list[Turn] = []
        while len(turns) < rows:
            guess = game.guesses.random(rng)
            if guess != secret:
                turns.append(game.turn(guess, game.score(guess, secret)))
        wrong = rng.randrange(rows)
        turn = turns[wrong]
        others = [clue for _, clue in game.likelihood.rule.edits.one_mark_edits(turn.clue)]
        possible = [clue for clue in others if not game.rule.refusal(turn.guess, clue)]
        turns[wrong] = Turn(turn.guess, rng.choice(possible))
        engine = open_engine(game)
        engine.follow(History(tuple(turns)))
        if not engine.satisfiable():
            found += 1
            yield game, engine


def conflict_row(size: str, rows: int, games: int) -> list[str]:
    firsts, mending, members = [], [], []
    for game, engine in contradicting(size, rows, games):
        start = time.perf_counter()
        members.append(len(explain(game, engine).conflict))
        firsts.append(time.perf_counter() - start)
        start = time.perf_counter()
        repairs(engine)
        mending.append(time.perf_counter() - start)
    kind = "symbolic" if engine.listed is None else "explicit"
    return [
        size,
        kind,
        str(rows),
        str(games),
        spread(firsts),
        spread(mending),
        spread(members, ".0f"),
    ]


def long_row(rows: int, wrong: int) -> list[str]:
    """Return what the command `explain` takes for many rows of 5x8, of which some are false."""
    game, rng = load("5x8"), random.Random(rows)
    secret = game.secrets.random(rng)
    guesses = rng.sample([code for code in game.guesses if code != secret], rows)
    false, lines = {*rng.sample(range(rows), wrong)}, list[str]()
    for number, guess in enumerate(guesses):
        clue = game.rule.notation.full_clue(game.score(guess, secret), guess)
        if number in false:
            others = [other for _, other in game.likelihood.rule.edits.one_mark_edits(clue)]
            clue = rng.choice([one for one in others if not game.rule.refusal(guess, one)])
        lines.append(f"{game.format_code(guess)} {game.rule.notation.format(clue)}")
    command = [sys.executable, "-m", "puzzlehunt", "explain", "5x8", "--history", "-", "--json"]
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "--seconds", "0"],
        check=False,
        input="\n".join(lines),
        capture_output=True,
        text=True,
    )
    seconds, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    suspects = json.loads(done.stdout)["suspects"]
    named = {one["turn"] - 1 for one in suspects if one["probability"] >= SUSPICION}
    return [
        str(rows),
        str(wrong),
        f"{seconds:.1f}",
        f"{used.ru_utime + used.ru_stime:.1f}",
        f"{used.ru_maxrss / 1000:.0f}",
        f"{len(named & false)} + {len(named - false)}",
    ]


def asked_row(name: str, rows: int) -> list[str]:
    """Return how long `/why` and `/certain` take at worst, after every row of a seeded game."""
    game = load(name)
    rng = random.Random(name)
    codemaker = open_codemaker(game, game.secrets.random(rng), rng=rng)
    adviser, engine = Adviser(game), open_engine(game)
    whys, certains = [0.0], [0.0]
    for _ in play_against(codemaker, adviser, engine, rng):
        asked = open_engine(game)
        asked.follow(codemaker.history)
        asked.satisfiable()
        code = game.secrets.random(rng)
        start = time.perf_counter()
        verdicts(game, codemaker.history, code)
        whys.append(time.perf_counter() - start)
        start = time.perf_counter()
        certain(asked)
        certains.append(time.perf_counter() - start)
        if len(whys) > rows:
            break
    return [name, str(len(whys) - 1), f"{max(whys):.3f}", f"{max(certains):.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="contradictions of each size")
    parser.add_argument("--rows", type=int, default=12, help="rows of a game, at most")
    parser.add_argument("--sizes", nargs="*", default=list(LARGE))
    parser.add_argument("--names", nargs="*", default=list(built_in_games()), metavar="GAME")
    parser.add_argument("--long", nargs=2, type=int, metavar=("ROWS", "FALSE"), help="only that")
    chosen = parser.parse_args()
    if chosen.long:
        header = ["rows", "false", "seconds", "processor", "MB", "false and right ones named"]
        print(table(header, [long_row(*chosen.long)]))
        return
    header = ["size", "engine", "rows", "games", "first", "repairs", "in it"]
    print(table(header, [conflict_row(size, LARGE[size], chosen.games) for size in chosen.sizes]))
    print()
    rows = [asked_row(name, chosen.rows) for name in chosen.names if name != "heart-2018"]
    print(table(["game", "rows", "/why", "/certain"], rows))


if __name__ == "__main__":
    main()
