"""What a rule is: four faces that agree with each other.

`score` is the specification. `table` and `partitions` are the same for arrays of codes,
`constraint` is the same as bounds on literals, and the notation turns clues into text and back.
Most rules belong to one of two families: `CountRule` counts kinds of marks, `TileRule` marks each
tile of the guess.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from puzzlehunt.codes.alphabet import FOREIGN, MOST_SYMBOLS, MOST_TILES, Code
from puzzlehunt.codes.constraints import AllOf, AnyOf, Bound, Constraint, Term
from puzzlehunt.errors import ImpossibleClueError, InvalidClueError, counted, in_number
from puzzlehunt.rules.notation.clue import (
    NONE_WORDS,
    UNREAD_WORDS,
    WON_WORDS,
    Clue,
    Feedback,
    legend,
)
from puzzlehunt.rules.notation.count_clue import CountClue
from puzzlehunt.rules.notation.counts import CountNotation
from puzzlehunt.rules.notation.intersection import (
    counts_together,
    counts_with_more,
    intersect,
    restates,
    tiles_together,
)
from puzzlehunt.rules.notation.kinds import Kind
from puzzlehunt.rules.notation.signs import in_marks
from puzzlehunt.rules.notation.tiles import SQUARES, TileClue, TileFeedbacks, TileNotation
from puzzlehunt.rules.rows import plain_rows
from puzzlehunt.rules.settings import Settled
from puzzlehunt.rules.terms import in_place, sum_terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.kernels.codes import Bytes, Rows
    from puzzlehunt.kernels.partitions import Counts
    from puzzlehunt.kernels.tables import Table, Tile

Options: TypeAlias = Mapping[str, str | list[str]]
"""The settings of a game file under `rule:`, without the rule's name."""

_FEEDBACKS_PER_SECRET = 16
"""Feedbacks a secret from which on partitions are sorted: arrays of all would be nearly empty."""


class Rule(Settled, ABC):
    """How a guess is scored against a secret of `length` symbols from an alphabet of `symbols`.

    `repeats` is how often one symbol can occur in a secret at most; a smaller number makes the
    arrays narrower. The other parameters are what a game file sets: `marks` the letter of each kind
    of mark, `names` what each kind is called, `options` the rule's own settings, `alphabet` the
    symbols as text. Raises ValueError for a setting that the rule cannot have.
    """

    name: ClassVar[str]
    summary: str = ""
    """What the feedback tells, in a few words for the list of games."""
    option_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set under `rule:`, beside the rule's name."""
    kind_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set under `names:`."""
    mark_names: ClassVar[tuple[str, ...]] = ()
    """The keys that a game file may set under `marks:`."""

    symmetric: ClassVar[bool] = False
    """Whether feedback stays the same if guess and secret exchange two symbols, or positions."""
    symmetric_by_position: bool = False
    """Whether it also does if two symbols are exchanged in one position alone."""
    win_ends: ClassVar[bool] = True
    """Whether the winning feedback ends the game: no other secret shares the board."""
    default_strategy: ClassVar[str] = "book"
    """The name of the strategy for games that ask for none."""
    short_guesses: ClassVar[bool] = False
    """Whether guesses may be shorter than the secret."""
    longest_secret: ClassVar[int] = MOST_SYMBOLS
    """Cap on the length of a secret (symbols)."""
    compares_symbols: ClassVar[bool] = False
    """Whether symbols are compared by their order in the alphabet, which excludes foreign ones."""

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

    def prepare(self) -> None:
        """Set the attributes that a rule adds. Raises ValueError for settings it cannot have."""

    @property
    def settings(self) -> tuple[object, ...]:
        """What the rule was made with."""
        sizes = (self.length, self.symbols, self.repeats)
        return (*sizes, self.marks, self.names, self.options, self.alphabet)

    # The specification.

    @abstractmethod
    def score(self, guess: Code, secret: Code) -> Feedback:
        """Return the full, truthful feedback."""

    @property
    @abstractmethod
    def feedbacks(self) -> Sequence[Feedback]:
        """Every feedback that a guess of any length can get; arrays hold indices into this."""

    @property
    @abstractmethod
    def winning(self) -> Feedback:
        """The feedback of the secret itself."""

    @cached_property
    def winning_index(self) -> int:
        """The place in `feedbacks` of the winning one."""
        return self.feedbacks.index(self.winning)

    # Arrays.

    @abstractmethod
    def rows(self, codes: "Bytes") -> "Rows":
        """Return an array of codes (N, length) as the `Rows` that `table` and `partitions` take."""

    @abstractmethod
    def table(self, guesses: "Rows", secrets: "Rows") -> "Table":
        """Return the indices in `feedbacks` of all scores, an array (guesses, secrets)."""

    @property
    def pair_offsets(self) -> "Table | None":
        """The index in `feedbacks` of the first with each number of common repeats, from 0 up.

        Only for rules that score by two popcounts: two codes with m of their `place_bits` and n of
        their `repeat_bits` in common have the score `feedbacks[pair_offsets[n] + m]`. None for
        all other rules.
        """
        return None

    def partitions(
        self,
        guesses: "Rows",
        secrets: "Rows",
        weights: "npt.NDArray[np.float64] | None" = None,
        compiled: bool = False,
    ) -> "Counts":
        """Return how many secrets give each feedback, or their summed weights (guesses, feedbacks).

        If there are many more feedbacks than secrets, the array may be (guesses, secrets) instead:
        the counts that are not 0, in another order, and zeros after them. With `compiled`, a rule
        that has a compiled kernel uses it for small arrays, too.
        """
        from puzzlehunt.kernels.partitions import (
            join_blocks,
            partitions_by_sorting,
            table_partitions,
        )
        from puzzlehunt.kernels.tables import table_blocks

        feedbacks = len(self.feedbacks)
        by_sorting = len(secrets) * _FEEDBACKS_PER_SECRET <= feedbacks
        blocks = []
        for block in table_blocks(len(guesses), len(secrets)):
            table = self.table(guesses[block], secrets)
            blocks.append(
                partitions_by_sorting(table, weights)
                if by_sorting
                else table_partitions(table, feedbacks, weights)
            )
        return join_blocks(blocks)

    # Bounds.

    @abstractmethod
    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that the secret's score for a guess is in a clue."""

    @abstractmethod
    def is_not_secret(self, guess: Code) -> Constraint:
        """Return the constraint that a guess does not win: it is not the secret."""

    # Notation.

    @abstractmethod
    def parse(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text says about the feedback for a guess.

        Raises InvalidClueError for text that cannot be read, ImpossibleClueError for a clue that no
        secret could cause.
        """

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        """Return the clue of a text as `parse` does, even one that no secret could cause."""
        return self.parse(text, guess)

    def is_clue(self, clue: object, guess: Code) -> bool:
        """Return whether a value is a clue of this rule about a guess; True if unchecked."""
        return True

    def is_possible(self, guess: Code, clue: Clue) -> bool:
        """Return whether some secret could cause a clue; True for rules that do not check."""
        return True

    def may_lose(self, guess: Code, clue: Clue) -> bool:
        """Return whether a secret other than the guess could cause a clue; True if unchecked."""
        return True

    @abstractmethod
    def format(self, clue: Clue) -> str:
        """Return the text of a clue; `parse` reads it back."""

    @abstractmethod
    def describe(self, clue: Clue) -> str:
        """Return a clue in words, on one line."""

    @abstractmethod
    def named_marks(self) -> list[tuple[str, str]]:
        """Return the marks of the notation, each with what the game calls it."""

    @property
    @abstractmethod
    def unread_mark(self) -> str:
        """The mark that stands for one that was not read."""

    @property
    def unread_words(self) -> tuple[str, ...]:
        """What stands alone for a feedback of which nothing was read, in lower case."""
        return UNREAD_WORDS

    @property
    def none_words(self) -> tuple[str, ...]:
        """The words for a feedback without a mark, in lower case."""
        return NONE_WORDS

    @property
    def clue_words(self) -> tuple[str, ...]:
        """All words that are whole clues in this game, in lower case."""
        return (*self.unread_words, *WON_WORDS, *self.none_words)

    def legend(self) -> str:
        """Return one line that says how clues are written."""
        return legend(self.named_marks(), self.unread_mark)

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        """Return in a few words how clues are understood, each time with a clue as an example.

        The examples are about a guess; no secret need be able to cause them.
        """
        return []

    @abstractmethod
    def full_clue(self, feedback: Feedback, guess: Code) -> Clue:
        """Return the clue of a feedback that was read in full."""

    @abstractmethod
    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return the feedback by JSON keys that the rule chooses."""

    def hard_mode_constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return what hard mode demands of later guesses: by default that they fit the clue."""
        return self.constraint(guess, clue)

    def intersect(self, old: Clue, new: Clue) -> Clue | None:
        """Return the clue of what two clues about one guess say together; None if they contradict.

        Where that cannot be written it is the clue that says more.
        """
        return intersect(old, new, lambda: None)

    def restates(self, old: Clue, new: Clue) -> bool:
        """Return whether a clue is meant instead of an older one with which it agrees in part."""
        return False

    def add_marks(self, clue: Clue, text: str, guess: Code) -> Clue:
        """Return a clue with what a text says that was read besides.

        Raises InvalidClueError for a text that is no clue or contradicts what was read.
        """
        together = self.intersect(clue, self.parse(text, guess))
        if together is None:
            raise InvalidClueError(f"{text!r} contradicts what stands there, {self.format(clue)}")
        return together

    def sentence_at(self, line: str) -> int | None:
        """Return the index at which the game's own sentence begins in a line, None without one."""
        return None

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won, by a word or a sentence of the game."""
        return text.strip().casefold() in WON_WORDS

    def wins(self, clue: Clue) -> bool:
        """Return whether a clue says that the guess was the secret."""
        return self.winning in clue and len(list(islice(clue, 2))) == 1


class NotedRule(Rule):
    """A rule whose clues are written in a `CountNotation` or a `TileNotation`."""

    notation: CountNotation | TileNotation

    def named_marks(self) -> list[tuple[str, str]]:
        return self.notation.named_marks()

    @property
    def unread_mark(self) -> str:
        return self.notation.unread_mark

    @property
    def unread_words(self) -> tuple[str, ...]:
        return self.notation.unread_words

    @property
    def none_words(self) -> tuple[str, ...]:
        return self.notation.none_words

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        return self.notation.readings(len(guess))


class CountRule(NotedRule):
    """A rule whose feedback counts kinds of marks; the last kind, the miss, is all other marks."""

    notation: CountNotation
    reported_kinds: tuple[str, ...]
    """The names of the kinds in the feedback, in its order: all but the miss."""

    def prepare(self) -> None:
        self.reported_kinds = self._kinds_to_report()
        kinds = []
        for name in (*self.reported_kinds, "miss"):
            label = self.names.get(name, name)
            mark = self.marks.get(name, None if name == "miss" else label[0].upper())
            kinds.append(Kind(name, label.casefold(), mark or None))
        self.notation = CountNotation(tuple(kinds), self.marks.get("unknown", "_"))

    def _kinds_to_report(self) -> tuple[str, ...]:
        """Return the value of `reported_kinds` that the settings ask for."""
        return self.kind_names[:-1]

    @abstractmethod
    def counters(self, guess: Code) -> Sequence[tuple[Term, ...]]:
        """Return for each kind in `reported_kinds` the terms whose sum is its count."""

    def mark_count(self, guess: Code) -> int:
        """Return how many marks the feedback for a guess has, misses included."""
        return len(guess)

    def counts_of(self, clue: Clue) -> CountClue:
        """Return the part of a clue that is about counts: all of it, for most rules."""
        return cast(CountClue, clue)

    def with_counts(self, clue: Clue | None, counts: CountClue) -> Clue:
        """Return a clue with these counts that says all else as `clue` does, if one is given."""
        return counts

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return bounds on the count of each kind, and on sets of kinds where a clue has them."""
        counts = self.counts_of(clue)
        counters = self.counters(guess)
        *ranges, (miss_low, miss_high) = counts.ranges
        marks = counts.marks
        bounds = [
            Bound(low, terms, high) for (low, high), terms in zip(ranges, counters, strict=True)
        ]
        bounds.append(Bound(marks - miss_high, sum_terms(*counters), marks - miss_low))
        for kinds, low, high in counts.set_ranges():
            bounds.append(Bound(low, sum_terms(*(counters[kind] for kind in kinds)), high))
        return AllOf(tuple(bounds))

    def is_not_secret(self, guess: Code) -> Constraint:
        if len(guess) != self.length:
            return AllOf(())
        return Bound(None, in_place(guess), self.length - 1)

    def parse(self, text: str, guess: Code) -> Clue:
        text = in_marks(text, self.notation.kinds)
        if self.says_won(text):
            if len(guess) != self.length:
                raise ImpossibleClueError(
                    f"a guess of {len(guess)} cannot be a secret of {self.length}"
                )
            return self.full_clue(self.winning, guess)
        clue = self.parse_unchecked(text, guess)
        if self.may_lose(guess, clue):
            return clue
        if self.is_possible(guess, clue):
            return self.full_clue(self.winning, guess)
        words = repr(text.strip()) if self.counts_of(clue).cells is None else self.describe(clue)
        raise ImpossibleClueError(f"{words} cannot happen{_because(guess)}")

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        text = in_marks(text, self.notation.kinds)
        if self.says_won(text):
            return self.parse(text, guess)
        return self.with_counts(None, self.notation.parse(text, self.mark_count(guess)))

    def says_won(self, text: str) -> bool:
        sentence = self.notation.sentence
        return super().says_won(text) or bool(sentence and sentence.says_won(text))

    def is_clue(self, clue: object, guess: Code) -> bool:
        has_kinds = isinstance(clue, CountClue) and len(clue.ranges) == len(self.notation.kinds)
        return has_kinds and cast(CountClue, clue).marks == self.mark_count(guess)

    def is_possible(self, guess: Code, clue: Clue) -> bool:
        return any(self._can_happen(feedback, guess) for feedback in clue)

    def may_lose(self, guess: Code, clue: Clue) -> bool:
        return any(self._can_happen(f, guess) for f in clue if f != tuple(self.winning))

    def _can_happen(self, feedback: Feedback, guess: Code) -> bool:
        """Return whether some secret could cause a feedback, judged by its counts alone."""
        return sum(feedback[: len(self.reported_kinds)]) <= len(guess) - guess.count(FOREIGN)

    def format(self, clue: Clue) -> str:
        return self.notation.format(self.counts_of(clue))

    def describe(self, clue: Clue) -> str:
        return self.notation.describe(self.counts_of(clue))

    def full_clue(self, feedback: Feedback, guess: Code) -> Clue:
        return self.notation.full_clue(feedback, self.mark_count(guess))

    def intersect(self, old: Clue, new: Clue) -> Clue | None:
        def together() -> Clue | None:
            one, other = self.counts_of(old), self.counts_of(new)
            counts = counts_together(self.notation, one, other)
            return None if counts is None else self.with_counts(new, counts)

        return intersect(old, new, together)

    def restates(self, old: Clue, new: Clue) -> bool:
        return restates(self.notation, self.counts_of(old), self.counts_of(new))

    def add_marks(self, clue: Clue, text: str, guess: Code) -> Clue:
        """Return a clue with some marks more; where numbers stay open, with what the text says."""
        counts = self.counts_of(clue)
        added = self.counts_of(self.parse(text, guess))
        more = counts_with_more(self.notation, counts, added)
        return (
            super().add_marks(clue, text, guess) if more is None else self.with_counts(clue, more)
        )

    def sentence_at(self, line: str) -> int | None:
        sentence = self.notation.sentence
        return None if sentence is None else sentence.start(line)


def _because(guess: Code) -> str:
    """Return why no secret causes the counts of a clue, to follow the words `cannot happen`."""
    if FOREIGN not in guess:
        return f" with {counted(len(guess), 'peg')}"
    known = len(guess) - guess.count(FOREIGN)
    return f": {known or 'no'} {in_number('symbol', known)} of the guess can be in the secret"


class TileRule(NotedRule):
    """A rule that gives each tile (position of the guess) the digit 0, 1 or 2; all 2 wins."""

    notation: TileNotation
    digit_names: ClassVar[tuple[str, str, str]]
    """The names of the digits 0, 1 and 2; a game file can set others."""
    default_marks: ClassVar[tuple[str, str, str]]
    """The marks of the digits 0, 1 and 2; a game file can set others."""
    longest_secret: ClassVar[int] = MOST_TILES
    other_marks: Mapping[str, int] = SQUARES
    """Further marks that `parse` reads, each with its digit."""
    other_words: Mapping[str, int] = MappingProxyType({"correct": 2})
    """Further words for a tile, each with its digit."""
    hard_mode_by_tiles: ClassVar[bool] = False
    """Whether hard mode demands just that 2 is kept in place, and symbols of 1 and 2 are used."""

    def prepare(self) -> None:
        self.width = self.length
        """Number of tiles of a guess."""
        labels = [self.names.get(name, name).casefold() for name in self.digit_names]
        named = zip(self.digit_names, self.default_marks, strict=True)
        signs = [self.marks.get(name, sign) for name, sign in named]
        self.notation = TileNotation(
            (labels[0], labels[1], labels[2]),
            (signs[0], signs[1], signs[2]),
            self.marks.get("unknown", "_"),
            dict(self.other_marks),
            dict(self.other_words),
        )

    @abstractmethod
    def tile_digits(self, tile: "Tile", secrets: "Bytes") -> "Bytes":
        """Return the digit of one tile of a guess for each secret of an array (secrets, length)."""

    @abstractmethod
    def digit_constraint(self, guess: Code, place: int, digit: int) -> Constraint:
        """Return the constraint that the tile at a position (0-based) gets a digit."""

    @property
    def feedbacks(self) -> TileFeedbacks:
        """All ways to give each tile a digit, in ascending order."""
        return TileFeedbacks(self.width)

    @property
    def winning(self) -> Feedback:
        return (2,) * self.width

    def rows(self, codes: "Bytes") -> "Rows":
        return plain_rows(codes)

    def table(self, guesses: "Rows", secrets: "Rows") -> "Table":
        from puzzlehunt.kernels.tables import sum_table, tiles_of, unsigned_type

        # The index of a feedback is the number that its digits write in base 3.
        dtype = unsigned_type(3**self.width)

        def summands(tile: "Tile", codes: "Bytes") -> "Table":
            digits: Any = self.tile_digits(tile, codes).astype(dtype)
            return digits * dtype(3 ** (self.width - 1 - tile.place))  # type: ignore[no-any-return]

        tiles = tiles_of(guesses.codes[:, : self.width], self.symbols)
        return sum_table(tiles, secrets.codes, summands, dtype)

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that each tile gets one of the digits that the clue admits."""
        cells = enumerate(cast(TileClue, clue).cells)
        return AllOf(
            tuple(self.cell_constraint(guess, p, cell) for p, cell in cells if len(cell) < 3)
        )

    def cell_constraint(self, guess: Code, place: int, digits: tuple[int, ...]) -> Constraint:
        """Return the constraint that the tile at a position gets one of the digits of a cell."""
        parts = tuple(self.digit_constraint(guess, place, digit) for digit in digits)
        return parts[0] if len(parts) == 1 else AnyOf(parts)

    def is_not_secret(self, guess: Code) -> Constraint:
        return Bound(None, in_place(guess), self.length - 1)

    def parse(self, text: str, guess: Code) -> Clue:
        clue = self.notation.parse(text, len(guess))
        if trouble := self.trouble(guess, clue):
            raise ImpossibleClueError(f"{text.strip()!r} cannot happen: {trouble}")
        is_open = clue == self.notation.unread_clue(len(guess)) or self.may_lose(guess, clue)
        return clue if is_open else self.full_clue(self.winning, guess)

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        return self.notation.parse(text, len(guess))

    def is_clue(self, clue: object, guess: Code) -> bool:
        return isinstance(clue, TileClue) and len(clue.cells) == len(guess)

    def is_possible(self, guess: Code, clue: Clue) -> bool:
        return not self.trouble(guess, cast(TileClue, clue))

    def may_lose(self, guess: Code, clue: Clue) -> bool:
        return any(not self.trouble(guess, part) for part in cast(TileClue, clue).losing_parts())

    def trouble(self, guess: Code, clue: TileClue) -> str:
        """Return in a few words why no secret could cause a clue, an empty text if one could."""
        return ""

    def format(self, clue: Clue) -> str:
        return self.notation.format(cast(TileClue, clue))

    def describe(self, clue: Clue) -> str:
        return self.notation.describe(cast(TileClue, clue))

    def full_clue(self, feedback: Feedback, guess: Code) -> TileClue:
        return self.notation.full_clue(feedback)

    def intersect(self, old: Clue, new: Clue) -> Clue | None:
        return tiles_together(cast(TileClue, old), cast(TileClue, new))

    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return `marks`, the digits of all tiles as text."""
        return {"marks": "".join(map(str, feedback))}
