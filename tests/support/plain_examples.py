"""The worked examples in plain Python, to compare with."""

import ast
import math
from collections.abc import Iterator
from itertools import combinations

import coins

Pool = tuple[int, ...]
WRONG, SURE, NEGLIGIBLE = 0.1, 0.95, 1e-3


def _entropy(*chances: float) -> float:
    return -sum(chance * math.log2(chance) for chance in chances if chance)


def _bits(chances: dict[int, float], pool: Pool) -> float:
    """Return what the test of a pool tells about the sample, in bits."""
    inside = sum(chances[sample] for sample in pool)
    positive = (1 - WRONG) * inside + WRONG * (1 - inside)
    return round(_entropy(positive, 1 - positive) - _entropy(WRONG, 1 - WRONG), 9)


def positions(samples: int, most: int) -> Iterator[tuple[list[str], Pool]]:
    """Yield each position's rows, and the first of the pools that tell most.

    Positions with a sample that is SURE, and those that are NEGLIGIBLE, are left out.
    """
    every = range(1, samples + 1)
    pools = [pool for size in range(1, most + 1) for pool in combinations(every, size)]
    open_positions = [(list[str](), dict.fromkeys(every, 1 / samples))]
    for rows, weights in open_positions:
        reached = sum(weights.values())
        if reached < NEGLIGIBLE or max(weights.values()) >= SURE * reached:
            continue
        chances = {sample: weight / reached for sample, weight in weights.items()}
        best = max(pools, key=lambda pool: _bits(chances, pool))
        yield rows, best
        for result, inside in (("positive", 1 - WRONG), ("negative", WRONG)):
            shares = {n: w * (inside if n in best else 1 - inside) for n, w in weights.items()}
            open_positions.append(([*rows, f"{best} {result}"], shares))


def weighings_of_plan(plan: list[str], number: int) -> list[int]:
    """Follow the lines of a plan for every odd coin, heavy or light; return the weighings of each.

    Fails if the plan ends with another coin.
    """
    return [
        _weighings(plan, (coin, kind))
        for coin in range(1, number + 1)
        for kind in ("heavy", "light")
    ]


def _weighings(plan: list[str], odd: tuple[int, str]) -> int:
    place, start, depth = 0, "", 0
    while True:
        place = next(n for n in range(place, len(plan)) if plan[n].startswith(start))
        step = ast.literal_eval(plan[place].removeprefix(start))
        if step == odd:
            return depth
        depth += 1
        start = f"{'  ' * depth}{coins.answer(step, odd)}: "
