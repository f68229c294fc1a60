"""Two secrets on one board: each tile shows the best of its marks (Xordle).

It is made from another rule and cannot be named in a game file: see its key `boards`.
"""

from typing import TYPE_CHECKING, Any, ClassVar, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import split
from puzzlehunt.codes.constraints import AllOf, AnyOf, Bound, Constraint, shifted
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.base import TileRule, in_place
from puzzlehunt.rules.notation.clue import Clue, Feedback
from puzzlehunt.rules.notation.tiles import TileClue, TileFeedbacks

if TYPE_CHECKING:
    from puzzlehunt.kernels.codes import Bytes, Rows
    from puzzlehunt.kernels.tables import Table, Tile


class MergedRule(TileRule):
    """Several secrets on one board: each tile shows the best of its marks (Xordle).

    Behind the tiles a feedback has one digit more: 2 if the guess is one of the secrets, else 0.
    A guess can be right in all places without being one, half of it from each; that is written
    with an absent mark more: `GGGGG.`.
    """

    name: ClassVar[str] = "merged"
    digit_names: ClassVar[tuple[str, str, str]] = ("absent", "elsewhere", "right")
    default_marks: ClassVar[tuple[str, str, str]] = (".", "Y", "G")

    def __init__(self, single_rule: TileRule, secrets: int) -> None:
        super().__init__(single_rule.length * secrets, single_rule.symbols)
        self.single_rule = single_rule
        self.width = single_rule.width
        self.secrets = secrets
        self.notation = single_rule.notation
        self.other_marks = single_rule.other_marks
        self.summary = f"{type(single_rule).summary}, the best of {secrets}"

    def score(self, guess: Code, secret: Code) -> Feedback:
        parts = split(secret, self.secrets)
        tiles = map(max, *(self.single_rule.score(guess, part) for part in parts))
        return (*tiles, 2 if guess in parts else 0)

    @property
    def feedbacks(self) -> TileFeedbacks:
        return TileFeedbacks(self.width + 1)

    @property
    def winning(self) -> Feedback:
        """The feedback of a guess that is one of the secrets."""
        return (2,) * (self.width + 1)

    @property
    def _starts(self) -> range:
        """Where each secret begins."""
        return range(0, self.length, self.single_rule.length)

    def tile_digits(self, tile: "Tile", secrets: "Bytes") -> "Bytes":
        length = self.single_rule.length
        shown = self.single_rule.tile_digits(tile, secrets[:, :length])
        for start in self._starts[1:]:
            other = self.single_rule.tile_digits(tile, secrets[:, start : start + length])
            shown = shown.clip(min=other)
        return shown

    def table(self, guesses: "Rows", secrets: "Rows") -> "Table":
        """Return (G, S): the tiles as one sum, with how many places each secret has right."""
        import numpy as np

        from puzzlehunt.kernels.tables import sum_table, tiles_of, unsigned

        tiles, places = 3**self.width, self.width + 1
        kind = unsigned(tiles * places**self.secrets)

        def adds(tile: "Tile", codes: "Bytes") -> "Table":
            added: Any = self.tile_digits(tile, codes).astype(kind)
            added *= kind(3 ** (self.width - 1 - tile.place))
            for number, start in enumerate(self._starts):
                right = codes[:, start + tile.place] == tile.symbol
                added += right * kind(tiles * places**number)
            return added  # type: ignore[no-any-return]

        numbers = tiles_of(guesses.codes[:, : self.width], self.symbols)
        sums = sum_table(numbers, secrets.codes, adds, kind)
        every = np.arange(places**self.secrets)
        found = np.zeros(len(every), dtype=np.bool_)
        for number in range(self.secrets):
            found |= every // places**number % places == self.width
        right, marks = np.divmod(sums, kind(tiles))
        index = unsigned(3 * tiles)
        table: Table = marks.astype(index) * index(3) + found[right] * index(2)
        return table

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        *cells, found = cast(TileClue, clue).cells
        tiles = super().constraint(guess, TileClue(tuple(cells)))
        if found == (0,):
            return AllOf((tiles, self.refuse_winning(guess)))
        return tiles if found != (2,) else AllOf((tiles, self._is_one(guess)))

    def shows(self, guess: Code, place: int, digit: int) -> Constraint:
        """Return that no secret shows more than a digit, and some secret shows it."""

        def on(start: int, digits: tuple[int, ...]) -> Constraint:
            one = self.single_rule.shows_one_of(guess, place, digits)
            return shifted(one, start, self.single_rule.length)

        some = AnyOf(tuple(on(start, (digit,)) for start in self._starts))
        most = tuple(on(start, tuple(range(digit + 1))) for start in self._starts if digit < 2)
        return AllOf((some, *most))

    def _is_one(self, guess: Code) -> Constraint:
        """Return that a guess is one of the secrets."""
        length = self.single_rule.length
        whole = Bound(length, in_place(guess), None)
        return AnyOf(tuple(shifted(whole, start, length) for start in self._starts))

    def refuse_winning(self, guess: Code) -> Constraint:
        length = self.single_rule.length
        partly = self.single_rule.refuse_winning(guess)
        return AllOf(tuple(shifted(partly, start, length) for start in self._starts))

    def hint(self, guess: Code, clue: Clue) -> Constraint:
        return self.single_rule.hint(guess, self._tiles(clue))

    @staticmethod
    def _tiles(clue: Clue) -> TileClue:
        """Return a clue without what it says of the whole guess."""
        return TileClue(cast(TileClue, clue).cells[:-1])

    def parse(self, text: str, guess: Code) -> TileClue:
        tiles = len(guess)
        try:
            cells = self.notation.parse(text, tiles).cells
        except ImpossibleClueError:
            cells = self.notation.parse(text, tiles + 1).cells
            if cells != ((2,),) * tiles + ((0,),):
                raise
            return TileClue(cells)
        if cells == ((2,),) * tiles:
            return TileClue((*cells, (2,)))
        return TileClue((*cells, (0, 2) if all(2 in cell for cell in cells) else (0,)))

    def format(self, clue: Clue) -> str:
        tiles = self._tiles(clue)
        huh = cast(TileClue, clue).cells[-1] == (0,) and set(tiles.cells) == {(2,)}
        return self.notation.format(tiles) + self.notation.marks[0] * huh

    def describe(self, clue: Clue) -> str:
        tiles = self._tiles(clue)
        huh = cast(TileClue, clue).cells[-1] == (0,) and set(tiles.cells) == {(2,)}
        return self.notation.describe(tiles) + ", but no secret" * huh

    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return `marks`, one of 2, 1 and 0 a tile, and `found`: 1 for one of the secrets."""
        return {**super().json_parts(feedback[:-1], guess), "found": feedback[-1] // 2}
