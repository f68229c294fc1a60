"""Clues about counts: how many marks there are of each kind, and how clues state it.

Marks are cells, in any order (`B[BW]_`). A number is the count of a kind or, if a miss has a mark
of its own, how many were read so far; a relation or range is about all marks (`=1b`, `2-3 gears`).
`CountNotation.parse` reads back what `CountNotation.format` writes.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from puzzlehunt.errors import AmbiguousClueError, ImpossibleClueError, InvalidClueError, counted
from puzzlehunt.rules.notation import nethack
from puzzlehunt.rules.notation.cells import cells_of, fitting
from puzzlehunt.rules.notation.clue import NOTHING_WORDS, UNREAD, Cell, Notation, Parts, check_marks
from puzzlehunt.rules.notation.count_clue import CountClue, Range, propagate_bounds
from puzzlehunt.rules.notation.count_text import BLACK, Count, CountText, Kind, kinds_of_signs
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
        self.left_out = UNREAD if self.miss_has_mark else self._miss
        """The cell of a mark that is left out."""
        are_letters = all(kind.mark.isalpha() for kind in kinds if kind.mark)
        is_counted = kinds[0].plural != kinds[0].label and are_letters
        self.written_as_counts = is_counted and not self.miss_has_mark
        """Whether full clues are written as counts (`2 bulls`), not as marks (`BBW`)."""
        self._of_tune = self.labels[:-1] if {"gear", "tumbler"} & {*self.labels} else []
        """The labels that are counted, if clues may be what NetHack prints."""
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
        if not marks and not self.miss_has_mark:
            # Without cells, so that it is told from `none`.
            return CountClue(((0, 0),) * len(self.kinds), marks, None, self.rest)
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
        word = shown.casefold()
        if word in self.unread_words or says_unread(word):
            return self.unread_clue(marks)
        none = (self.kinds[-1].mark or "") * marks or "none"
        is_none = word in self.none_words or word == self.labels[-1] != "miss"
        if is_none and not self.miss_has_mark:
            return self.full_clue((0,) * len(self.kinds[1:]), marks)
        if is_none or word in NOTHING_WORDS:
            raise InvalidClueError(f"{text!r}: was there no mark ({none}), or nothing read (*)?")
        if {*word} <= {*" \t,;|[]", *self._cell_of}:
            return self._of_marks(self._cells(written, text, marks), marks, text)
        if numbers := self._numbers(written):
            return self._of_counts(numbers, marks, text)
        filler = None
        if rest := REST.fullmatch(shown):
            shown, said = rest["before"], rest["rest"]
            filler = UNREAD if says_unread(said) else self._cells(said, text, 1)[0]
        stated = self._text.counts(shown.rstrip(".!"), marks)
        if stated is None:
            return self._of_marks(self._cells(shown, text, marks), marks, text, filler)
        if not stated:
            raise InvalidClueError(self._not_a_count(shown, text, marks))
        return self._of_counts(stated, marks, text, filler)

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

    def _cells(self, written: str, text: str, marks: int) -> list[Cell]:
        """Return the cells of marks and sets of marks: `B[BW]_`, `B, W`, `b + w`, `pico pico`."""
        word = written.strip(_AROUND)
        if not self.miss_has_mark and _BLANK_CELL.search(written.rstrip(_AROUND)):
            raise AmbiguousClueError(
                f"{text.strip()!r}: is a blank cell a miss, or was it not read? Write . or ?"
            )
        if self.miss_has_mark and len(word) != marks and word.count(".") == 1:
            word = word.removesuffix(".")  # a full stop
        labels: dict[str, list[Cell]] = {
            label: [(n,)] for n, label in enumerate(self.labels) if len(label) > 1
        }
        groups = [
            labels.get(part.casefold()) or self.read_cells(part, text, "BW")
            for part in self._between_marks.split(word)
        ]
        if not any(groups):
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        if how := self._two_meanings(word, groups, marks):
            raise AmbiguousClueError(f"{text!r} can be read in two ways: write {how}")
        return [*chain.from_iterable(groups)]

    def _two_meanings(self, word: str, groups: list[list[Cell]], marks: int) -> str:
        """Return how to write marks with two meanings, "" if they have one."""
        no_marks = {UNREAD, self.left_out}
        read = [[cell for cell in each if cell not in no_marks] for each in groups]
        read = [group for group in read if group]
        if "." in word and self.miss_has_mark and sum(map(len, groups)) <= marks:
            ways = [word.replace(".", sign) for sign in (self.signs[-1], self.unread_mark)]
            return f"{ways[0]} for {self.kinds[-1].plural}, {ways[1]} for unread marks"
        is_bold = word[0] == word[-1] == "*" and not self.miss_has_mark
        is_open = not read and ("*" in word or not word.strip("."))
        if (is_bold or is_open) and word not in ("." * marks, "*" * marks):
            return "none if there was no mark, * if nothing was read, _ for unread marks"
        kinds = [*chain.from_iterable(map(set, read))]
        is_parted = len(read) > 1 and max(map(len, read)) > 1
        if is_parted and not len(kinds) == len({*kinds}) == len(read):
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
        named = self.labels if self.miss_has_mark else self.labels[:-1]
        if len(named) < 2:
            return None
        cells = cells_of(written)
        if len(cells) == 1:
            cells = _BETWEEN_NUMBERS.split(cells[0])
            may_lack = len(cells) < len(named) and _MAY_BE_BLANK.search(written.strip())
            if may_lack or not cells[0]:
                return None
        cells = fitting(cells, len(named))
        blank = {"", *"-\u2013\u2014", *self.unread_words}
        least = max(2, len(self.kinds) - 1)
        is_open = len(cells) < len(named) and not cells[-1]
        if is_open or not least <= len(cells) <= len(named):
            return None
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
            label = self.kinds[twice[0][0]].plural if twice[0] else "unread"
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

    def _not_a_count(self, word: str, text: str, marks: int) -> str:
        what = f"{text!r} is not a clue."
        words = [token.text for token in self._text.tokens(word, marks) if token.code == "x"]
        if unknown := next(filter(str.isalpha, words), ""):
            what = f"{text!r} is not a clue: what is {unknown!r}?"
        elif word.isdecimal() and len(word) < 4 and int(word) <= marks:
            what = f"{word} of what?"
        if len(self.kinds) == 2:
            return f"{what} A clue is one number, as {self._short(0, (2, 2))}"
        example = f"{self._short(0, (2, 2))} {self._short(1, (1, 1))}"
        return f"{what} A count is written {example}, and 2 1 means the same"

    # Writing.

    def named_marks(self) -> list[tuple[str, str]]:
        return [(kind.mark, kind.label) for kind in self.kinds if kind.mark]

    def readings(self, marks: int) -> list[tuple[str, str]]:
        if marks < 2:
            return []
        left_out, unread, number = "is a miss", "any mark, or a miss", "how many"
        if self.miss_has_mark:
            left_out, unread, number = "was not read", "any mark", "how many were read so far"
        elif len(self.kinds) > 2:
            number += "; a kind without one is open"
        first = self.format_cell((0,))
        return [
            (f"what is left out {left_out}", first),
            (f"{self.unread_mark} is {unread}", f"{first}{self.unread_mark}"),
            (f"a number says {number}", self._short(0, (1, 1)).lower()),
        ]

    def format(self, clue: CountClue) -> str:
        """Return the text of a clue; `parse` returns an equal clue for this text."""
        if clue == self.unread_clue(clue.marks):
            return "*"
        if clue.cells is None or (self.written_as_counts and clue.is_exact):
            exact = "=" if self.miss_has_mark else ""
            items = [
                exact * (low == high) + self._short(kind, (low, high))
                for kind, (low, high) in self._stated(clue).items()
            ]
            return ("" if self.written_as_counts and clue.is_exact else " ").join(items)
        left_out = None if self.miss_has_mark else self._miss
        kept = [cell for cell in clue.cells if cell != left_out]
        if kept == [UNREAD]:
            # Alone it would say that nothing was read.
            kept.append(self._miss)
        return "".join(map(self.format_cell, kept)) or "none"

    def _stated(self, clue: CountClue) -> dict[int, Range]:
        kinds = range(len(self.kinds) - 1) if clue.is_exact else clue.kinds_to_write()
        return {kind: clue.ranges[kind] for kind in kinds}

    def _short(self, kind: int, amount: Range) -> str:
        """Return a count as players write it: `2b`, `0-1A`, `2 bulls`."""
        mark, (low, high) = self.kinds[kind].mark, amount
        if not mark or not mark.isalpha():
            return self.kinds[kind].amount(*amount)
        is_clear = not self.written_as_counts and mark.casefold() not in self._text.unclear
        number = f"{low}" if low == high else f"{low}-{high}"
        return number + (mark.lower() if is_clear else mark)

    def describe(self, clue: CountClue) -> str:
        """Return a clue in words: `1 black, 1 white, 1 red, 2 unread`, `1 gear, tumblers open`."""
        if clue == self.unread_clue(clue.marks):
            return "nothing read"
        if clue.cells is None or (clue.is_exact and not self.miss_has_mark):
            stated = self._stated(clue)
            exactly = "exactly " if self.miss_has_mark else ""
            parts = [
                exactly * (low == high) + self.kinds[kind].amount(low, high)
                for kind, (low, high) in stated.items()
            ]
            kinds = self.kinds if self.miss_has_mark else self.kinds[:-1]
            others = [(k, kind) for k, kind in enumerate(kinds) if k not in stated]
            labels = [kind.plural for k, kind in others if len({*clue.ranges[k]}) > 1]
            return ", ".join(parts + [f"{' and '.join(labels)} open"] * bool(labels))
        parts = []
        for cell in dict.fromkeys(clue.cells):
            count = clue.cells.count(cell)
            if cell == UNREAD:
                more = "" if self.miss_has_mark else f"up to {count} {'more ' * bool(parts)}unread"
                parts.append(more or f"{count} unread")
            elif cell != self.left_out:
                single = self.kinds[cell[0]].amount(count, count)
                several = " or ".join(self.labels[kind] for kind in cell)
                parts.append(single if len(cell) == 1 else f"{count} {several}")
        return ", ".join(parts)
