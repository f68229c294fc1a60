"""Clues about counts: how many marks there are of each kind, and how clues state it.

How a clue is understood:

- A letter is one mark of its kind, `.` a miss, `[BW]` a mark of one of these kinds. `_` or `?` is
  an unread mark: it may be of any kind, a miss included.
- A mark that is left out is a miss or, if misses have a mark of their own, an unread mark.
- A number with a kind (`2b`) is the count of that kind or, if misses have a mark, the number of its
  marks that were read so far.
- A relation or a range is about all marks, in every game: `=1b`, `>=1b`, `2-3 gears`, `no white`.
- A kind without a number may have any count.
- `*`, or `_` alone, means that nothing was read.

`CountNotation.parse` reads back what `CountNotation.format` writes.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import ClassVar

from puzzlehunt.errors import AmbiguousClueError, ImpossibleClueError, InvalidClueError, counted
from puzzlehunt.rules.notation import nethack
from puzzlehunt.rules.notation.cells import numbers_in
from puzzlehunt.rules.notation.clue import (
    NONE_WORDS,
    NOTHING_WORDS,
    UNREAD,
    UNREAD_WORDS,
    Cell,
    Notation,
    Parts,
    check_marks,
    marks_line,
)
from puzzlehunt.rules.notation.count_clue import CountClue, Range, propagate_bounds
from puzzlehunt.rules.notation.count_text import Count, CountText
from puzzlehunt.rules.notation.kinds import (
    BLACK,
    COLOURS,
    Kind,
    amount_text,
    kinds_of_signs,
    plural,
)
from puzzlehunt.rules.notation.synonyms import (
    COLOUR_OF,
    NUMBER,
    RESERVED,
    REST,
    UNREAD_SIGNS,
    plain,
    says_unread,
)

_AROUND = " \t\r\n,;|"
"""What may be before and after a clue: blanks, and the signs of blank cells."""
_BLANK_CELL = re.compile(r"(?:^|[,;|\t])[ \r\n]*[,;|\t]")
_STARS_AROUND = re.compile(r"\*[^*]+\*")


class CountNotation(Notation):
    """The notation of clues about counts in one game.

    The last of `kinds` is the miss; `rest` has the parts of a losing feedback after its counts.
    Raises ValueError for a mark that is not allowed, and for a mark or a name that has two
    meanings.
    """

    unread: ClassVar[Cell] = UNREAD
    noun: ClassVar[str] = "mark"

    def __init__(self, kinds: tuple[Kind, ...], unread_mark: str = "_", rest: Parts = ()) -> None:
        self._miss: Cell = (len(kinds) - 1,)
        signs: dict[str, Cell] = {sign: (kind,) for sign, kind in kinds_of_signs(kinds).items()}
        signs |= {".": self._miss, **dict.fromkeys("*" + UNREAD_SIGNS, UNREAD)}
        super().__init__([kind.mark for kind in kinds], unread_mark, signs)
        self.kinds, self.rest = kinds, rest
        self.miss_has_mark = kinds[-1].mark is not None
        """Whether a miss is written with a mark of its own."""
        self._left_out = UNREAD if self.miss_has_mark else self._miss
        """The cell of a mark that is left out."""
        self._counts_one_kind = len(kinds) == 2
        self._marks_are_letters = all(kind.mark.isalpha() for kind in kinds if kind.mark)
        self.written_as_counts = (
            kinds[0].label not in COLOURS and self._marks_are_letters and not self.miss_has_mark
        )
        """Whether full clues are written as counts (`2 bulls`), not as marks (`BBW`)."""
        labels = self.labels = [kind.label for kind in kinds]
        self.is_heard = not {"gear", "tumbler"}.isdisjoint(labels)
        """Whether clues may be NetHack's sentences, such as `You hear 1 gear turn`."""
        if self.is_heard:
            self.unread_words += nethack.DEAF_WORDS
            self.none_words += nethack.SILENCE_WORDS
        named = [(kind.mark, kind.label) for kind in kinds]
        check_marks([*named, (unread_mark, "unread")], "*[]?/#.,;|<>=≤≥")
        for label in labels:
            if re.fullmatch(NUMBER, label) or label in RESERVED:
                raise ValueError(f"the name {label!r} has a meaning in counts; write another name")
            others = [other for other in labels if other != label]
            if meant := [other for other in others if label in (plural(other), f"{other}s")]:
                raise ValueError(f"the name {label!r} is also the plural of {meant[0]}")

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
        return CountText(self.kinds, nethack.FILLERS if self.is_heard else "")

    def parse(self, text: str, marks: int) -> CountClue:
        """Return the clue of a text about a feedback of `marks` marks.

        Raises InvalidClueError for a text that is not a clue, ImpossibleClueError for counts that
        do not add up to `marks`, AmbiguousClueError for a text with two meanings.
        """
        written = plain(text)
        shown = written.strip(_AROUND)
        word = shown.casefold()
        if word in self.unread_words or says_unread(word):
            return self.unread_clue(marks)
        if word in self.none_words or (word == self.kinds[-1].label != "miss"):
            return self._without_marks(text, marks)
        if word in NOTHING_WORDS:
            raise InvalidClueError(
                f"{text!r}: was there no mark ({self._none_text(marks)}), or nothing read (*)?"
            )
        if self._signs.issuperset(word):
            return self._of_marks(self._cells(written, text, marks), marks, text)
        if self.is_heard and (heard := nethack.heard(shown, self.labels)):
            return self._of_heard(heard, marks, text)
        if (numbers := self._numbers(written, marks)) is not None:
            return self._of_counts(numbers, marks, text)
        filler = None
        if rest := REST.fullmatch(shown):
            shown, filler = rest["before"], self._filler(rest["rest"], text)
        counts = self._text.counts(shown.rstrip(".!"), marks)
        if counts is None:
            return self._of_marks(self._cells(shown, text, marks), marks, text, filler)
        if not counts:
            raise InvalidClueError(self._not_a_count(shown, text, marks))
        return self._of_counts(counts, marks, text, filler)

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won: NetHack's sentence, or black circles."""
        if self.is_heard:
            return nethack.heard(text, self.labels) == nethack.Heard("won")
        signs = set() if text.isascii() else {*plain(text)} - {*" \t"}
        return signs == {BLACK} and BLACK not in self._cell_of

    def sentence_start(self, line: str) -> int | None:
        """Return the index in a line where NetHack's sentences begin, None if there are none."""
        return nethack.start(line) if self.is_heard else None

    def _of_heard(self, heard: nethack.Heard, marks: int, text: str) -> CountClue:
        """Return the clue of what NetHack's sentences say; the instrument alone is silence."""
        if heard.event == "deaf":
            return self.unread_clue(marks)
        if heard.event == "won":
            return self.full_clue((marks, *[0] * (len(self.kinds) - 2)), marks)
        if heard.event != "counts":
            return self._without_marks(text, marks)
        return self._of_ranges([*[(n, n) for n in heard.counts[:-1]], (0, marks)], marks, text)

    def _without_marks(self, text: str, marks: int) -> CountClue:
        """Return the clue that all marks are misses.

        Raises InvalidClueError if a miss has a mark, which must then be written.
        """
        if self.miss_has_mark:
            raise InvalidClueError(
                f"{text!r} is not used here, a miss has its own mark: write "
                f"{self._none_text(marks)}, or * if nothing was read"
            )
        return self.full_clue((0,) * (len(self.kinds) - 1), marks)

    def _none_text(self, marks: int) -> str:
        """Return how a player writes that all marks are misses."""
        return (self.kinds[-1].mark or "") * marks or NONE_WORDS[0]

    # Marks.

    @cached_property
    def _signs(self) -> frozenset[str]:
        """The characters of marks, and what may be between them."""
        return frozenset(" \t,;|[]") | self._cell_of.keys()

    def _cells(self, written: str, text: str, marks: int) -> list[Cell]:
        """Return the cells of marks and sets of marks: `B[BW]_`, `B, W`, `b + w`, `pico pico`."""
        word = written.strip(_AROUND)
        if not self.miss_has_mark and _BLANK_CELL.search(written.rstrip(_AROUND)):
            raise AmbiguousClueError(
                f"{text.strip()!r}: is a blank cell a miss, or was it not read? Write . or ?"
            )
        if " or " in word:
            raise AmbiguousClueError(
                f"{text!r} is two clues: write one, with [BW] for a mark that may be either"
            )
        if any(COLOUR_OF.get(sign) == "red" and sign not in self._cell_of for sign in word):
            raise AmbiguousClueError(
                f"{text!r}: red is no mark of this game; in sets with red and white pegs it means "
                f"in place: write {self.signs[0]} for it"
            )
        mark = self.kinds[-1].mark or "."
        if word.endswith(".") and "." not in word[:-1] and mark != ".":
            is_miss = len(word) == marks and mark.casefold() not in word.casefold()
            word = word if is_miss else word[:-1]
        labels: dict[str, list[Cell]] = {
            label: [(n,)] for n, label in enumerate(self.labels) if len(label) > 1
        }
        groups = [
            labels.get(part.casefold()) or self.read_cells(part, text, "BW")
            for part in self._between_marks.split(word)
        ]
        cells = list(chain.from_iterable(groups))
        if not cells:
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        if why := self._two_meanings(word, groups, marks):
            raise AmbiguousClueError(f"{text!r} can be read in two ways: {why}")
        return cells

    def _two_meanings(self, word: str, groups: list[list[Cell]], marks: int) -> str:
        """Return how to write marks with two meanings, "" if they have one."""
        cells = list(chain.from_iterable(groups))
        if "." in word and self.miss_has_mark and len(cells) <= marks:
            ways = [word.replace(".", sign) for sign in (self.signs[-1], self.unread_mark)]
            return f"write {ways[0]} for {plural(self.kinds[-1].label)}, {ways[1]} for unread marks"
        if not word.strip(".") and len(word) != marks:
            return f"write {NONE_WORDS[0]} if there was no mark, * if nothing was read"
        open_cells = (UNREAD,) if self.miss_has_mark else (UNREAD, self._miss)
        is_open = all(cell in open_cells for cell in cells)
        if "*" in word and is_open and word != "*" * marks:
            return "write * alone if nothing was read"
        if _STARS_AROUND.fullmatch(word) and not self.miss_has_mark:
            marked = word.strip("*")
            return f"write {marked} without stars, or _{marked}_ with unread marks"
        read = [[cell for cell in group if cell not in open_cells] for group in groups]
        read = [group for group in read if group]
        kinds = list(chain.from_iterable(map(set, read)))
        is_parted = len(read) > 1 and max(map(len, read)) > 1
        if is_parted and not len(kinds) == len({*kinds}) == len(read):
            return "write one clue without blanks, each of two clues with its own guess"
        return ""

    def _filler(self, word: str, text: str) -> Cell:
        """Return the cell of the rest of the marks."""
        if says_unread(word) or word in self.unread_words:
            return UNREAD
        return self._cells(word, text, 1)[0]

    @cached_property
    def _between_marks(self) -> re.Pattern[str]:
        """Matches what may be between marks, none of it a mark itself."""
        signs = "".join(sign for sign in "+&" if sign not in self._cell_of)
        word = "" if self._cell_of.keys() & {*"and"} else r"|\band\b"
        dash = "" if "-" in self._cell_of else r"|(?<=[^\s-])-(?=[^\s-])"
        return re.compile(rf"(?:[\s,;|{signs}]{word}{dash})+", re.IGNORECASE)

    def _of_marks(
        self, cells: list[Cell], marks: int, text: str, filler: Cell | None = None
    ) -> CountClue:
        """Return the clue of the cells that a player wrote; `filler` is the cell of all others."""
        if len(cells) > marks:
            raise ImpossibleClueError(
                f"{text!r} cannot happen: it has {len(cells)} marks for {counted(marks, 'peg')}"
            )
        left_out = self._left_out if filler is None else filler
        return self.of_cells(cells + [left_out] * (marks - len(cells)), marks)

    # Counts.

    def _numbers(self, written: str, marks: int) -> list[Count] | None:
        """Return the counts of numbers without kinds, in the order of the kinds: `2 1`, `2,,1`.

        Return None for any other text. A blank cell is a count that was not read.
        """
        named = self.kinds if self.miss_has_mark else self.kinds[:-1]
        if self._counts_one_kind and not self.miss_has_mark:
            return None
        numbers = numbers_in(written, len(named), self.unread_words)
        if numbers is None:
            return None
        if not len(self.kinds) - 1 <= len(numbers) <= len(named):
            order = ", ".join(kind.label for kind in named)
            raise InvalidClueError(f"{written!r} has {len(numbers)} numbers; they mean {order}")
        return [
            Count((kind,), (0, marks) if n is None else (n, n), n is not None)
            for kind, n in enumerate(numbers)
        ]

    def _of_counts(
        self, counts: list[Count], marks: int, text: str, filler: Cell | None = None
    ) -> CountClue:
        """Return the clue of counts by kind: how many there are, or how many were read so far.

        With unread marks they are how many there are: `1 black, 1 white, 3 unread`.
        """
        cells = [count.cell for count in counts]
        if twice := [cell for cell in cells if cells.count(cell) > 1]:
            label = plural(self.kinds[twice[0][0]].label) if twice[0] else UNREAD_WORDS[1]
            raise InvalidClueError(f"{text!r} says twice how many {label} there are")
        if self.miss_has_mark:
            self._check_zeros(counts, marks, text)
            if len(counts) > 1:
                # A count that says nothing would turn marks read so far into bounds on all marks.
                counts = [count for count in counts if count.is_plain or count.range != (0, marks)]
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
        return self._of_ranges(ranges, marks, text)

    def _check_zeros(self, counts: list[Count], marks: int, text: str) -> None:
        """Raise AmbiguousClueError for zeros that may say none at all, or none read so far."""
        zeros = [count.cell for count in counts if count.is_plain and count.range == (0, 0)]
        is_whole = sum(low for _, (low, _), _ in counts) == marks
        counts_misses = any(count.cell == self._miss for count in counts)
        if not zeros or is_whole or (counts_misses and len(zeros) < len(counts)):
            return
        none = f"{self._none_text(marks)} if all are {plural(self.kinds[-1].label)}"
        if len(zeros) < len(counts):
            none = f"no {self.kinds[zeros[0][0]].label} if there is none at all"
        raise AmbiguousClueError(
            f"{text!r}: is 0 all there are, or were none read so far? Write {none}; leave out what "
            "was not read"
        )

    def _not_a_count(self, word: str, text: str, marks: int) -> str:
        """Return the message for a text that is not a count, or that counts an unknown kind."""
        kinds = [k for k, kind in enumerate(self.kinds) if kind.mark or k < len(self.kinds) - 1]
        if word.isdecimal() and len(word) < 4 and int(word) <= marks:
            said = [amount_text((int(word),) * 2, self.kinds[k].label) for k in kinds]
            ways = [f"{self._short(k, int(word))} is {said[n]}" for n, k in enumerate(kinds)]
            more = f"2 1 is {self._in_words([2, 1])}" if int(word) else "none means no mark at all"
            return f"{word} of what? {', '.join(ways)}; {more}"
        words = [token.text for token in self._text.tokens(word, marks) if token.code == "x"]
        unknown = next((word for word in words if word.isalpha()), "")
        what = f": what is {unknown!r}? A" if unknown else "; a"
        if self._counts_one_kind:
            return f"{text!r} is not a clue{what} clue is one number, as {self._short(0, 2)}"
        example = " ".join(self._short(kind, 2 - kind) for kind in (0, 1))
        return f"{text!r} is not a clue{what} count is written {example}, and 2 1 means the same"

    def _in_words(self, counts: Sequence[int]) -> str:
        return ", ".join(
            amount_text((n, n), kind.label) for n, kind in zip(counts, self.kinds, strict=False)
        )

    def _of_ranges(self, ranges: list[Range], marks: int, text: str) -> CountClue:
        """Return the clue of a range for each kind.

        Raises ImpossibleClueError if no counts in these ranges add up to `marks`.
        """
        clue = self.of_ranges(ranges, marks)
        if clue is None:
            raise ImpossibleClueError(f"{text!r} cannot happen with {counted(marks, 'peg')}")
        return clue

    # Writing.

    def named_marks(self) -> list[tuple[str, str]]:
        return [(kind.mark, kind.label) for kind in self.kinds if kind.mark]

    def legend(self) -> str:
        if not self.is_heard:
            return super().legend()
        heard = [(NONE_WORDS[0], nethack.SILENCE_WORDS[0]), (UNREAD_WORDS[0], "not heard")]
        return marks_line([*self.named_marks(), (self.unread_mark, UNREAD_WORDS[1]), *heard])

    def readings(self, marks: int) -> list[tuple[str, str]]:
        if marks < 2:
            return []
        left_out, unread = "is a miss", "any mark, or a miss"
        number = "how many" if self._counts_one_kind else "how many; a kind without one is open"
        if self.miss_has_mark:
            left_out, unread, number = "was not read", "any mark", "how many were read so far"
        first = self.format_cell((0,))
        return [
            (f"what is left out {left_out}", first),
            (f"{self.unread_mark} is {unread}", f"{first}{self.unread_mark}"),
            (f"a number says {number}", self._short(0, 1).lower()),
        ]

    def format(self, clue: CountClue) -> str:
        """Return the text of a clue; `parse` returns an equal clue for this text."""
        if clue == self.unread_clue(clue.marks):
            return UNREAD_WORDS[0]
        if clue.cells is None:
            return self._format_ranges(clue)
        if self.written_as_counts and clue.is_exact:
            return "".join(self._short(k, low) for k, (low, _) in enumerate(clue.ranges[:-1]))
        return self._format_cells(clue.cells)

    def _format_cells(self, cells: tuple[Cell, ...]) -> str:
        left_out = None if self.miss_has_mark else self._miss
        kept = [cell for cell in cells if cell != left_out]
        if kept == [UNREAD]:
            # Alone it would say that nothing was read.
            kept.append(self._miss)
        return "".join(map(self.format_cell, kept)) or NONE_WORDS[0]

    def _format_ranges(self, clue: CountClue) -> str:
        kinds = clue.kinds_to_write()
        if self.written_as_counts and all(
            clue.ranges[kind][0] == clue.ranges[kind][1] and self.kinds[kind].mark for kind in kinds
        ):
            return "".join(self._short(kind, clue.ranges[kind][0]) for kind in kinds)
        exact = "=" if self.miss_has_mark else ""
        items = []
        for kind in kinds:
            low, high = clue.ranges[kind]
            number = f"{exact}{low}" if low == high else f"{low}-{high}"
            letter = self._letter(kind)
            items.append(f"{number}{letter if self._letter_is_ambiguous(kind) else letter.lower()}")
        return " ".join(items)

    def _letter(self, kind: int) -> str:
        """Return what follows the number of a kind: its mark, or its label."""
        mark = self.kinds[kind].mark
        return mark if mark and self._marks_are_letters else self.kinds[kind].label

    def _letter_is_ambiguous(self, kind: int) -> bool:
        """Return whether the letter of a kind begins another kind's name."""
        others = [other.label for other in self.kinds[:-1] if other is not self.kinds[kind]]
        return any(label.startswith(self._letter(kind).casefold()) for label in others)

    def _short(self, kind: int, number: int) -> str:
        """Return a count as players write it: `2b`, `1A`, `2 bulls`."""
        letter = self._letter(kind)
        if len(letter) > 1:
            return amount_text((number, number), letter)
        return f"{number}{letter if self.written_as_counts else letter.lower()}"

    def describe(self, clue: CountClue) -> str:
        """Return a clue in words: `1 black, 1 white, 1 red, 2 unread`, `1 gear, tumblers open`."""
        if clue == self.unread_clue(clue.marks):
            return "nothing read"
        if clue.cells is None:
            return self._describe_ranges(clue)
        if not self.miss_has_mark and clue.is_exact:
            return self._in_words([low for low, _ in clue.ranges[:-1]])
        parts = []
        for cell in dict.fromkeys(clue.cells):
            count = clue.cells.count(cell)
            if cell != UNREAD:
                label = " or ".join(self.kinds[kind].label for kind in cell)
                words = amount_text((count, count), label) if len(cell) == 1 else f"{count} {label}"
                parts += [words] * (cell != self._left_out)
            elif self.miss_has_mark:
                parts.append(f"{count} unread")
            else:
                parts.append(f"up to {count} {'more ' if parts else ''}unread")
        return ", ".join(parts)

    def _describe_ranges(self, clue: CountClue) -> str:
        """Return counts in words, and which kinds stay open: `1 gear, tumblers open`."""
        written = clue.kinds_to_write()
        exactly = "exactly " if self.miss_has_mark else ""
        parts = []
        for kind in written:
            low, high = clue.ranges[kind]
            amount = amount_text((low, high), self.kinds[kind].label)
            parts.append(f"{exactly if low == high else ''}{amount}")
        ranges = clue.ranges if self.miss_has_mark else clue.ranges[:-1]
        open_kinds = [k for k, (low, high) in enumerate(ranges) if k not in written and low < high]
        labels = " and ".join(plural(self.kinds[kind].label) for kind in open_kinds)
        return ", ".join([*parts, f"{labels} open"] if labels else parts)
