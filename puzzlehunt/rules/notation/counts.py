"""Clues about counts: how many marks there are of each kind, and how clues state it.

Marks are cells, in any order (`B[BW]_`). A number is the count of a kind or, if a miss has a mark
of its own, how many were read so far; a relation or range is about all marks (`=1b`, `2-3 gears`).
`CountNotation.parse` reads back what `CountNotation.format` writes.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from puzzlehunt.errors import AmbiguousClueError, ImpossibleClueError, InvalidClueError, counted
from puzzlehunt.rules.notation import nethack
from puzzlehunt.rules.notation.cells import cells_of, fitting
from puzzlehunt.rules.notation.clue import NOTHING_WORDS, UNREAD, Cell, Notation, Parts, check_marks
from puzzlehunt.rules.notation.count_clue import CountClue, Range, propagate_bounds
from puzzlehunt.rules.notation.count_text import (
    BLACK,
    Count,
    CountText,
    Kind,
    kinds_of_signs,
    plural,
)
from puzzlehunt.rules.notation.synonyms import RESERVED, REST, UNREAD_SIGNS, plain, says_unread

_AROUND = " \t\r\n,;|"
"""What may be before and after a clue: blanks, and the signs of blank cells."""
_BLANK_CELL = re.compile(r"(?:^|[,;|\t])[ \r\n]*[,;|\t]")
_BETWEEN_MARKS = re.compile(r"(?:[\s,;|]|\band\b)+", re.IGNORECASE)
_BETWEEN_NUMBERS = re.compile(r"\s*[:/+-]\s*|\s+")
_MAY_BE_BLANK = re.compile(r"\s-\s|\s{3}")
"""What may be a blank cell between two numbers, although no separator shows it."""


class CountNotation(Notation):
    """The notation of clues about counts in one game.

    The last of `kinds` is the miss; `rest` has the parts of a losing feedback after its counts.
    Raises ValueError for a mark that is not allowed, and for a mark or a name that has two
    meanings.
    """

    def __init__(self, kinds: tuple[Kind, ...], unread_mark: str = "_", rest: Parts = ()) -> None:
        self._miss: Cell = (len(kinds) - 1,)
        signs: dict[str, Cell] = {sign: (kind,) for sign, kind in kinds_of_signs(kinds).items()}
        signs |= {".": self._miss, **dict.fromkeys("*" + UNREAD_SIGNS, UNREAD)}
        super().__init__([kind.mark for kind in kinds], unread_mark, signs)
        self.kinds, self.rest = kinds, rest
        self.labels = [kind.label for kind in kinds]
        self.miss_has_mark = kinds[-1].mark is not None
        """Whether a miss is written with a mark of its own."""
        self._reported = self.labels if self.miss_has_mark else self.labels[:-1]
        self.left_out = UNREAD if self.miss_has_mark else self._miss
        """The cell of a mark that is left out."""
        are_letters = all(kind.mark.isalpha() for kind in kinds if kind.mark)
        is_counted = are_letters and plural(self.labels[0]) != self.labels[0]
        self.written_as_counts = is_counted and not self.miss_has_mark
        """Whether full clues are written as counts (`2 bulls`), not as marks (`BBW`)."""
        self._of_tune = self.labels[:-1] if {"gear", "tumbler"} & {*self.labels} else []
        """The labels that are counted, if clues may be what NetHack prints."""
        if self.labels[-1] != "miss":
            self.none_words += (self.labels[-1],)
        if self._of_tune:
            self.unread_words += ("deaf",)
            self.none_words += ("silence", "silent", "nothing", nethack.PLAYED)
        named = [*((kind.mark, kind.label) for kind in kinds), (unread_mark, "unread")]
        check_marks(named, "*[]?/#.,;|<>=≤≥", RESERVED)

    def unread_clue(self, marks: int) -> CountClue:
        """Return the clue of a feedback of `marks` marks if nothing was read."""
        return self.of_cells([UNREAD] * marks, marks)

    def full_clue(self, feedback: Parts, marks: int) -> CountClue:
        """Return the clue of a feedback of `marks` marks if every mark was read."""
        kinds = len(self.kinds) - 1
        counts = (*feedback[:kinds], marks - sum(feedback[:kinds]))
        cells = [(i,) for i, n in enumerate(counts) for _ in range(n)]
        return self.of_cells(cells, marks, feedback[kinds:])

    def of_cells(self, cells: Sequence[Cell], marks: int, rest: Parts = ()) -> CountClue:
        """Return the clue with the given cells, one for each of `marks` marks."""
        kinds = range(len(self.kinds))
        ranges = [(cells.count((k,)), sum(k in (cell or kinds) for cell in cells)) for k in kinds]
        ordered = sorted(cells, key=lambda cell: (not cell, len(cell), cell))
        return CountClue(tuple(ranges), marks, tuple(ordered), rest or self.rest)

    def of_ranges(self, ranges: Sequence[Range], marks: int, rest: Parts = ()) -> CountClue | None:
        """Return the clue with a range for each kind; None if no counts in them sum to `marks`."""
        tight = propagate_bounds(tuple(ranges), marks)
        if any(low > high for low, high in (*tight, *ranges)):
            return None
        if all(low == high for low, high in tight):
            return self.full_clue((*[low for low, _ in tight[:-1]], *rest), marks)
        return CountClue(tight, marks, None, rest or self.rest)

    @cached_property
    def _text(self) -> CountText:
        return CountText(self.kinds, nethack.FILLERS if self._of_tune else "")

    def parse(self, text: str, marks: int) -> CountClue:
        """Return the clue of a text about a feedback of `marks` marks.

        Raises InvalidClueError for a text that is not a clue, ImpossibleClueError for counts that
        do not add up to `marks`, AmbiguousClueError for a text with two meanings.
        """
        written = plain(text)
        shown = written.strip(_AROUND)
        shown = nethack.heard(shown, self._of_tune) or shown
        word, filler = shown.casefold(), self.left_out
        if word in self.unread_words or says_unread(word):
            return self.unread_clue(marks)
        if word in self.none_words and not self.miss_has_mark:
            return self.full_clue((0,) * len(self.kinds[1:]), marks)
        if word in (*self.none_words, *NOTHING_WORDS):
            none = (self.kinds[-1].mark or "") * marks or "none"
            raise InvalidClueError(f"{text!r}: was there no mark ({none}), or nothing read (*)?")
        counts = None
        if not {*word} <= {*" \t,;|[]", *self._cell_of}:
            if rest := REST.fullmatch(shown):
                shown, said = rest["before"], rest["rest"]
                filler = UNREAD if says_unread(said) else self._cells(said, text, 1)[0]
            counts = self._numbers(written) or self._text.counts(shown.rstrip(".!"), marks)
        if counts:
            return self._of_counts(counts, marks, text, filler)
        if counts is not None:
            what = f"{shown} of what?" if shown.isdecimal() else f"{text!r} is not a clue."
            some = self.kinds[:-1][:2]
            short = " ".join(self._short(kind, 2 - kind, 2 - kind) for kind in range(len(some)))
            same = "2 1" if len(some) > 1 else "2"
            raise InvalidClueError(f"{what} A count is written {short}, and {same} means the same")
        cells = self._cells(shown, text, marks)
        if not self.miss_has_mark and _BLANK_CELL.search(written.rstrip(_AROUND)):
            raise self._ambiguous(text)
        return self._of_marks(cells, marks, text, filler)

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won: NetHack's sentence, or black circles."""
        is_black = {*plain(text)} - {*" \t"} == {BLACK} and BLACK not in self._cell_of
        return is_black or nethack.heard(text, self._of_tune) == "won"

    def sentence_start(self, line: str) -> int | None:
        """Return the index in a line where NetHack's sentences begin, None if there are none."""
        return nethack.start(line, self._of_tune)

    # Marks.

    def _cells(self, word: str, text: str, marks: int) -> list[Cell]:
        """Return the cells of marks and sets of marks: `B[BW]_`, `B, W`, `pico pico`."""
        if self.miss_has_mark and len(word) != marks and word.count(".") == 1:
            word = word.removesuffix(".")  # a full stop
        groups = [
            [(self.labels.index(part.casefold()),)]
            if len(part) > 1 and part.casefold() in self.labels
            else self.read_cells(part, text, "BW")
            for part in _BETWEEN_MARKS.split(word)
        ]
        if not any(groups):
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        no_marks = (UNREAD, self.left_out)
        read = [[cell for cell in each if cell not in no_marks] for each in groups]
        read = [group for group in read if group]
        kinds = {group[0] for group in read if len({*group}) == 1}
        has_dots = "." in word and self.miss_has_mark
        is_open = not read and ("*" in word or not word.strip("."))
        are_two = len(kinds) < len(read) and max(map(len, read)) > 1 < len(read)
        if has_dots or are_two or (is_open and word not in ("." * marks, "*" * marks)):
            raise self._ambiguous(text)
        return [*chain.from_iterable(groups)]

    def _ambiguous(self, text: str) -> AmbiguousClueError:
        signs = f"{self.signs[-1]} {self.labels[-1]}, {self.unread_mark} unread"
        return AmbiguousClueError(
            f"{text.strip()!r} can be read in two ways: write a sign for each mark, without blanks "
            f"({signs}); a second clue needs its own guess"
        )

    def _of_marks(self, cells: list[Cell], marks: int, text: str, filler: Cell) -> CountClue:
        """Return the clue of the cells that a player wrote; `filler` is the cell of all others."""
        if len(cells) > marks:
            raise ImpossibleClueError(
                f"{text!r} cannot happen: it has {len(cells)} marks for {counted(marks, 'peg')}"
            )
        return self.of_cells(cells + [filler] * (marks - len(cells)), marks)

    # Counts.

    def _numbers(self, written: str) -> list[Count] | None:
        """Return the counts of numbers without kinds, in the order of the kinds: `2 1`, `2,,1`.

        Return None for any other text. A blank cell is a count that was not read.
        """
        named = self._reported
        cells = cells_of(written)
        if len(cells) == 1:
            cells = _BETWEEN_NUMBERS.split(cells[0])
            may_lack = len(cells) < len(named) and _MAY_BE_BLANK.search(written.strip())
            if may_lack or not cells[0]:
                return None
        cells = fitting(cells, len(named))
        is_open = len(cells) < len(named) and not cells[-1]
        if is_open or not max(2, len(self.kinds) - 1) <= len(cells) <= len(named):
            return None
        read = {kind: cell for kind, cell in enumerate(cells) if cell.isdecimal() and len(cell) < 5}
        if not {*cells} - {*read.values()} <= {"", *"-\u2013\u2014", *self.unread_words}:
            return None
        return [Count((kind,), (int(cell),) * 2, True) for kind, cell in read.items()] or None

    def _of_counts(self, counts: list[Count], marks: int, text: str, filler: Cell) -> CountClue:
        """Return the clue of counts by kind: how many there are, or how many were read so far.

        With unread marks they are how many there are: `1 black, 1 white, 3 unread`.
        """
        cells = [count.cell for count in counts]
        if len({*cells}) < len(cells):
            raise InvalidClueError(f"{text!r} says twice how many there are of a kind")
        zeros = [count for count in counts if count.is_plain and count.range == (0, 0)]
        is_whole = sum(count.range[0] for count in counts) == marks
        is_rest = self._miss in cells and len(zeros) < len(counts)
        if self.miss_has_mark and zeros and not is_whole and not is_rest:
            label = self.labels[zeros[0].cell[0]]
            raise AmbiguousClueError(
                f"{text!r}: is 0 what was read so far (leave it out), or all there is (no {label})?"
            )
        is_marks = filler != self.left_out or any(len(cell) != 1 for cell in cells)
        are_plain = all(count.is_plain for count in counts)
        if is_marks and not are_plain:
            raise InvalidClueError(f"{text!r}: with unread marks, numbers must be exact")
        if are_plain and (is_marks or self.miss_has_mark):
            read = [count.cell for count in counts for _ in range(count.range[0])]
            return self._of_marks(read, marks, text, filler)
        ranges = [(0, marks)] * len(self.kinds)
        for (kind, *_), (low, high), is_plain in counts:
            so_far = is_plain and self.miss_has_mark
            ranges[kind] = (low, max(low, marks)) if so_far else (low, high)
        if (clue := self.of_ranges(ranges, marks)) is None:
            raise ImpossibleClueError(f"{text!r} cannot happen with {counted(marks, 'peg')}")
        return clue

    # Writing.

    def named_marks(self) -> list[tuple[str, str]]:
        return [(kind.mark, kind.label) for kind in self.kinds if kind.mark]

    def readings(self, marks: int) -> list[tuple[str, str]]:
        left_out, unread, number = "is a miss", "any mark, or a miss", "how many"
        if self.miss_has_mark:
            left_out, unread, number = "was not read", "any mark", "how many were read so far"
        elif len(self.kinds) > 2:
            number += "; a kind without one is open"
        first = self.format_cell((0,))
        said = [
            (f"what is left out {left_out}", first),
            (f"{self.unread_mark} is {unread}", f"{first}{self.unread_mark}"),
            (f"a number says {number}", self._short(0, 1, 1).lower()),
        ]
        return said if marks > 1 else []

    def format(self, clue: CountClue) -> str:
        """Return the text of a clue; `parse` returns an equal clue for this text."""
        if clue == self.unread_clue(clue.marks):
            return "*"
        items, is_counted = self._items(clue), self.written_as_counts and clue.is_exact
        if clue.cells is None or is_counted:
            exact = "=" if self.miss_has_mark else ""
            short = [exact * (low == high) + self._short(k, low, high) for (k,), low, high in items]
            return ("" if is_counted else " ").join(short)
        marks = "".join(self.format_cell(cell) * count for cell, _, count in items)
        # An unread mark alone would say that nothing was read.
        return f"{marks}." if marks == self.unread_mark else marks or "none"

    def _items(self, clue: CountClue) -> list[tuple[Cell, int, int]]:
        """Return what a clue has to state: cells, each with the least and the greatest number."""
        if clue.cells is None or (clue.is_exact and not self.miss_has_mark):
            kinds = range(len(self.kinds) - 1) if clue.is_exact else clue.kinds_to_write()
            return [((kind,), *clue.ranges[kind]) for kind in kinds]
        items = [(cell, count, count) for cell, count in Counter(clue.cells).items()]
        return [item for item in items if self.miss_has_mark or item[0] != self._miss]

    def _short(self, kind: int, low: int, high: int) -> str:
        """Return a count as players write it: `2b`, `0-1A`, `2 bulls`."""
        mark = self.kinds[kind].mark
        if not mark or not mark.isalpha():
            return self._amount((kind,), low, high)
        is_clear = not self.written_as_counts and mark.casefold() not in self._text.unclear
        number = f"{low}" if low == high else f"{low}-{high}"
        return number + (mark.lower() if is_clear else mark)

    def _amount(self, cell: Cell, low: int, high: int) -> str:
        """Return an amount in words: `2 to 3 gears`, `1 black or white`, `2 unread`."""
        labels = [self.labels[kind] for kind in cell]
        nouns = labels if low == high == 1 else map(plural, labels)
        number = f"{low}" if low == high else f"{low} to {high}"
        return f"{number} {' or '.join(nouns) or 'unread'}"

    def describe(self, clue: CountClue) -> str:
        """Return a clue in words: `1 black, 1 white, 1 red, 2 unread`, `1 gear, tumblers open`."""
        if clue == self.unread_clue(clue.marks):
            return "nothing read"
        items = self._items(clue)
        said = [self._amount(*item) for item in items]
        if clue.cells is None:
            exactly = "exactly " if self.miss_has_mark else ""
            stated = {cell for cell, _, _ in items}
            labels = [
                plural(label)
                for kind, label in enumerate(self._reported)
                if (kind,) not in stated and len({*clue.ranges[kind]}) > 1
            ]
            said = [
                exactly * (low == high) + words
                for words, (_, low, high) in zip(said, items, strict=True)
            ]
            said += [f"{' and '.join(labels)} open"] * bool(labels)
        elif UNREAD in clue.cells and not self.miss_has_mark:
            said[-1] = f"up to {items[-1][2]} {'more ' * (len(items) > 1)}unread"
        return ", ".join(said)
