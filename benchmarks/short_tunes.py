"""Whether guesses shorter than the secret help: proved totals with and without them.

A game is named as NxK. With `--opening AABBC`, the states that its answers leave are solved
instead. Where a symbol is in no candidate, a short guess is answered like one that is filled up
with that symbol, so that only the other states can differ.
"""

import argparse
import json
import re
import signal
import subprocess
import sys
from collections import defaultdict
from itertools import chain

from report import table

import puzzlehunt


def proved(game: str, changes: list[str], seconds: float) -> str:
    """Return the total of all guesses, or its bounds if the proof takes longer than that."""
    command = [sys.executable, "-m", "puzzlehunt", "lab", "run", game, "--strategy", "optimal"]
    command += ["--jobs", "1", "--json", *(part for each in changes for part in ("--set", each))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate()
    if process.returncode == 0:
        return f"{json.loads(output)['total']:,}"
    bounds = re.findall(rb"at least ([\d,]+) and at most ([\d,]+)", errors)
    return " to ".join(bound.decode() for bound in bounds[-1]) if bounds else "?"


def states(game: str, opening: str) -> list[tuple[int, str, int]]:
    """Return the rows after a first guess, the fewest candidates first, with their symbols."""
    played, parts = puzzlehunt.load(game), defaultdict(list)
    for code in puzzlehunt.candidates(played):
        parts[played.score(opening, code)].append(code)
    return sorted(
        (len(codes), f"{opening} {answer.black}b {answer.white}w", len(set(chain(*codes))))
        for answer, codes in parts.items()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", metavar="NxK")
    parser.add_argument("--opening", help="solve the states behind this first guess")
    parser.add_argument("--most", type=int, default=1000, help="candidates of such a state")
    parser.add_argument("--seconds", type=float, default=600, help="the limit of each proof")
    arguments = parser.parse_args()
    tried: list[tuple[str, str, list[str], int]] = [(game, game, [], 0) for game in arguments.games]
    if arguments.opening:
        tried = [
            (game, f"{row}: {count:,} candidates", [f"turns=[{row}]"], symbols)
            for game in arguments.games
            for count, row, symbols in states(game, arguments.opening)
            if 2 < count <= arguments.most
        ]
    rows = []
    for game, name, changes, symbols in tried:
        length, of = game.split("x")
        lengths = (length, f"0-{length}")
        totals = [
            proved(game, [*changes, f"guess.length={each}"], arguments.seconds) for each in lengths
        ]
        rows.append([name, symbols or of, *totals])
        print(*rows[-1], file=sys.stderr, flush=True)
    print(table(["", "symbols", "whole guesses", "short ones, too"], rows))


if __name__ == "__main__":
    main()
