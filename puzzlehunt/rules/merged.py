"""Several secrets on one board: each tile shows the best mark that any secret gives it (Xordle).

A game file with the key `boards` and `merged: true` gets this rule, made from the rule for one
secret. The key `rule` cannot name it.
"""

from typing import TYPE_CHECKING, Any, ClassVar, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, Bound, Constraint, shifted
from puzzlehunt.codes.product_spaces import split
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.families import TileRule, in_place
from puzzlehunt.rules.notation.cells_clue import CellsClue
from puzzlehunt.rules.notation.clue import Clue, Parts
from puzzlehunt.rules.notation.tiles import tile_clue

if TYPE_CHECKING:
    from puzzlehunt.kernels.feedback_matrix import Table, Tile
    from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes

_CELLS_AT_ONCE = 1 << 20
"""The most cells of a table whose scores are looked up together."""


class MergedRule(TileRule):
    """The rule that scores a guess against several secrets on one board, each by `single_rule`.

    A tile gets the largest digit that any secret gives it. A feedback has one more digit after
    those of the tiles: 2 if the guess is one of the secrets, else 0. All tiles can be right
    although the guess is not a secret, if some of its symbols are in place in one secret and the
    rest in another. The text of such a clue has an absent mark at its end: `GGGGG.`.
    """

    name: ClassVar[str] = "merged"
    shown_as: ClassVar[tuple[str, ...]] = ()
    digit_names: ClassVar[tuple[str, str, str]] = ("absent", "elsewhere", "right")
    default_marks: ClassVar[tuple[str, str, str]] = (".", "Y", "G")
    win_ends: ClassVar[bool] = False
    single_rule: TileRule

    def __init__(self, single_rule: TileRule, secrets: int) -> None:
        super().__init__(single_rule.length * secrets, single_rule.symbols)
        self.single_rule = single_rule
        self.secrets = secrets
        self.set_notation(single_rule.notation, single_rule.width)
        self.other_marks = dict(single_rule.other_marks)
        self.summary = f"{type(single_rule).summary}, the best of {secrets}"

    @property
    def settings(self) -> tuple[object, ...]:
        return self.single_rule, self.secrets

    def score(self, guess: Code, secret: Code) -> Parts:
        parts = split(secret, self.secrets)
        tiles = map(max, *(self.single_rule.score(guess, part) for part in parts))
        return (*tiles, 2 if guess in parts else 0)

    @property
    def winning(self) -> Parts:
        """The feedback for a guess that is one of the secrets."""
        return (2,) * (self.width + 1)

    @property
    def _starts(self) -> range:
        """The positions at which the secrets begin in their common code."""
        return range(0, self.length, self.single_rule.length)

    def tile_digits(self, tile: "Tile", secrets: "CodeArray") -> "CodeArray":
        length = self.single_rule.length
        digits = self.single_rule.tile_digits(tile, secrets[:, :length])
        for start in self._starts[1:]:
            other = self.single_rule.tile_digits(tile, secrets[:, start : start + length])
            digits = digits.clip(min=other)
        return digits

    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        """Return the index in `feedbacks` of each score, as an array (guesses, secrets).

        Each score is computed from one sum: digits + 3**width * places. `digits` is the number that
        the digits of the tiles write in base 3. `places` is a number in base width + 1 with one
        digit for each secret: how many symbols of the guess are in place in that secret. This digit
        is the width if the guess is that secret.
        """
        import numpy as np

        from puzzlehunt.kernels.feedback_matrix import sum_table, table_blocks, unsigned_type

        tiles, base = 3**self.width, self.width + 1
        dtype = unsigned_type(tiles * base**self.secrets)

        def summands(tile: "Tile", codes: "CodeArray") -> "Table":
            summands: Any = self.tile_digits(tile, codes).astype(dtype)
            summands *= dtype(3 ** (self.width - 1 - tile.place))
            for number, start in enumerate(self._starts):
                right = codes[:, start + tile.place] == tile.symbol
                summands += right * dtype(tiles * base**number)
            return summands  # type: ignore[no-any-return]

        guess_tiles = guesses.codes[:, : self.width]
        sums = sum_table(guess_tiles, self.symbols, secrets.codes, summands, dtype)
        all_places = np.arange(base**self.secrets)
        is_secret = np.zeros(len(all_places), dtype=np.bool_)
        for number in range(self.secrets):
            is_secret |= all_places // base**number % base == self.width
        index = unsigned_type(3 * tiles)
        table: Table = np.empty(sums.shape, index)
        # A few guesses at a time: what comes between would take several times the table's memory.
        for block in table_blocks(len(sums), len(secrets), _CELLS_AT_ONCE):
            places, digits = np.divmod(sums[block], dtype(tiles))
            table[block] = digits.astype(index) * index(3) + is_secret[places] * index(2)
        return table

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        *cells, last = cast(CellsClue, clue).cells
        tiles = super().constraint(guess, tile_clue(tuple(cells)))
        if last == (0,):
            return AllOf((tiles, self.is_not_secret(guess)))
        if last != (2,):
            return tiles
        length = self.single_rule.length
        all_in_place = Bound(length, in_place(guess), None)
        is_secret = AnyOf(tuple(shifted(all_in_place, start, length) for start in self._starts))
        return AllOf((tiles, is_secret))

    def digit_constraint(self, guess: Code, place: int, digit: int) -> Constraint:
        """Return the constraint that some secret gives the tile `digit`, and none a larger one."""

        def of_secret(start: int, digits: tuple[int, ...]) -> Constraint:
            constraint = self.single_rule.cell_constraint(guess, place, digits)
            return shifted(constraint, start, self.single_rule.length)

        digit_reached = AnyOf(tuple(of_secret(start, (digit,)) for start in self._starts))
        none_larger = tuple(
            of_secret(start, tuple(range(digit + 1))) for start in self._starts if digit < 2
        )
        return AllOf((digit_reached, *none_larger))

    def is_not_secret(self, guess: Code) -> Constraint:
        length = self.single_rule.length
        refused = self.single_rule.is_not_secret(guess)
        return AllOf(tuple(shifted(refused, start, length) for start in self._starts))

    def hard_mode_constraint(self, guess: Code, clue: Clue) -> Constraint:
        return self.single_rule.hard_mode_constraint(guess, self._tiles(clue))

    @staticmethod
    def _tiles(clue: Clue) -> CellsClue:
        """Return a clue without its last cell, which is about the whole guess."""
        return tile_clue(cast(CellsClue, clue).cells[:-1])

    def is_clue(self, clue: object, guess: Code) -> bool:
        return isinstance(clue, CellsClue) and len(clue.cells) == len(guess) + 1

    def parse(self, text: str, guess: Code) -> CellsClue:
        tiles = len(guess)
        try:
            cells = self.notation.parse(text, tiles).cells
        except ImpossibleClueError as error:
            try:
                cells = self.notation.parse(text, tiles + 1).cells
            except ImpossibleClueError:
                raise error from None
            if cells != ((2,),) * tiles + ((0,),):
                raise
            return tile_clue(cells)
        if cells == ((2,),) * tiles:
            return tile_clue((*cells, (2,)))
        return tile_clue((*cells, (0, 2) if all(not cell or 2 in cell for cell in cells) else (0,)))

    def _format(self, clue: Clue) -> str:
        text = self.notation.format(self._tiles(clue))
        return text + self.notation.marks[0] * self._right_but_no_secret(clue)

    def describe(self, clue: Clue) -> str:
        words = self.notation.describe(self._tiles(clue))
        return words + ", but no secret" * self._right_but_no_secret(clue)

    @staticmethod
    def _right_but_no_secret(clue: Clue) -> bool:
        """Return whether a clue says that all tiles are right and the guess is not a secret."""
        *cells, last = cast(CellsClue, clue).cells
        return last == (0,) and set(cells) == {(2,)}

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return `marks`, the tiles' digits, and `found`: 1 if the guess is a secret, else 0."""
        return {**super().json_parts(feedback[:-1], guess), "found": feedback[-1] // 2}
