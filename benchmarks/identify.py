"""How soon the meaning of unexplained marks is known, and what not knowing it costs.

Each game hides a word, a rule and a legend, and the program plays it to the end: by the posterior
over all rules, and, paired with it (the same word and the same luck of unread marks), by the
posterior that knows the rule and the legend. `--own` hides only the legend. The hidden rules are
pegs (with all marks read, with 60 %, and with a hunt's rates), wordle marks, letters, near, order,
and places alone. Prints a table for `benchmarks/results/identify.md`.
"""

import argparse
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from statistics import mean, median, stdev
from typing import cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.legends import Hypothesis, LegendPosterior, Legends
from puzzlehunt.engines.scorings import TRIED
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.notation.clue import Parts
from puzzlehunt.strategies.unexplained import suggestions

_SIGNS = "XYZ"
_MOST_ROWS = 40


@dataclass(frozen=True)
class Hidden:
    """What is hidden: a rule, how it is shown, and how often marks of each kind are read."""

    name: str
    rule: str
    shown: str
    reads: tuple[float, ...] = (1.0, 1.0, 1.0)
    silent: bool = False
    stated: bool = False
    """Whether the game file says how often marks are read."""


GAMES = [
    Hidden("pegs, all read", "pegs", "tally"),
    Hidden("pegs, 60 % read", "pegs", "tally", (0.6, 0.6, 0.6)),
    Hidden("pegs, a hunt's rates, stated", "pegs", "tally", (0.10, 0.13, 0.51), stated=True),
    Hidden("wordle marks", "marks", "tiles"),
    Hidden("letters", "letters", "tally", (1.0, 1.0)),
    Hidden("near", "near", "tiles"),
    Hidden("order", "order", "tiles"),
    Hidden("places alone", "matches", "numbers", (1.0, 1.0), silent=True),
]


@dataclass
class Played:
    """One game; `calls` say after each row whether the first hypothesis is true, and its chance.

    `likely` are the numbers of rows after which the secret is likelier than all others together,
    for this player, and for one who sees the same rows and knows rule and legend.
    """

    guesses: int = 0
    found: bool = False
    calls: list[tuple[bool, float]] = field(default_factory=list)
    likely: list[int] = field(default_factory=lambda: [_MOST_ROWS + 1] * 2)


@cache
def games(hidden: Hidden, own: bool) -> tuple[Game, Game, Legends]:
    """Return the true game, the one with an unknown legend, and its hypotheses."""
    settings = {"secret.words": "common", "rule": hidden.rule}
    if hidden.stated:
        kinds = zip(("black", "white", "miss"), hidden.reads, strict=True)
        settings |= {f"reads.{kind}": str(rate) for kind, rate in kinds}
    true = load("wordle", settings)
    unknown = load("wordle", {**settings, "legend": "unknown"})
    return true, unknown, Legends(unknown, own_rule=own)


def answer(hidden: Hidden, true: Game, guess: Code, secret: Code, legend: str, seed: int) -> str:
    """Return what is shown: the marks that were read, as signs, in a random order if a tally."""
    rng = random.Random(f"{seed} {guess}")
    feedback = cast(Parts, true.rule.score(guess, secret))
    if hidden.shown == "numbers":
        return str(feedback[0])
    kinds = list(feedback)
    if hidden.shown == "tally":
        kept = len(true.rule.kinds) - 1
        counts = [*feedback[:kept], len(guess) - sum(feedback[:kept])]
        kinds = [kind for kind, number in enumerate(counts) for _ in range(number)]
        rng.shuffle(kinds)
    return "".join(legend[k] if rng.random() < hidden.reads[k] else "_" for k in kinds)


def is_true(hidden: Hidden, true: Game, hypothesis: Hypothesis, legend: str) -> bool:
    """Return whether a hypothesis has the hidden rule, and the meaning of each sign seen."""
    names = [label for _, label in true.rule.kinds]
    meant = {legend[kind]: name for kind, name in enumerate(names)} | {"1.": names[0]}
    is_rule = hypothesis.rule == hidden.rule and not hypothesis.reversed
    return is_rule and all(meant[sign] == name for sign, name in hypothesis.legend)


def play(hidden: Hidden, seed: int, own: bool, known: bool) -> Played:
    """Play one game to its end, or to the longest."""
    rng = random.Random(f"{hidden.name} {seed}")
    true, unknown, legends = games(hidden, own or known)
    secret = true.secrets.random(rng)
    legend = "".join(rng.sample(_SIGNS, len(hidden.reads)))
    played, turns = Played(), list[Turn]()
    while True:
        posterior = LegendPosterior(legends, turns)
        if known:
            _restrict(posterior, hidden, true, legend)
        elif turns:
            hypothesis, chance = next(iter(posterior.hypotheses.items()))
            played.calls.append((is_true(hidden, true, hypothesis, legend), chance))
            told = LegendPosterior(games(hidden, own=True)[2], turns)
            _restrict(told, hidden, true, legend)
            for number, each in enumerate((posterior, told)):
                if each.chance(secret) > 0.5:
                    played.likely[number] = min(played.likely[number], len(turns))
        if played.found or played.guesses == _MOST_ROWS:
            return played
        best = suggestions(posterior, seed, 1)
        guess = best[0].code
        played.guesses += 1
        played.found = guess == secret
        text = "won" if played.found else answer(hidden, true, guess, secret, legend, seed)
        turns.append(unknown.turn(f"{unknown.format_code(guess)} {text}"))


def _restrict(posterior: LegendPosterior, hidden: Hidden, true: Game, legend: str) -> None:
    kept = [
        (joint, chance)
        for joint, chance in zip(posterior.joints, posterior.chances, strict=True)
        if is_true(hidden, true, posterior.hypothesis(joint), legend)
        and joint.scoring.shown == hidden.shown
        and joint.silent == hidden.silent
        and (joint.reading == "whole") == (min(hidden.reads) == 1)
        and dict(joint.scoring.options) == dict(TRIED[joint.scoring.rule.name].variants[0])
    ]
    posterior.joints = [joint for joint, _ in kept]
    total = sum(chance for _, chance in kept)
    posterior.chances = [chance / total for _, chance in kept]


def both(arguments: tuple[Hidden, int, bool]) -> tuple[Played, Played]:
    """Return one game played without and with the rule known."""
    hidden, seed, own = arguments
    return play(hidden, seed, own, known=False), play(hidden, seed, own, known=True)


def rows_needed(played: Played) -> int:
    """Return after how many rows the first hypothesis was true, and stayed so to the end."""
    wrong = [number for number, (is_right, _) in enumerate(played.calls, start=1) if not is_right]
    return (wrong[-1] if wrong else 0) + 1


def interval(numbers: Sequence[int]) -> tuple[float, float]:
    """Return the mean, and the half width of its 95 % interval."""
    error = 1.96 * stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.nan
    return mean(numbers), error


def upper_limit(wrong: int, number: int) -> float:
    """Return the upper 95 % limit (Clopper and Pearson, one-sided) of a share."""
    low, high = wrong / number, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        tail = sum(
            math.comb(number, n) * middle**n * (1 - middle) ** (number - n)
            for n in range(wrong + 1)
        )
        low, high = (middle, high) if tail > 0.05 else (low, middle)
    return high


def lines(results: Mapping[str, Sequence[tuple[Played, Played]]]) -> Iterator[str]:
    """Yield the table, and the calibration over all games."""
    yield (
        "| hidden | games | rows till true, median | 95 % | guesses | with the rule known | more "
        "| rows more till the word is likely |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    calls = list[tuple[bool, float]]()
    ends = list[tuple[bool, float]]()
    means = list[tuple[tuple[float, float], tuple[float, float]]]()
    for name, pairs in results.items():
        needed = sorted(rows_needed(one) for one, _ in pairs)
        more = interval([one.guesses - other.guesses for one, other in pairs])
        later = interval([one.likely[0] - one.likely[1] for one, _ in pairs])
        means.append((more, later))
        calls += [call for one, _ in pairs for call in one.calls]
        ends += [one.calls[-1] for one, _ in pairs if one.calls]
        yield (
            f"| {name} | {len(pairs)} | {median(needed):g} | "
            f"{needed[math.ceil(0.95 * len(needed)) - 1]} | "
            f"{mean(one.guesses for one, _ in pairs):.2f} | "
            f"{mean(other.guesses for _, other in pairs):.2f} | {more[0]:+.2f} ± {more[1]:.2f} | "
            f"{later[0]:+.2f} ± {later[1]:.2f} |"
        )
    wrong = [chance for is_right, chance in ends if not is_right]
    yield ""
    for number, what in enumerate(("guesses", "rows till the word is likely")):
        total = mean(each[number][0] for each in means)
        error = math.hypot(*(each[number][1] for each in means)) / len(means)
        yield f"{total:+.2f} ± {error:.2f} {what} more, mean over all kinds."
    sure = sum(chance >= 0.9 for chance in wrong)
    for what, number in (("Wrong at the end", len(wrong)), ("Of these 90 % sure", sure)):
        yield f"{what}: {number} of {len(ends)} (at most {upper_limit(number, len(ends)):.1%})."
    for low, high in ((0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 0.99), (0.99, 1.01)):
        within = [(is_right, chance) for is_right, chance in calls if low <= chance < high]
        if within:
            right = mean(is_right for is_right, _ in within)
            told = mean(chance for _, chance in within)
            yield f"Called {told:.1%} sure ({len(within)} rows): {right:.1%} true."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=20, help="games of each kind")
    parser.add_argument("--own", action="store_true", help="the rule is known, its marks are not")
    parser.add_argument("--only", default="", help="kinds whose name has this text")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    results = {}
    with ProcessPoolExecutor(2) as pool:
        for hidden in GAMES:
            if given.only in hidden.name:
                seeds = range(given.seed, given.seed + given.games)
                arguments = [(hidden, seed, given.own) for seed in seeds]
                results[hidden.name] = list(pool.map(both, arguments))
                print([*lines({hidden.name: results[hidden.name]})][2], flush=True)
    print("\n".join(lines(results)))


if __name__ == "__main__":
    main()
