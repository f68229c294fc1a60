"""The two families of rules: `CountRule` counts marks, `TileRule` marks each tile of the guess."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, product
from typing import ClassVar, TypeAlias, cast

import numpy as np

from puzzlehunt.codes.alphabet import FOREIGN, MOST_TILES, Code
from puzzlehunt.codes.constraints import (
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    Literal,
    Term,
    is_code,
)
from puzzlehunt.errors import counted
from puzzlehunt.kernels.feedback_matrix import Table, Tile, sum_table, table_blocks, unsigned_type
from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes, where_true
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.notation.clue import Parts
from puzzlehunt.rules.notation.clue_values import CellsClue, CellsFeedbacks, CountClue
from puzzlehunt.rules.notation.counts import CountNotation, Kind
from puzzlehunt.rules.notation.tiles import DIGITS, SQUARES, TileNotation

TileLiterals: TypeAlias = Iterable[tuple[str, int, Literal]]
"""What one tile of a guess adds to counts: triples (kind, weight, literal)."""

_NOUNS = {"match": "match/matches", "half": "half/halves", "miss": "miss/misses"}
"""The names of kinds that have a plural."""


class CountRule(Rule):
    """A rule whose feedback is the number of marks of each kind.

    The last kind is the miss: it is every mark of no other kind, and its number is not in the
    feedback.
    """

    def prepare(self) -> None:
        self.kinds = [(kind.name, kind.label) for kind in self.notation.kinds]

    @cached_property
    def notation(self) -> CountNotation:
        kinds = []
        for name in (*self.reported_kinds, "miss"):
            called = self.names.get(name, _NOUNS.get(name, name)).casefold()
            label, _, many = called.partition("/")
            mark = self.marks.get(name, None if name == "miss" else label[0].upper())
            kinds.append(Kind(name, label, mark or None, many or label))
        unread_mark = self.marks.get("unknown", "_")
        return CountNotation(tuple(kinds), unread_mark, self.mark_count, self.hides_win)

    @cached_property
    def reported_kinds(self) -> tuple[str, ...]:
        """The names of the kinds that the feedback counts, in its order; never the miss."""
        return tuple(kind for kind in self.kind_names if kind != "miss")

    @abstractmethod
    def tile_literals(self, place: int, symbol: int, earlier: int) -> TileLiterals:
        """Return what one tile of a guess adds to the counts: triples (kind, weight, literal).

        The tile has a `symbol` at a `place` (0-based); the guess has the symbol `earlier` times
        before it. Over all tiles, the weights of a kind's true literals add up to its count. Kinds
        that are not reported are left out, and foreign symbols have no tile.
        """

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        """Return the table that follows from `tile_literals`, which a faster one may override."""
        # One number has all counts: that of the first kind + base[1] * that of the second, ...
        counts = np.array(self.feedbacks)
        *bases, size = np.cumprod([1, *(1 + counts.max(axis=0))]).tolist()
        base_of = dict(zip(self.reported_kinds, bases, strict=True))
        dtype = unsigned_type(size)

        def summands(tile: Tile, codes: CodeArray) -> Table:
            total = np.zeros(len(codes), dtype)
            for kind, weight, literal in self.tile_literals(tile.place, tile.symbol, tile.earlier):
                # Below 0 it wraps around, and the sum wraps back.
                summand = np.array(weight * base_of.get(kind, 0)).astype(dtype)
                total += where_true(literal, codes) * summand
            return total

        sums = sum_table(guesses.codes, self.symbols, secrets.codes, summands, dtype, later=False)
        index_of = np.zeros(size, unsigned_type(len(counts)))
        index_of[counts @ bases] = np.arange(len(counts))
        is_identity = np.array_equal(index_of, range(size))
        table = sums if is_identity else index_of.take(sums, mode="clip")
        return self.with_wins(table, guesses, secrets) if self.hides_win else table

    @cached_property
    def feedbacks(self) -> Sequence[Parts]:
        """All counts that are `length` or less together, sorted by their sum; others may differ."""
        most = self.length + self.hides_win  # a hidden win has one mark more
        counts = product(range(most + 1), repeat=len(self.reported_kinds))
        return sorted((c for c in counts if sum(c) <= most), key=lambda c: (sum(c), c))

    def mark_count(self, guess: Code) -> int:
        """Return the number of marks in the feedback for a guess, misses included."""
        return len(guess)

    def constraint(self, guess: Code, clue: CountClue) -> Constraint:
        """Return bounds on the count of each kind, and on their total."""
        if self.hides_win and self.wins(clue):
            return is_code(guess, self.length)
        terms_of: dict[str, list[Term]] = {kind: [] for kind in self.reported_kinds}
        for place, symbol in enumerate(guess):
            if symbol != FOREIGN:
                earlier = guess[:place].count(symbol)
                for kind, weight, literal in self.tile_literals(place, symbol, earlier):
                    if kind in terms_of:
                        terms_of[kind].append((weight, literal))
        *ranges, (least_misses, most_misses) = clue.ranges
        pairs = zip(ranges, terms_of.values(), strict=True)
        bounds = [Bound(low, tuple(terms), high) for (low, high), terms in pairs]
        total = Counter[Literal]()
        for weight, literal in chain.from_iterable(terms_of.values()):
            total[literal] += weight
        # Every mark that is no miss is of a reported kind.
        read = tuple((weight, literal) for literal, weight in total.items() if weight)
        bounds.append(Bound(clue.marks - most_misses, read, clue.marks - least_misses))
        return AllOf((*bounds, *[self.is_not_secret(guess)] * self.hides_win))

    def refusal(self, guess: Code, clue: CountClue) -> str:
        if any(self.can_happen(found, guess) for found in clue if found != self.winning):
            return ""
        return f" with {counted(len(guess) - guess.count(FOREIGN), 'peg')}"

    def can_happen(self, feedback: Parts, guess: Code) -> bool:
        """Return whether some secret could cause a feedback to a guess.

        By default, no more marks can be counted than symbols of the guess may be in the secret.
        """
        return sum(feedback) <= len(guess) - guess.count(FOREIGN)

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return a dict from the name of each reported kind to its count."""
        counts = (min(n, len(guess)) for n in feedback)  # of a hidden win it is more
        return dict(zip(self.reported_kinds, counts, strict=True))


class TileRule(Rule):
    """A rule that gives each tile (position of the guess) a digit: 0, 1 or 2.

    `kind_names` are the names of the digits. The guess wins if every digit is 2.
    """

    winning: Parts

    positional = True
    default_marks: ClassVar[tuple[str, str, str]] = (".", "Y", "G")
    """The marks of the digits 0, 1 and 2; a game file can set others."""

    other_marks: ClassVar[Mapping[str, int]] = {**SQUARES, "correct": 2}
    """Maps further marks and words to their digits."""

    def prepare(self) -> None:
        if self.length > MOST_TILES:
            raise ValueError(f"a secret has at most {MOST_TILES} symbols, not {self.length}")
        self.kinds = list(zip(self.kind_names, self.notation.labels, strict=True))

    @cached_property
    def notation(self) -> TileNotation:
        labels = [self.names.get(x, x).casefold().partition("/")[0] for x in self.kind_names]
        named = zip(self.kind_names, self.default_marks, strict=True)
        signs = [self.marks.get(name, sign) for name, sign in named]
        unread_mark, longest = self.marks.get("unknown", "_"), self.hides_win * self.length
        return TileNotation(labels, signs, unread_mark, self.other_marks, longest)

    @abstractmethod
    def tile_digits(self, tile: Tile, secrets: CodeArray) -> CodeArray:
        """Return the digits (secrets,) of one tile of a guess for secrets (secrets, length)."""

    @abstractmethod
    def digit_constraint(self, guess: Code, place: int, digit: int) -> Constraint:
        """Return the constraint that the tile at position `place` (from 0) gets `digit`."""

    @property
    def feedbacks(self) -> CellsFeedbacks:
        """All ways to give each tile a digit, in ascending order."""
        return CellsFeedbacks(DIGITS * self.length)

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        # The index of a feedback is the number that its digits write in base 3.
        dtype = unsigned_type(3**self.length)

        def summands(tile: Tile, codes: CodeArray) -> Table:
            digits = self.tile_digits(tile, codes).astype(dtype)
            return digits * dtype(3 ** (self.length - 1 - tile.place))  # type: ignore[no-any-return]

        tiles = guesses.codes[:, : self.length]
        table = sum_table(tiles, self.symbols, secrets.codes, summands, dtype)
        return self.with_wins(table, guesses, secrets) if self.hides_win else table

    def constraint(self, guess: Code, clue: CellsClue) -> Constraint:
        if self.hides_win and self.wins(clue):
            return is_code(guess, self.length)
        cells = enumerate(clue.cells)
        choices = [[self.digit_constraint(guess, p, digit) for digit in cell] for p, cell in cells]
        return AllOf(tuple(AnyOf(tuple(p)) if len(p) > 1 else p[0] for p in choices if p))

    def secrets_behind(
        self, clues: Sequence[CellsClue], guesses: Iterable[Code], secrets: Iterable[Code]
    ) -> list[Code]:
        """Return the secrets for which every clue is that of some guess, nobody knows which."""
        codes = list(secrets)
        asked, hidden = self.rows_of(guesses), self.rows_of(codes)
        fits = np.zeros((len(clues), len(codes)), dtype=np.bool_)
        for block in table_blocks(len(asked), len(codes)):
            table = self.table(asked[block], hidden)
            for found, clue in zip(fits, clues, strict=True):
                shown = [self.feedbacks.index(cast(Parts, feedback)) for feedback in clue]
                found |= np.isin(table, shown).any(axis=0)
        return [codes[n] for n in np.flatnonzero(fits.all(axis=0)).tolist()]

    def refusal(self, guess: Code, clue: CellsClue) -> str:
        can_happen = any(self.can_happen(part, guess) for part in clue.without(self.winning))
        return "" if can_happen else ": no secret could be marked so"

    def can_happen(self, clue: CellsClue, guess: Code) -> bool:
        """Return whether some secret could cause a clue to a guess."""
        return True

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return `marks`, the digits of all tiles as text."""
        return {"marks": "".join(map(str, feedback[: len(guess)]))}


class PlaceRule(TileRule):
    """A rule in which a tile's digit depends only on the two symbols at its position."""

    compares_symbols = True

    @cached_property
    def _digits(self) -> list[list[int]]:
        """The digit of a tile by the guess's symbol and the secret's symbol."""
        codes = [(symbol,) for symbol in range(self.symbols)]
        return [[cast(Parts, self.score(one, other))[0] for other in codes] for one in codes]

    def tile_digits(self, tile: Tile, secrets: CodeArray) -> CodeArray:
        return np.array(self._digits[tile.symbol], dtype=np.uint8)[secrets[:, tile.place]]

    def digit_constraint(self, guess: Code, place: int, digit: int) -> Constraint:
        digits = enumerate(self._digits[guess[place]])
        return Bound.required(At(place, tuple(s for s, found in digits if found == digit)))

    def can_happen(self, clue: CellsClue, guess: Code) -> bool:
        tiles = zip(guess, clue.cells, strict=True)
        return all(not cell or {*cell} & {*self._digits[symbol]} for symbol, cell in tiles)


def peg_literals(place: int, symbol: int, earlier: int) -> TileLiterals:
    """Yield the triples of `CountRule.tile_literals` for symbols in place, and elsewhere."""
    here = At(place, (symbol,))
    yield "black", 1, here
    yield "white", 1, AtLeast((symbol,), earlier + 1)
    yield "white", -1, here
