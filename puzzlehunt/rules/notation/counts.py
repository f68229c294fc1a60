"""Clues about counts: how many marks there are of each kind, and how clues state it.

Marks are cells, in any order (`B[BW]_`). A number is the count of a kind or, if a miss has a mark
of its own, how many were read so far; a relation or range is about all marks (`=1b`, `2-3 gears`).
`CountNotation.parse` reads back what `CountNotation.format` writes.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
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
            self.unread_words += nethack.DEAF_WORDS
            self.none_words += nethack.SILENCE_WORDS
        named = [(kind.mark, kind.label) for kind in kinds]
        check_marks([*named, (unread_mark, "unread")], "*[]?/#.,;|<>=≤≥", RESERVED)
        plus = "".join(sign for sign in "+&" if sign not in self._cell_of)
        dash = "" if "-" in self._cell_of else r"|(?<=[^\s-])-(?=[^\s-])"
        self._between_marks = re.compile(rf"(?:[\s,;|{plus}]|\band\b{dash})+", re.IGNORECASE)

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
        unread, kinds = cells.count(UNREAD), range(len(self.kinds))
        may_be = [*chain.from_iterable(cells), *[*kinds] * unread]
        ranges = tuple(zip(map(cells.count, zip(kinds)), map(may_be.count, kinds), strict=True))
        ordered = [*sorted(sorted(filter(None, cells)), key=len), *[UNREAD] * unread]
        tight = propagate_bounds(ranges, marks)
        return CountClue(tight, marks, tuple(ordered), rest or self.rest)

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
        word, filler = shown.casefold(), None
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
        if not self.miss_has_mark and _BLANK_CELL.search(written.rstrip(_AROUND)):
            raise AmbiguousClueError(
                f"{text.strip()!r}: is a blank cell a miss, or was it not read? Write . or ?"
            )
        return self._of_marks(self._cells(shown, text, marks), marks, text, filler)

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won: NetHack's sentence, or black circles."""
        if nethack.heard(text, self._of_tune) == "won":
            return True
        signs = set() if text.isascii() else {*plain(text)} - {*" \t"}
        return signs == {BLACK} and BLACK not in self._cell_of

    def sentence_start(self, line: str) -> int | None:
        """Return the index in a line where NetHack's sentences begin, None if there are none."""
        return nethack.start(line, self._of_tune)

    # Marks.

    def _cells(self, word: str, text: str, marks: int) -> list[Cell]:
        """Return the cells of marks and sets of marks: `B[BW]_`, `B, W`, `b + w`, `pico pico`."""
        if self.miss_has_mark and len(word) != marks and word.count(".") == 1:
            word = word.removesuffix(".")  # a full stop
        groups = [
            [(self.labels.index(part.casefold()),)]
            if len(part) > 1 and part.casefold() in self.labels
            else self.read_cells(part, text, "BW")
            for part in self._between_marks.split(word)
        ]
        if not any(groups):
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        if how := self._two_meanings(word, groups, marks):
            raise AmbiguousClueError(f"{text!r} can be read in two ways: write {how}")
        return [*chain.from_iterable(groups)]

    def _two_meanings(self, word: str, groups: list[list[Cell]], marks: int) -> str:
        """Return how to write marks with two meanings, "" if they have one."""
        if "." in word and self.miss_has_mark:
            return f"{self.signs[-1]} for {self.labels[-1]}, {self.unread_mark} for unread marks"
        no_marks = (UNREAD, self.left_out)
        read = [[cell for cell in each if cell not in no_marks] for each in groups]
        read = [group for group in read if group]
        is_open = not read and ("*" in word or not word.strip("."))
        if is_open and word not in ("." * marks, "*" * marks):
            return "none if there was no mark, * if nothing was read, _ for unread marks"
        kinds = {group[0] for group in read if len({*group}) == 1}
        if len(kinds) < len(read) and max(map(len, read)) > 1 < len(read):
            return "one clue without blanks, each of two clues with its own guess"
        return ""

    def _of_marks(
        self, cells: list[Cell], marks: int, text: str, filler: Cell | None = None
    ) -> CountClue:
        """Return the clue of the cells that a player wrote; `filler` is the cell of all others."""
        if len(cells) > marks:
            raise ImpossibleClueError(
                f"{text!r} cannot happen: it has {len(cells)} marks for {counted(marks, 'peg')}"
            )
        left_out = self.left_out if filler is None else filler
        return self.of_cells(cells + [left_out] * (marks - len(cells)), marks)

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
        blank = {"", *"-\u2013\u2014", *self.unread_words}
        read = {kind: cell for kind, cell in enumerate(cells) if cell not in blank}
        if not all(cell.isdecimal() and len(cell) < 5 for cell in read.values()):
            return None
        return [Count((kind,), (int(cell),) * 2, True) for kind, cell in read.items()] or None

    def _of_counts(
        self, counts: list[Count], marks: int, text: str, filler: Cell | None = None
    ) -> CountClue:
        """Return the clue of counts by kind: how many there are, or how many were read so far.

        With unread marks they are how many there are: `1 black, 1 white, 3 unread`.
        """
        cells = [count.cell for count in counts]
        if twice := [cell for cell in cells if cells.count(cell) > 1]:
            label = plural(self.labels[twice[0][0]]) if twice[0] else "unread"
            raise InvalidClueError(f"{text!r} says twice how many {label} there are")
        zeros = [count for count in counts if count.is_plain and count.range == (0, 0)]
        is_whole = sum(count.range[0] for count in counts) == marks
        is_rest = self._miss in cells and len(zeros) < len(counts)
        if self.miss_has_mark and zeros and not is_whole and not is_rest:
            raise AmbiguousClueError(
                f"{text!r}: is 0 all there are, or were none read so far? Write no "
                f"{self.labels[zeros[0].cell[0]]} if there is none at all; leave out what was not "
                "read"
            )
        is_marks = filler is not None or any(len(count.cell) != 1 for count in counts)
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
        is_counted = self.written_as_counts and clue.is_exact
        if clue.cells is None or is_counted:
            return ("" if is_counted else " ").join(self._stated(clue, "=", self._short).values())
        kept = [cell for cell in clue.cells if self.miss_has_mark or cell != self._miss]
        if kept == [UNREAD]:
            # Alone it would say that nothing was read.
            kept.append(self._miss)
        return "".join(map(self.format_cell, kept)) or "none"

    def _stated(
        self, clue: CountClue, exactly: str, write: Callable[[int, int, int], str]
    ) -> dict[int, str]:
        """Return the counts that a clue has to state, by their kinds, as `write` writes them."""
        kinds = range(len(self.kinds) - 1) if clue.is_exact else clue.kinds_to_write()
        ranges = [(kind, *clue.ranges[kind]) for kind in kinds]
        return {
            kind: exactly * (self.miss_has_mark and low == high) + write(kind, low, high)
            for kind, low, high in ranges
        }

    def _short(self, kind: int, low: int, high: int) -> str:
        """Return a count as players write it: `2b`, `0-1A`, `2 bulls`."""
        mark = self.kinds[kind].mark
        if not mark or not mark.isalpha():
            return self._amount(kind, low, high)
        is_clear = not self.written_as_counts and mark.casefold() not in self._text.unclear
        number = f"{low}" if low == high else f"{low}-{high}"
        return number + (mark.lower() if is_clear else mark)

    def _amount(self, kind: int, low: int, high: int) -> str:
        """Return a count in words: `1 gear`, `2 to 3 gears`."""
        noun = self.labels[kind] if low == high == 1 else plural(self.labels[kind])
        return f"{low} {noun}" if low == high else f"{low} to {high} {noun}"

    def describe(self, clue: CountClue) -> str:
        """Return a clue in words: `1 black, 1 white, 1 red, 2 unread`, `1 gear, tumblers open`."""
        if clue == self.unread_clue(clue.marks):
            return "nothing read"
        if clue.cells is None or (clue.is_exact and not self.miss_has_mark):
            stated = self._stated(clue, "exactly ", self._amount)
            is_open = [low < high for low, high in clue.ranges[: len(self._reported)]]
            labels = [
                plural(label)
                for k, label in enumerate(self._reported)
                if is_open[k] and k not in stated
            ]
            return ", ".join([*stated.values(), *[f"{' and '.join(labels)} open"] * bool(labels)])
        parts = []
        for cell, count in Counter(clue.cells).items():
            if cell == UNREAD:
                more = f"up to {count} {'more ' * bool(parts)}unread"
                parts.append(f"{count} unread" if self.miss_has_mark else more)
            elif cell != self.left_out:
                several = " or ".join(self.labels[kind] for kind in cell)
                single = self._amount(cell[0], count, count)
                parts.append(single if len(cell) == 1 else f"{count} {several}")
        return ", ".join(parts)
