"""Processor seconds of comparing all guesses: arrays of numpy, and sets of codes as integers.

Bit i of such an integer says whether code i is in the set. Each literal of a rule is a set, the
number of true literals a bit-sliced sum, a part of a partition the codes with one such number.
After each row of a seeded game both ways count the parts of every guess, and have to agree.
"""

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise

from report import table

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.kernels.packed_codes import space_array
from puzzlehunt.session.codemaker import open_codemaker
from puzzlehunt.strategies.adviser import Adviser

GAMES = ("cryptic", "nethack", "logik", "mansions-hard", "wordle")


class Sets:
    """The literals of some codes as sets of these codes."""

    def __init__(self, codes: list[Code]) -> None:
        self.everyone = (1 << len(codes)) - 1
        self.at: defaultdict[tuple[int, int], int] = defaultdict(int)
        self.at_least: defaultdict[tuple[int, int], int] = defaultdict(int)
        for number, code in enumerate(codes):
            for place, symbol in enumerate(code):
                self.at[place, symbol] |= 1 << number
            for symbol, count in Counter(code).items():
                for times in range(1, count + 1):
                    self.at_least[symbol, times] |= 1 << number

    def pegs(self, guess: Code) -> list[int]:
        """Return the sizes of the parts of a guess by its black and its white pegs."""
        black = planes(self.at.get((p, s), 0) for p, s in enumerate(guess))
        count = Counter(guess).items()
        common = planes(self.at_least.get((s, t), 0) for s, n in count for t in range(1, n + 1))
        parts = split(common, [self.everyone])
        return [part.bit_count() for part in split(black, parts)]

    def marks(self, guess: Code) -> list[int]:
        """Return the sizes of the parts of a guess by the marks of its tiles."""
        parts = [self.everyone]
        right = [self.at.get((p, s), 0) for p, s in enumerate(guess)]
        for place, symbol in enumerate(guess):
            alike = [p for p, s in enumerate(guess) if s == symbol and p != place]
            elsewhere = 0
            later = [right[p] for p in alike if p > place]
            for more in range(len(later) + 1):
                times = len(alike) - len(later) + more + 1
                exactly = self.everyone & ~right[place]
                for members in planes_equal(planes(later), more, exactly):
                    elsewhere |= members & self.at_least.get((symbol, times), 0)
            parts = split([right[place]], split([elsewhere], parts))
        return [part.bit_count() for part in parts]


def planes(sets: Iterable[int]) -> list[int]:
    """Return the bits, lowest first, of the number of sets that each code is in."""
    total: list[int] = []
    for carry in sets:
        for bit, plane in enumerate(total):
            total[bit], carry = plane ^ carry, plane & carry
        if carry:
            total.append(carry)
    return total


def split(total: list[int], parts: list[int]) -> list[int]:
    """Return the parts divided by a bit-sliced number, without empty ones."""
    for plane in total:
        parts = [one for part in parts for one in (part & plane, part & ~plane) if one]
    return parts


def planes_equal(total: list[int], number: int, members: int) -> list[int]:
    """Return the members whose bit-sliced number is `number`, as a list of one set or none."""
    for bit, plane in enumerate(total):
        members &= plane if number >> bit & 1 else ~plane
    return [members] if members and number < 1 << len(total) else []


def rows(name: str, seed: int) -> Iterable[list[str]]:
    """Yield a line of the table for each position of a game."""
    game = load(name).with_play({"strategy": "entropy", "opening": None})
    engine, adviser = open_engine(game), Adviser(game, opens_books=False)
    maker = open_codemaker(game, None, rng=random.Random(seed))
    engine.follow(maker.history)
    guesses = game.rule.rows(space_array(game.guesses, game.length))
    words = [tuple(map(int, code)) for code in guesses.codes]
    while not maker.is_over:
        assert isinstance(engine, ExplicitEngine)
        left = engine.secrets()[engine.candidate_places()]
        moments = [time.process_time()]
        counts = game.rule.partitions(guesses, left)
        moments.append(time.process_time())
        sets = Sets([tuple(map(int, code)) for code in left.codes])
        own_counts = list(map(sets.pegs if game.rule.name == "pegs" else sets.marks, words))
        moments.append(time.process_time())
        for one, expected in zip(own_counts, counts, strict=True):
            assert sorted(one) == sorted(expected[expected > 0].tolist())
        numpy, integers = (end - start for start, end in pairwise(moments))
        shown = f"{len(left):,}", f"{len(words):,}"
        yield [name, *shown, f"{numpy:.3f}", f"{integers:.3f}", f"{integers / numpy:.1f}x"]
        engine.push(maker.answer(adviser.advise(engine, 1).suggestions[0].guess))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    names = parser.parse_args().games
    header = ["game", "left", "guesses", "numpy", "integers", "integers : numpy"]
    print(table(header, [row for name in names for row in rows(name, seed=7)]))


if __name__ == "__main__":
    main()
