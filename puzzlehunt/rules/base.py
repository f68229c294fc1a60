"""What a rule is: one file with four faces.

`score` is the specification. `table` and `partitions` are the same for whole arrays, `constraint`
the same as bounds on literals, and the notation turns clues into text and back. `CountRule` and
`TileRule` are the two families: those that count marks, and those that mark each tile.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from puzzlehunt.codes.alphabet import FOREIGN, MOST_SYMBOLS, MOST_TILES, Code
from puzzlehunt.codes.constraints import (
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    Literal,
    Term,
    require,
)
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.notation.clue import WON_WORDS, Clue, Feedback, legend
from puzzlehunt.rules.notation.counts import CountClue, CountNotation, Kind
from puzzlehunt.rules.notation.tiles import (
    SQUARES,
    TileClue,
    TileFeedbacks,
    TileNotation,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.kernels.codes import Bytes, Rows
    from puzzlehunt.kernels.partitions import Counts
    from puzzlehunt.kernels.tables import Table, Tile

Options: TypeAlias = Mapping[str, str | list[str]]
"""What a game file says under `rule:` beside the name."""

_FEW = 16
"""Where there are so many feedbacks a secret, sorting is cheaper than a column a feedback."""


class Rule(ABC):
    """How a guess is scored against a secret of `length` symbols from an alphabet of `symbols`.

    `repeats` is the most times that one symbol occurs in a secret; a smaller number makes the
    arrays narrower. `marks` gives the letters of the notation and `names` what its kinds of marks
    are called, `options` are the rule's own, `alphabet` the symbols as they are written; a
    ValueError says which of them cannot be.
    """

    name: ClassVar[str]
    summary: str = ""
    """What an answer tells, in a few words for the list of games."""
    option_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set beside the rule's name."""
    kind_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set under `names:`."""
    mark_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set under `marks:`."""

    symmetric: ClassVar[bool] = False
    """Whether exchanging two symbols, or two positions, in guess and secret changes no feedback."""
    default_strategy: ClassVar[str] = "entropy"
    """The strategy that serves best where a game asks for none."""
    short_guesses: ClassVar[bool] = False
    """Whether guesses may be shorter than the secret."""
    longest_secret: ClassVar[int] = MOST_SYMBOLS
    """The most symbols of a secret."""
    compares_symbols: ClassVar[bool] = False
    """Whether symbols are compared by their places in the alphabet; foreign ones have none."""

    def __init__(
        self,
        length: int,
        symbols: int,
        repeats: int | None = None,
        marks: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        options: Options | None = None,
        alphabet: Sequence[str] = (),
    ) -> None:
        self.length = length
        self.symbols = symbols
        self.repeats = length if repeats is None else repeats
        self.marks = marks or {}
        self.names = names or {}
        self.options = options or {}
        self.alphabet = tuple(alphabet)
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - most need nothing
        """Prepare the rule's own attributes. Raises ValueError for arguments that cannot be."""

    # The specification.

    @abstractmethod
    def score(self, guess: Code, secret: Code) -> Feedback:
        """Return the full, truthful feedback, in plain Python."""

    @property
    @abstractmethod
    def feedbacks(self) -> Sequence[Feedback]:
        """Every feedback that a guess of any length can get, in the order of their indices."""

    @property
    @abstractmethod
    def winning(self) -> Feedback:
        """The feedback of the secret itself."""

    # Arrays.

    @abstractmethod
    def rows(self, codes: "Bytes") -> "Rows":
        """Return an array of codes (N, length) made ready for `table` and `partitions`."""

    @abstractmethod
    def table(self, guesses: "Rows", secrets: "Rows") -> "Table":
        """Return (G, S) places in `feedbacks`."""

    @property
    def pair_offsets(self) -> "Table | None":
        """The offsets by which `kernels.pair_table` finds a feedback's place in `feedbacks`.

        A place is `pair_offsets[n] + m`, where guess and secret have m bits of their first bit-rows
        in common and n of their second. None for rules whose feedback is not found so.
        """
        return None

    def partitions(
        self,
        guesses: "Rows",
        secrets: "Rows",
        weights: "npt.NDArray[np.float64] | None" = None,
        compiled: bool = False,
    ) -> "Counts":
        """Return (G, F): how many secrets, or how much weight, give each feedback.

        With `compiled` a rule that has a compiled kernel uses it for small work, too.
        Where there are fewer secrets than feedbacks it may be (G, S): the same counts in another
        order.
        """
        from puzzlehunt.kernels.partitions import count_equal, count_rows
        from puzzlehunt.kernels.tables import table_blocks

        feedbacks = len(self.feedbacks)
        few = len(secrets) * _FEW <= feedbacks
        blocks = []
        for block in table_blocks(len(guesses), len(secrets)):
            table = self.table(guesses[block], secrets)
            blocks.append(
                count_equal(table, weights) if few else count_rows(table, feedbacks, weights)
            )
        return join_blocks(blocks)

    # Bounds.

    @abstractmethod
    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that a secret's feedback for the guess is in the clue."""

    @abstractmethod
    def refuse_winning(self, guess: Code) -> Constraint:
        """Return the constraint that a guess is not the secret."""

    # Notation.

    @abstractmethod
    def parse(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text writes about the answer to a guess.

        Raises InvalidClueError, or ImpossibleClueError where no feedback could show it.
        """

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text writes, even one that no secret could cause."""
        return self.parse(text, guess)

    def possible(self, guess: Code, clue: Clue) -> bool:
        """Return whether some secret could cause a clue; True where the rule does not look."""
        return True

    @abstractmethod
    def format(self, clue: Clue) -> str:
        """Return the text of a clue; `parse` reads it back."""

    @abstractmethod
    def describe(self, clue: Clue) -> str:
        """Return a clue in words."""

    @abstractmethod
    def named_marks(self) -> list[tuple[str, str]]:
        """Return the marks that an answer may have, each with what it is called."""

    @property
    @abstractmethod
    def unread_mark(self) -> str:
        """The mark that a player writes for one that was not read."""

    def legend(self) -> str:
        """Return one line that says how clues are written."""
        return legend(self.named_marks(), self.unread_mark)

    @abstractmethod
    def exactly(self, feedback: Feedback, guess: Code) -> Clue:
        """Return the clue of an answer that was read in full."""

    @abstractmethod
    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return the rule's own JSON keys for a feedback."""

    def hint(self, guess: Code, clue: Clue) -> Constraint:
        """Return what hard mode demands of later guesses: all that the clue says of the secret."""
        return self.constraint(guess, clue)

    def sentence_at(self, line: str) -> int | None:
        """Return where in a line one of the game's own sentences begins, None without one."""
        return None

    def wins(self, clue: Clue) -> bool:
        """Return whether a clue says that the guess was the secret."""
        return self.winning in clue and len(list(islice(clue, 2))) == 1


def join_blocks(blocks: "list[Counts]") -> "Counts":
    """Return blocks of rows in one array."""
    if len(blocks) == 1:
        return blocks[0]
    import numpy as np

    return np.concatenate(blocks)


def sum_terms(*terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return the sum of some terms: each literal once, without those of weight 0."""
    weights: Counter[Literal] = Counter()
    for some in terms:
        for weight, literal in some:
            weights[literal] += weight
    return tuple((weight, literal) for literal, weight in weights.items() if weight)


def in_place(guess: Code) -> tuple[Term, ...]:
    """Return the terms that count the symbols of a guess in their place."""
    return tuple((1, At(p, (s,))) for p, s in enumerate(guess) if s != FOREIGN)


def in_common(guess: Code) -> tuple[Term, ...]:
    """Return the terms that count the symbols that guess and secret have in common."""
    times = Counter(s for s in guess if s != FOREIGN)
    return tuple((1, AtLeast((s,), j)) for s in sorted(times) for j in range(1, times[s] + 1))


class NotedRule(Rule):
    """A rule whose marks are written by one notation."""

    notation: CountNotation | TileNotation

    def named_marks(self) -> list[tuple[str, str]]:
        return self.notation.named_marks()

    @property
    def unread_mark(self) -> str:
        return self.notation.unknown


class CountRule(NotedRule):
    """A rule whose feedback counts kinds of marks; the last kind is all that is no other."""

    notation: CountNotation
    reported: tuple[str, ...]
    """The kinds that are counted, in the order in which counts are reported."""

    def prepare(self) -> None:
        self.reported = self._reported_kinds()
        kinds = []
        for name in (*self.reported, "miss"):
            label = self.names.get(name, name)
            mark = self.marks.get(name, None if name == "miss" else label[0].upper())
            kinds.append(Kind(name, label.casefold(), mark or None))
        self.notation = CountNotation(tuple(kinds), self.marks.get("unknown", "_"))

    def _reported_kinds(self) -> tuple[str, ...]:
        return self.kind_names[:-1]

    @abstractmethod
    def counters(self, guess: Code) -> Sequence[tuple[Term, ...]]:
        """Return for each kind in `shown` the weighted literals whose sum is its count."""

    def mark_count(self, guess: Code) -> int:
        """Return how many marks the answer to a guess has, misses included."""
        return len(guess)

    def counts_of(self, clue: Clue) -> CountClue:
        """Return what a clue says of the counts."""
        return cast(CountClue, clue)

    def with_counts(self, clue: Clue | None, counts: CountClue) -> Clue:
        """Return a clue with other counts, otherwise as `clue`, or plain where it is None."""
        return counts

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return a bound for each kind, and for sets of kinds where marks may be one of two."""
        counted = self.counts_of(clue)
        counters = self.counters(guess)
        *shown, (miss_low, miss_high) = counted.ranges
        marks = counted.marks
        bounds = [
            Bound(low, terms, high) for (low, high), terms in zip(shown, counters, strict=True)
        ]
        bounds.append(Bound(marks - miss_high, sum_terms(*counters), marks - miss_low))
        for kinds, low, high in counted.set_ranges():
            bounds.append(Bound(low, sum_terms(*(counters[kind] for kind in kinds)), high))
        return AllOf(tuple(bounds))

    def refuse_winning(self, guess: Code) -> Constraint:
        if len(guess) != self.length:
            return AllOf(())
        return Bound(None, in_place(guess), self.length - 1)

    def parse(self, text: str, guess: Code) -> Clue:
        if text.strip().casefold() in WON_WORDS:
            if len(guess) != self.length:
                raise ImpossibleClueError(
                    f"a guess of {len(guess)} cannot be the secret of {self.length}"
                )
            return self.exactly(self.winning, guess)
        clue = self.parse_unchecked(text, guess)
        possible = list(islice((f for f in clue if self._can_happen(f, guess)), 2))
        if possible == [tuple(self.winning)]:
            return self.exactly(self.winning, guess)
        if not possible:
            what = self.describe(clue)
            raise ImpossibleClueError(f"{what} cannot happen with {len(guess)} pegs")
        return clue

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        if text.strip().casefold() in WON_WORDS:
            return self.parse(text, guess)
        return self.with_counts(None, self.notation.parse(text, self.mark_count(guess)))

    def possible(self, guess: Code, clue: Clue) -> bool:
        return any(self._can_happen(feedback, guess) for feedback in clue)

    def _can_happen(self, feedback: Feedback, guess: Code) -> bool:
        """Return whether some secret can cause a feedback, as far as arithmetic tells."""
        return True

    def format(self, clue: Clue) -> str:
        return self.notation.format(self.counts_of(clue))

    def describe(self, clue: Clue) -> str:
        return self.notation.describe(self.counts_of(clue))

    def exactly(self, feedback: Feedback, guess: Code) -> Clue:
        return self.notation.exactly(feedback, self.mark_count(guess))

    def sentence_at(self, line: str) -> int | None:
        sentence = self.notation.sentence
        return None if sentence is None else sentence.start(line)


class TileRule(NotedRule):
    """A rule that marks each tile of the guess 0, 1 or 2; a guess with nothing but 2 is right."""

    notation: TileNotation
    digit_names: ClassVar[tuple[str, str, str]]
    """What the marks 0, 1 and 2 are called."""
    default_marks: ClassVar[tuple[str, str, str]]
    """How the marks 0, 1 and 2 are written where the game does not say."""
    default_strategy: ClassVar[str] = "deep"
    longest_secret: ClassVar[int] = MOST_TILES
    other_marks: Mapping[str, int] = SQUARES
    """Further ways to write them."""

    def prepare(self) -> None:
        self.width = self.length
        """How many tiles a guess has."""
        labels = [self.names.get(name, name).casefold() for name in self.digit_names]
        signs = [
            self.marks.get(name, sign)
            for name, sign in zip(self.digit_names, self.default_marks, strict=True)
        ]
        self.notation = TileNotation(
            (labels[0], labels[1], labels[2]),
            (signs[0], signs[1], signs[2]),
            self.marks.get("unknown", "_"),
            self.other_marks,
        )

    @abstractmethod
    def tile_digits(self, tile: "Tile", secrets: "Bytes") -> "Bytes":
        """Return what a tile of a guess shows for each of some secrets: (S,) of 0, 1 and 2."""

    @abstractmethod
    def shows(self, guess: Code, place: int, digit: int) -> Constraint:
        """Return the constraint that the tile at a place shows a digit."""

    @property
    def feedbacks(self) -> TileFeedbacks:
        """All ways to mark the tiles, in ascending order."""
        return TileFeedbacks(self.width)

    @property
    def winning(self) -> Feedback:
        return (2,) * self.width

    def rows(self, codes: "Bytes") -> "Rows":
        return plain_rows(codes)

    def table(self, guesses: "Rows", secrets: "Rows") -> "Table":
        from puzzlehunt.kernels.tables import sum_table, tiles_of, unsigned

        kind = unsigned(3**self.width)

        def adds(tile: "Tile", codes: "Bytes") -> "Table":
            shown: Any = self.tile_digits(tile, codes).astype(kind)
            return shown * kind(3 ** (self.width - 1 - tile.place))  # type: ignore[no-any-return]

        tiles = tiles_of(guesses.codes[:, : self.width], self.symbols)
        return sum_table(tiles, secrets.codes, adds, kind)

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return for each tile that it shows one of the digits that the clue admits."""
        cells = enumerate(cast(TileClue, clue).cells)
        return AllOf(tuple(self.shows_one_of(guess, p, cell) for p, cell in cells if len(cell) < 3))

    def shows_one_of(self, guess: Code, place: int, digits: tuple[int, ...]) -> Constraint:
        """Return the constraint that the tile at a place shows one of some digits."""
        parts = tuple(self.shows(guess, place, digit) for digit in digits)
        return parts[0] if len(parts) == 1 else AnyOf(parts)

    def refuse_winning(self, guess: Code) -> Constraint:
        return Bound(None, in_place(guess), self.length - 1)

    def parse(self, text: str, guess: Code) -> Clue:
        clue = self.notation.parse(text, len(guess))
        if trouble := self.trouble(guess, clue):
            raise ImpossibleClueError(f"{text.strip()!r} cannot happen: {trouble}")
        return clue

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        return self.notation.parse(text, len(guess))

    def possible(self, guess: Code, clue: Clue) -> bool:
        return not self.trouble(guess, cast(TileClue, clue))

    def trouble(self, guess: Code, clue: TileClue) -> str:
        """Return why no secret could answer a guess so, in a few words; nothing if one could."""
        return ""

    def format(self, clue: Clue) -> str:
        return self.notation.format(cast(TileClue, clue))

    def describe(self, clue: Clue) -> str:
        return self.notation.describe(cast(TileClue, clue))

    def exactly(self, feedback: Feedback, guess: Code) -> TileClue:
        return self.notation.exactly(feedback)

    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return `marks`: one of 2, 1 and 0 a tile."""
        return {"marks": "".join(map(str, feedback))}


class PlaceRule(TileRule):
    """A rule whose tiles look at nothing but the secret's symbol in their own place."""

    @abstractmethod
    def symbols_for(self, symbol: int, digit: int) -> tuple[int, ...]:
        """Return the symbols of the secret for which a symbol of the guess shows a digit."""

    def shows(self, guess: Code, place: int, digit: int) -> Constraint:
        return require(At(place, self.symbols_for(guess[place], digit)))

    def shows_one_of(self, guess: Code, place: int, digits: tuple[int, ...]) -> Constraint:
        symbols = [s for digit in digits for s in self.symbols_for(guess[place], digit)]
        return require(At(place, tuple(sorted(symbols))))

    def trouble(self, guess: Code, clue: TileClue) -> str:
        for symbol, cell in zip(guess, clue.cells, strict=True):
            if not any(self.symbols_for(symbol, digit) for digit in cell):
                name = self.alphabet[symbol] if self.alphabet else str(symbol)
                shown = " or ".join(self.notation.labels[digit] for digit in cell)
                return f"no symbol is {shown} seen from {name}"
        return ""


def plain_rows(codes: "Bytes") -> "Rows":
    """Return codes as rows without bit-rows, for rules that look at the symbols themselves."""
    import numpy as np

    from puzzlehunt.kernels.codes import Rows

    none = np.zeros((len(codes), 0), dtype=np.uint64)
    return Rows(codes, none, none)
