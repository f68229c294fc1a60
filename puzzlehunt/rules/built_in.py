"""The built-in rules but for `columns`: five count marks, three mark each tile of the guess."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from operator import eq
from typing import ClassVar, NamedTuple, cast

import numpy as np

from puzzlehunt.codes.alphabet import FOREIGN, MOST_TILES, PAD, Code, graphemes
from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, At, AtLeast, Bound, Constraint
from puzzlehunt.kernels.feedback_matrix import Table, Tile, popcount_table, unsigned_type
from puzzlehunt.kernels.packed_codes import Bits, CodeArray, PackedCodes, count_bits, position_bits
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.families import CountRule, PlaceRule, TileLiterals, TileRule, peg_literals
from puzzlehunt.rules.notation.clue import Parts
from puzzlehunt.rules.notation.clue_values import CellsClue

_ABSENT, _ELSEWHERE, _RIGHT = range(3)


class Pegs(NamedTuple):
    """The feedback: the numbers of black and of white pegs.

    >>> puzzlehunt.load("4x6").score("AABB", "ABCD") == Pegs(black=1, white=1)
    True
    """

    black: int
    white: int


class PegsRule(CountRule):
    """The rule `pegs`: how many symbols are in place (black), and how many elsewhere (white).

    If symbols repeat, each peg of the secret is matched with at most one peg of the guess (Knuth,
    "The Computer as Master Mind", 1976).
    """

    name = "pegs"
    kind_names = ("black", "white", "miss")
    symmetric = True
    short_guesses = True
    several_lengths = True

    def score(self, guess: Code, secret: Code) -> Pegs:
        """Return the pegs for a guess, which may be short and have foreign symbols."""
        if self.hides_win and guess == secret:
            return cast(Pegs, self.winning)
        black = sum(map(eq, guess, secret))
        return Pegs(black, (Counter(guess) & Counter(secret)).total() - black)

    @cached_property
    def feedbacks(self) -> Sequence[Pegs]:
        """All pegs with black + white <= length, by their sum, then by black; then a hidden win."""
        pegs = [Pegs(b, t - b) for t in range(self.length + 1) for b in range(t + 1)]
        return [*pegs, *[Pegs(self.length + 1, 0)] * self.hides_win]

    def bits(self, codes: CodeArray) -> tuple[Bits, Bits]:
        symbols = self.symbols
        return position_bits(codes, symbols), count_bits(codes, symbols, self.repeats)

    @cached_property
    def pair_offsets(self) -> Table | None:
        if self.hides_win:
            return None
        offsets = [t * (t + 1) // 2 for t in range(self.length + 1)]
        return np.array(offsets, dtype=unsigned_type(len(self.feedbacks)))

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        table = popcount_table(guesses, secrets, unsigned_type(len(self.feedbacks)))
        return self.with_wins(table, guesses, secrets) if self.hides_win else table

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        return peg_literals(place, symbol, earlier)

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        # If all symbols but one are in place, the last one has no other place to be in.
        all_but_one = len(guess) == self.length and feedback == (self.length - 1, 1)
        return not all_but_one and super().can_happen(feedback, guess)

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return the numbers of `black`, of `white`, and of the other pegs of the guess, `miss`."""
        return {**super().json_parts(feedback, guess), "miss": max(0, len(guess) - sum(feedback))}


class MatchesRule(CountRule):
    """The rule `matches`: how many symbols are in place, and nothing else."""

    name = "matches"
    kind_names = ("match", "miss")
    symmetric = True
    short_guesses = True
    several_lengths = True

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return how many symbols are in place, or a hidden win."""
        if self.hides_win and guess == secret:
            return cast(Parts, self.winning)
        return (sum(map(eq, guess, secret)),)

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield "match", 1, At(place, (symbol,))

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return `matches`: how many symbols are in place."""
        return {"matches": min(*feedback, len(guess))}


class LettersRule(CountRule):
    """The rule `letters`: how many symbols guess and secret have in common, wherever they are.

    A symbol that both codes repeat counts as often as both have it. A guess with all symbols in
    common may be an anagram of the secret; the secret itself counts as having one more in common.
    """

    name = "letters"
    kind_names = ("common", "miss")
    symmetric = True
    short_guesses = True
    several_lengths = True
    hides_win = True

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the number of symbols in common, or that the guess is the secret."""
        if guess == secret:
            return cast(Parts, self.winning)
        return ((Counter(guess) & Counter(secret)).total(),)

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield "common", 1, AtLeast((symbol,), earlier + 1)


class PairsRule(CountRule):
    """The rule `pairs`: symbols have two halves, such as a shape and a colour.

    *Black* is the number of pairs in place, *white* the number of pairs elsewhere, and *half* the
    number of positions where exactly one of the two halves is in place. A white pair may also have
    one half in place; it then counts both as white and as half. Each symbol's first character is
    one half.
    """

    name = "pairs"
    kind_names = ("black", "white", "half")
    short_guesses = True

    def prepare(self) -> None:
        super().prepare()
        if self.length > MOST_TILES:
            raise ValueError(f"a secret has at most {MOST_TILES} symbols, not {self.length}")
        self._halves = [(first, "".join(rest)) for first, *rest in map(graphemes, self.alphabet)]
        if not self._halves or not all(second for _, second in self._halves):
            raise ValueError("the rule pairs needs symbols of two characters or more, such as CR")

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the counts of pairs in place and elsewhere, and of places with one half right."""
        common = (Counter(guess) & Counter(secret)).total()
        black = sum(map(eq, guess, secret))
        return black, common - black, sum(map(self._is_half_right, guess, secret))

    def _is_half_right(self, guessed: int, hidden: int) -> bool:
        if FOREIGN in (guessed, hidden):
            return False
        (first, second), (other, another) = self._halves[guessed], self._halves[hidden]
        return (first == other) != (second == another)

    def mark_count(self, guess: Code) -> int:
        """Return the most marks that a feedback can have: a white and a half for each position."""
        return 2 * len(guess)

    @cached_property
    def feedbacks(self) -> Sequence[Parts]:
        """All counts that fit the number of positions, sorted by black, then white, then half."""
        n = self.length
        return [(b, w, h) for b in range(n + 1) for w in range(n - b + 1) for h in range(n - b + 1)]

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield from peg_literals(place, symbol, earlier)
        half_right = [s for s in range(self.symbols) if self._is_half_right(symbol, s)]
        yield "half", 1, At(place, tuple(half_right))

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        black, white, half = feedback
        known = len(guess) - guess.count(FOREIGN)
        all_but_one = len(guess) == self.length and (black, white) == (self.length - 1, 1)
        return black + max(white, half) <= known and not all_but_one


class DirectionsRule(CountRule):
    """The rule `directions`: how many symbols of the secret come later in the alphabet, or earlier.

    The feedback does not say which; the rule `order` does. The miss is a symbol in place.
    """

    name = "directions"
    kind_names = ("later", "earlier", "miss")
    compares_symbols = True

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return how many symbols of a secret are later than the guess's, and how many earlier."""
        pairs = list(zip(guess, secret, strict=True))
        return sum(s > g for g, s in pairs), sum(s < g for g, s in pairs)

    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        yield "later", 1, At(place, tuple(range(symbol + 1, self.symbols)))
        yield "earlier", 1, At(place, tuple(range(symbol)))

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        later, earlier = feedback
        # No symbol is later than the last one of the alphabet, or earlier than the first one.
        most_later = len(guess) - guess.count(self.symbols - 1)
        most_earlier = len(guess) - guess.count(0)
        return later <= most_later and earlier <= most_earlier and later + earlier <= len(guess)


class MarksRule(TileRule):
    """The rule `marks`: the symbol of each tile is in place, elsewhere in the secret, or absent.

    If the guess has a symbol more often than the secret, only as many of its tiles are marked as
    the secret has: first those in place, then the others from left to right. The rest are absent.
    With the option `tiles`, `alone`, no symbol of the secret is used up: none is then absent.
    """

    name = "marks"
    several_lengths = True
    option_names = ("tiles",)
    kind_names = ("absent", "elsewhere", "right")
    # As players write an absent tile: x, -, black, white, not in the word.
    other_marks: ClassVar[Mapping[str, int]] = {
        **TileRule.other_marks, **dict.fromkeys(("x", "-", "b", "w", "n", ".", "absent"), _ABSENT),
        "right": 2, "present": 1, "misplaced": 1, "elsewhere": 1,
    }  # fmt: skip

    def prepare(self) -> None:
        super().prepare()
        if (judged := self.options.get("tiles", "together")) not in ("together", "alone"):
            raise ValueError(f"tiles: expected together or alone, not {judged!r:.40}")
        self.alone = judged == "alone"

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 2 for in place, 1 for elsewhere, 0 for absent or none."""
        if self.hides_win and guess == secret:
            return self.winning
        pairs = list(zip_longest(guess, secret, fillvalue=PAD))
        unmatched = Counter(s for g, s in pairs if g != s or self.alone)
        marks = []
        for g, s in pairs[: len(guess)]:
            if g == s:
                marks.append(_RIGHT)
            elif unmatched[g]:
                unmatched[g] -= not self.alone
                marks.append(_ELSEWHERE)
            else:
                marks.append(_ABSENT)
        return (*marks, *[_ABSENT] * (self.length - len(guess)))

    def tile_digits(self, tile: Tile, secrets: CodeArray) -> CodeArray:
        right = secrets[:, tile.place] == tile.symbol
        # The secret's occurrences of the symbol that no later tile claims by being right.
        unclaimed = (secrets == tile.symbol).sum(axis=1, dtype="uint8")
        for place in () if self.alone else tile.later:
            unclaimed -= secrets[:, place] == tile.symbol
        digits: CodeArray = (unclaimed > tile.earlier * (not self.alone)).astype("uint8")
        digits[right] = _RIGHT
        return digits

    def digit_constraint(self, guess: Code, place: int, digit: int) -> Constraint:
        symbol = guess[place]
        if symbol == FOREIGN:
            return TRUE if digit == _ABSENT else AnyOf(())
        here = At(place, (symbol,))
        if digit == _RIGHT:
            return Bound.required(here)
        earlier = guess[:place].count(symbol)
        later = [p for p in range(place + 1, len(guess)) if guess[p] == symbol]
        if self.alone:
            earlier, later = 0, []
        occurrences = tuple((1, AtLeast((symbol,), j)) for j in range(1, earlier + len(later) + 2))
        # As in `tile_digits`: the occurrences that no later tile claims by being right.
        unclaimed = occurrences + tuple((-1, At(p, (symbol,))) for p in later)
        if digit == _ELSEWHERE:
            return AllOf((Bound.forbidden(here), Bound(earlier + 1, unclaimed, None)))
        return AllOf((Bound.forbidden(here), Bound(None, unclaimed, earlier)))

    def hard_mode_constraint(self, guess: Code, clue: CellsClue) -> Constraint:
        """Return the constraint that symbols in place stay, and symbols elsewhere are used."""
        times_needed, demands = Counter[int](), list[Constraint]()
        for place, (symbol, cell) in enumerate(zip(guess, clue.cells, strict=False)):
            if cell and _ABSENT not in cell and symbol != FOREIGN:
                times_needed[symbol] = 1 if self.alone else times_needed[symbol] + 1
            if cell == (_RIGHT,):
                demands.append(Bound.required(At(place, (symbol,))))
        demands += [Bound.required(AtLeast((symbol,), n)) for symbol, n in times_needed.items()]
        return AllOf(tuple(demands))

    def can_happen(self, clue: CellsClue, guess: Code) -> bool:
        # A clue that admits more feedbacks than can be tried is taken as possible.
        shown = cast(Iterable[Parts], clue)
        return len(clue) > 3**7 or any(_can_be_marked(guess, each, self) for each in shown)


def _can_be_marked(guess: Code, digits: Parts, rule: MarksRule) -> bool:
    """Return whether some secret, of any symbols, gives a guess these digits.

    Of the tiles of one symbol that are not right, those marked elsewhere come before the absent
    ones. Their symbols need as many positions whose own tile is not right and of another symbol;
    by Hall's theorem, all symbols find positions if each does by itself. Tiles `alone` are either
    all absent or none, and need a position only if none is right.
    """
    free = rule.length - digits.count(_RIGHT)
    for symbol in set(guess):
        of_symbol = [digit for s, digit in zip(guess, digits, strict=True) if s == symbol]
        if symbol == FOREIGN and {*of_symbol} != {_ABSENT}:
            return False
        not_right = [digit for digit in of_symbol if digit != _RIGHT]
        agree, needed = not_right == sorted(not_right, reverse=True), not_right.count(_ELSEWHERE)
        if rule.alone:
            agree = _ABSENT not in of_symbol or not any(of_symbol)
            needed = int(_ELSEWHERE in of_symbol and _RIGHT not in of_symbol)
        if not agree or needed > free - len(not_right):
            return False
    return True


class NearRule(PlaceRule):
    """The rule `near`: each symbol of the secret equals the guess's symbol, is near it or is far.

    Two symbols are near if their numbers in the alphabet differ by at most `within` (default 3).
    """

    name = "near"
    option_names = ("within",)
    kind_names = ("far", "near", "equal")
    other_marks: ClassVar[Mapping[str, int]] = {
        **TileRule.other_marks, "x": 0, "-": 0, "b": 0, ".": 0,
    }  # fmt: skip

    def prepare(self) -> None:
        super().prepare()
        within = self.options.get("within", "3")
        if not (isinstance(within, str) and within.isdecimal() and 0 < int(within) < 1000):
            raise ValueError(f"within: expected a number of places above 0, not {within!r}")
        self.within = int(within)

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 2 for equal, 1 for `within` places or fewer, else 0."""
        distances = [abs(g - s) for g, s in zip(guess, secret, strict=True)]
        return tuple(2 if d == 0 else 1 if d <= self.within else 0 for d in distances)


class OrderRule(PlaceRule):
    """The rule `order`: each symbol of the secret is the guess's, or earlier or later than it."""

    name = "order"
    kind_names = ("earlier", "later", "equal")
    default_marks = ("<", ">", "=")
    other_marks: ClassVar[Mapping[str, int]] = {
        "🟩": 2, "correct": 2, **dict.fromkeys("🔼⬆🔺⏫", 1), **dict.fromkeys("🔽⬇🔻⏬", 0),
    }  # fmt: skip

    def score(self, guess: Code, secret: Code) -> Parts:
        """Return the digit of each tile: 0 if the secret's symbol is earlier, 1 later, 2 equal."""
        pairs = zip(guess, secret, strict=True)
        return tuple(2 if s == g else 1 if s > g else 0 for g, s in pairs)


RULES: tuple[type[Rule], ...] = (
    PegsRule, MarksRule, MatchesRule, LettersRule, OrderRule, NearRule, DirectionsRule, PairsRule,
)  # fmt: skip
