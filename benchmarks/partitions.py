"""Nanoseconds a score: the partition kernels, vectorised and compiled, beside plain Python.

Every repeat runs all kernels one after the other, so that a busy machine slows them all alike.
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from report import table, times

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.compiled.threads import thread_limit, threads
from puzzlehunt.kernels.feedback_matrix import Counts, table_blocks
from puzzlehunt.kernels.packed_codes import PackedCodes, space_array
from puzzlehunt.kernels.partitions import popcount_partitions
from puzzlehunt.rules.pegs import PegsRule

GAMES = ["4x6", "5x7", "5x8", "bulls-and-cows", "cryptic"]
FEW = [1, 3, 10, 30, 100, 1000]


def vectorised(rule: PegsRule, guesses: PackedCodes, secrets: PackedCodes) -> Counts:
    """Return the partitions by numpy, whatever their size."""
    blocks = [guesses[block] for block in table_blocks(len(guesses), len(secrets))]
    offsets, feedbacks = rule.pair_offsets, len(rule.feedbacks)
    return np.concatenate([popcount_partitions(b, secrets, offsets, feedbacks) for b in blocks])


def compiled(cores: int, rule: PegsRule, guesses: PackedCodes, secrets: PackedCodes) -> Counts:
    """Return the partitions by the compiled kernel on some cores, whatever their size."""
    with thread_limit(cores):
        return popcount_partitions(
            guesses, secrets, rule.pair_offsets, len(rule.feedbacks), compiled=True
        )


def measured(jobs: dict[str, Callable[[], Any]], repeats: int) -> dict[str, list[float]]:
    """Return the seconds of each job, interleaved, after one round that warms up."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(repeats + 1):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            if number:
                seconds[name].append(time.perf_counter() - start)
    return seconds


def opened(name: str) -> tuple[Game, PegsRule, PackedCodes]:
    game = load(name)
    assert isinstance(game.rule, PegsRule)
    return game, game.rule, game.rule.rows(space_array(game.secrets, game.length))


def partitions(
    rule: PegsRule, guesses: PackedCodes, secrets: PackedCodes
) -> dict[str, Callable[[], Counts]]:
    """Return the kernels to compare, after checking that they agree."""
    jobs: dict[str, Callable[[], Counts]] = {
        "numpy": lambda: vectorised(rule, guesses, secrets),
        "one": lambda: compiled(1, rule, guesses, secrets),
        "all": lambda: compiled(threads(), rule, guesses, secrets),
    }
    expected = jobs["numpy"]()
    assert all((job() == expected).all() for job in jobs.values()), "the kernels differ"
    return jobs


def plain(game: Game, rows: PackedCodes, pairs: int) -> Callable[[], None]:
    rng = random.Random(0)
    codes: list[Code] = [tuple(map(int, row)) for row in rows.codes[:: max(1, len(rows) // 1000)]]
    sample = [(rng.choice(codes), rng.choice(codes)) for _ in range(pairs)]

    def run() -> None:
        for guess, secret in sample:
            game.rule.score(guess, secret)

    return run


def throughput(name: str, scores: int, pairs: int, repeats: int) -> list[str]:
    """Return the row of one game: random guesses against all of its secrets."""
    game, rule, secrets = opened(name)
    most = max(1, min(len(secrets), scores // len(secrets)))
    chosen = np.random.default_rng(0).choice(len(secrets), most, replace=False)
    guesses = secrets[chosen]
    work = most * len(secrets)
    jobs: dict[str, Callable[[], Any]] = {
        "python": plain(game, secrets, pairs),
        "table": lambda: rule.table(guesses, secrets),
        **partitions(rule, guesses, secrets),
    }
    seconds = measured(jobs, repeats)
    each = {job: [s / (pairs if job == "python" else work) for s in seconds[job]] for job in jobs}
    shown = {job: f"{min(values) * 1e9:.2f}" for job, values in each.items()}
    return [
        name,
        f"{len(secrets):,}",
        f"{work / 1e6:.1f} M",
        f"{min(each['python']) * 1e9:,.0f}",
        shown["table"],
        shown["numpy"],
        shown["one"],
        shown["all"],
        times(each["python"], each["one"]),
    ]


def few_candidates(name: str, left: int, repeats: int) -> list[str]:
    """Return the row for all codes as guesses against the few that are left late in a game."""
    _, rule, rows = opened(name)
    chosen = np.sort(np.random.default_rng(0).choice(len(rows), left, replace=False))
    seconds = measured(partitions(rule, rows, rows[chosen]), repeats)
    shown = [f"{min(values) * 1e3:.2f}" for values in seconds.values()]
    return [f"{len(rows):,} x {left:,}", *shown, times(seconds["numpy"], seconds["one"])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--scores", type=int, default=20_000_000, help="scores a repeat, at most")
    parser.add_argument("--pairs", type=int, default=20_000, help="scores a repeat in plain Python")
    parser.add_argument("--late", default="nethack", help="the game of the second table")
    given = parser.parse_args()
    every = f"{numba.get_num_threads()} threads"

    print(f"Nanoseconds a score, least of {given.repeats} (`table` without counting):\n")
    header = ["game", "secrets", "scores", "rule.score", "table", "numpy", "compiled", every]
    rows = [throughput(name, given.scores, given.pairs, given.repeats) for name in given.games]
    print(table([*header, "Python : compiled"], rows))

    print(f"\nMilliseconds for all guesses of {given.late} against a few candidates:\n")
    rows = [few_candidates(given.late, left, given.repeats) for left in FEW]
    print(
        table(
            ["guesses x candidates", "numpy", "compiled", every, "numpy : compiled"],
            rows,
        )
    )


if __name__ == "__main__":
    main()
