"""How long the first suggestion takes for a table of 20,000 rows, and how good it is.

Usage, from the top of the checkout:

    python benchmarks/tables.py            # time and memory of a process, bits of its suggestion
    python benchmarks/tables.py --games    # elements and capitals by several strategies

The table is made at random, with a seed. Its twelve columns are of all kinds.
"""

import argparse
import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.packed_codes import space_array
from puzzlehunt.strategies.measures import MEASURES

COLUMNS = (
    "{a: order, b: {order: true, near: 10}, c: equal, d: overlap, e: order, f: equal, g: order,"
    " h: {order: true, near: 5}, i: equal, j: order, k: overlap,"
    " place: {distance: true, round: 1000, compass: 8}}"
)
_BLOCK = 20
"""Guesses whose partitions are held together."""


def write_game(folder: Path, rows: int) -> Path:
    """Write a table and its game file; return the path of the game."""
    rng, tags = random.Random(1), [f"t{number}" for number in range(12)]
    with (folder / "big.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["name", *"abcdefghijk", "place"])
        for number in range(rows):
            latitude, longitude = rng.uniform(-60, 70), rng.uniform(-180, 180)
            writer.writerow([
                f"Row {number}", rng.randrange(10), rng.randrange(1900, 2025), rng.choice("abcde"),
                ",".join(rng.sample(tags, rng.randint(0, 3))), rng.randrange(100),
                rng.choice(["x", "y", ""]), rng.randrange(5), round(rng.gauss(100, 20)),
                rng.choice("pq"), rng.randrange(1000), ",".join(rng.sample(tags, 2)),
                f"{latitude:.1f},{longitude:.1f}",
            ])  # fmt: skip
    game = folder / "big.yaml"
    rule = f"rule: {{name: columns, columns: {COLUMNS}}}"
    game.write_text(f"secret: {{table: big.csv}}\n{rule}\n", encoding="utf-8")
    return game


def measure(rows: int, compared: int) -> None:
    """Print the seconds and megabytes of `suggest`, and how its bits compare with other guesses."""
    with tempfile.TemporaryDirectory() as name:
        path = write_game(Path(name), rows)
        command = [sys.executable, "-m", "puzzlehunt", "suggest"]
        for asked in (["4x6"], [str(path)]):
            begun = time.monotonic()
            run = [*command, *asked, "--json", "--top", "1", "--seconds", "600"]
            done = subprocess.run(run, check=True, capture_output=True, text=True)
            seconds = time.monotonic() - begun
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(
                f"{Path(asked[0]).stem}: {seconds:.2f} s, at most {used.ru_maxrss / 1024:.0f} MB, "
                f"processor so far {used.ru_utime + used.ru_stime:.2f} s"
            )
        game = gamefile.load(path)
        chosen = game.parse_guess(json.loads(done.stdout)["suggestions"][0]["guess"])
        secrets = game.rule.rows(space_array(game.secrets, game.length))
        places = np.random.default_rng(2).permutation(len(secrets))[:compared]
        own = list(game.secrets).index(chosen)
        bits = []
        for start in range(0, compared, _BLOCK):
            guesses = secrets[np.append(places[start : start + _BLOCK], own)]
            counts = game.rule.partitions(guesses, secrets)
            *others, best = MEASURES["entropy"].value_of(counts).tolist()
            bits += others
        print(
            f"{game.format_code(chosen)}: {best:.3f} bits; the best of {compared:,} random guesses "
            f"{max(bits):.3f}, their average {np.mean(bits):.3f}"
        )


def games() -> None:
    """Play all secrets of the built-in tables."""
    for name in ("elements", "capitals"):
        for strategy in ("deep", "consistent", "optimal"):
            run = ["lab", "run", name, "--strategy", strategy, "--jobs", "1", "--json"]
            command = [sys.executable, "-m", "puzzlehunt", *run]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            told = json.loads(done.stdout)
            print(
                f"| `{name}` | {strategy} | {told['average']:.4f} | {told['worst']} "
                f"| {told['total']} | {told['seconds']:.1f} |"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", action="store_true")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--compared", type=int, default=2_000)
    options = parser.parse_args()
    if options.games:
        games()
    else:
        measure(options.rows, options.compared)
