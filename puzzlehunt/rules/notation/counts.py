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

from puzzlehunt.codes.graphemes import one_spelling
from puzzlehunt.errors import AmbiguousClueError, ImpossibleClueError, InvalidClueError
from puzzlehunt.rules.notation.cells import check_blank_cells, numbers_in
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
from puzzlehunt.rules.notation.kinds import COLOURS, Kind, amount_text, pegs_text, plural
from puzzlehunt.rules.notation.numbers import (
    BARE_RANGE,
    ITEM,
    NUMBER,
    is_number_word,
    is_plain,
    numbers_first,
    range_of,
)
from puzzlehunt.rules.notation.phrases import (
    DEAF_WORDS,
    SILENCE_WORDS,
    Phrases,
    sentence_about,
)

_FULL_STOP = re.compile(r"[^.]*[^.\s,;|]\.")
"""Marks with a full stop at their end; where it is not the only one it is a miss."""
_AROUND = " \t\r\n,;|"
"""What may be before and after a clue: blanks, and the signs of blank cells."""
_UNREAD_KIND = -1
"""The number that unread marks have as a kind, for clues such as `1 black, 3 unread`."""


_COUNT_WORDS = frozenset(["at", "least", "most", "up", "to", "exactly", "more", "and"])
"""Words beside the numbers of counts, which no kind can be called."""


class CountNotation(Notation):
    """The notation of clues about counts in one game.

    The last of `kinds` is the miss; `rest` has the parts of a losing feedback after its counts.
    Raises ValueError for a mark that is not allowed, and for a mark or a name that has two
    meanings.
    """

    unread: ClassVar[Cell] = UNREAD
    noun: ClassVar[str] = "mark"

    def __init__(self, kinds: tuple[Kind, ...], unread_mark: str = "_", rest: Parts = ()) -> None:
        super().__init__([kind.mark for kind in kinds], unread_mark, {".": (len(kinds) - 1,)})
        self.kinds, self.rest = kinds, rest
        self.miss_has_mark = kinds[-1].mark is not None
        """Whether a miss is written with a mark of its own."""
        self._miss: Cell = (len(kinds) - 1,)
        self._left_out = UNREAD if self.miss_has_mark else self._miss
        """The cell of a mark that is left out."""
        self._counts_one_kind = len(kinds) == 2
        self._marks_are_letters = all(kind.mark.isalpha() for kind in kinds if kind.mark)
        self.written_as_counts = (
            kinds[0].label not in COLOURS and self._marks_are_letters and not self.miss_has_mark
        )
        """Whether full clues are written as counts (`2 bulls`), not as marks (`BBW`)."""
        labels = [kind.label for kind in kinds]
        self.sentence = sentence_about(labels[:-1])
        """The parser of NetHack's sentences, such as `You hear 1 gear turn`; None in most games."""
        if self.sentence:
            self.unread_words += DEAF_WORDS
            self.none_words += SILENCE_WORDS
        named = [(kind.mark, kind.label) for kind in kinds]
        check_marks([*named, (unread_mark, "unread")], "*[]?/#.,;|<>=≤≥")
        for label in labels:
            if re.fullmatch(NUMBER, label) or label in _COUNT_WORDS:
                raise ValueError(f"the name {label!r} has a meaning in counts; write another name")
            others = [other for other in labels if other != label]
            if meant := [other for other in others if label in (plural(other), f"{other}s")]:
                raise ValueError(f"the name {label!r} is also the plural of {meant[0]}")

    @cached_property
    def _names(self) -> dict[str, int]:
        """The number of each kind by all its names; an initial of two kinds means the first."""
        names: dict[str, int] = {}
        for i, kind in enumerate(self.kinds):
            if kind.mark:
                names[kind.mark.casefold()] = i
        for words in ([kind.label for kind in self.kinds], [kind.name for kind in self.kinds]):
            for i, word in enumerate(words):
                for form in (word, plural(word), word + "s"):
                    names.setdefault(form.casefold(), i)
        for i, kind in enumerate(self.kinds):
            for initial in (kind.label[0], kind.name[0]):
                names.setdefault(initial.casefold(), i)
        return names

    @cached_property
    def _signs(self) -> frozenset[str]:
        """The characters of clues without words: digits, marks, and what may be between them.

        A mark that begins another kind's name is left out: it may be meant as a word.
        """
        letters = [k for k, kind in enumerate(self.kinds) if kind.mark]
        unclear = {self._letter(k).casefold() for k in letters if self._letter_is_ambiguous(k)}
        return frozenset("0123456789 \t,;|.<>=+[]") | (self._cell_of.keys() - unclear)

    @cached_property
    def _phrases(self) -> Phrases:
        """What people say of these kinds of marks in words."""
        return Phrases(self.kinds, self._names)

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

    def parse(self, text: str, marks: int) -> CountClue:
        """Return the clue of a text about a feedback of `marks` marks.

        Raises InvalidClueError for a text that is not a clue, ImpossibleClueError for counts that
        do not add up to `marks`.
        """
        text = one_spelling(text)
        if (clue := self._of_numbers(text, marks)) is not None:
            return clue
        if not self.miss_has_mark:
            check_blank_cells(text, self._cell_of)
        text = text.strip(_AROUND)
        has_words = not self._signs.issuperset(text.casefold())
        plain = self._phrases.plain(text, marks) if has_words else text
        if has_words and self.sentence and self.sentence.counts(plain) is None:
            plain = self.sentence.as_counts(plain)
        try:
            return self._parse(plain, marks)
        except InvalidClueError as error:
            raise type(error)(str(error).replace(repr(plain), repr(text))) from None

    def _parse(self, text: str, marks: int) -> CountClue:
        """Return the clue of a text in the words of the game, as `parse` does."""
        word = text.casefold()
        if word in self.unread_words:
            return self.unread_clue(marks)
        if word in self.none_words or (word == self.kinds[-1].label != "miss"):
            return self._clue_without_marks(text, marks)
        if word in NOTHING_WORDS:
            raise InvalidClueError(
                f"{text!r}: was there no mark ({self._none_text(marks)}), or nothing read (*)?"
            )
        if self.sentence and self.sentence.says_silence(text):
            return self._clue_without_marks(text, marks)
        if self.sentence and self.sentence.says_unheard(text):
            return self.unread_clue(marks)
        if self.sentence and (counts := self.sentence.counts(text)) is not None:
            return self._of_ranges([*[(n, n) for n in counts], (0, marks)], marks, text)
        clue = self._of_labels(word, marks)
        clue = clue or self._of_numbers(text, marks) or self._of_counts(text, marks)
        return clue if clue is not None else self._of_written_marks(text, marks)

    def _clue_without_marks(self, text: str, marks: int) -> CountClue:
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

    def _of_labels(self, word: str, marks: int) -> CountClue | None:
        """Return the clue of marks named one by one, None for other texts: `pico pico fermi`."""
        labels = [kind.label for kind in self.kinds]
        named = self._between_marks.split(word)
        if not all(label in labels and len(label) > 1 for label in named):
            return None
        return self._of_marks([(labels.index(label),) for label in named], marks, word)

    def _of_counts(self, text: str, marks: int) -> CountClue | None:
        """Return the clue of counts (`1b 2w`), None if the text does not begin with a count."""
        if item := self._bare_item(text):
            return self._of_items({0: item}, marks, text)
        position, text = 0, numbers_first(text, self._kind, self.miss_has_mark)
        items: dict[int, re.Match[str]] = {}
        while position < len(text):
            item = ITEM.match(text, position)
            if item and all(c in self._cell_of for c in (item["low"] + item["kind"]).casefold()):
                item = None  # `AB` is not "a B" (one B) if both A and B are marks
            kind = None if item is None else self._kind(item["kind"].casefold())
            if item is None or kind is None:
                begins_with_number = item is not None and is_number_word(item["low"])
                if begins_with_number or text[:1].isdigit() or text[:1] in "<>=≥≤" or items:
                    raise InvalidClueError(self._not_a_count(text, item, marks))
                return None
            if kind in items:
                label = "unread" if kind == _UNREAD_KIND else plural(self.kinds[kind].label)
                raise InvalidClueError(f"{text!r} says twice how many {label} there are")
            items[kind] = item
            position = item.end()
        if not items:
            return None
        return self._of_items(items, marks, text)

    def _bare_item(self, text: str) -> re.Match[str] | None:
        """Return the match of a number or range without a kind, where one kind alone is counted."""
        if not self._counts_one_kind or BARE_RANGE.fullmatch(text) is None:
            return None
        return ITEM.fullmatch(text + self.kinds[0].label)

    def _kind(self, word: str) -> int | None:
        """Return the number of the kind that a word names, None if it names none."""
        return _UNREAD_KIND if word == UNREAD_WORDS[1] else self._names.get(word)

    def _of_numbers(self, text: str, marks: int) -> CountClue | None:
        """Return the clue of numbers without kinds, in the order of the kinds: `2 1`, `2,,1`.

        Return None for any other text. A blank cell means that the number of its kind is not known.
        """
        named = self.kinds if self.miss_has_mark else self.kinds[:-1]
        is_item = self._bare_item(text.strip(_AROUND))
        numbers = None if is_item else numbers_in(text, len(named), self.unread_words)
        if numbers is None:
            return None
        if not len(self.kinds) - 1 <= len(numbers) <= len(named):
            order = ", ".join(kind.label for kind in named)
            expected = f"they mean {order}" if len(named) > 1 else f"one is expected, for {order}"
            raise InvalidClueError(f"{text!r} has {len(numbers)} numbers; {expected}")
        if None in numbers and not self.miss_has_mark:
            ranges = [(0, marks) if n is None else (n, n) for n in numbers]
            return self._of_ranges([*ranges, (0, marks)], marks, text)
        cells: list[Cell] = [(kind,) for kind, n in enumerate(numbers) for _ in range(n or 0)]
        return self._of_marks(cells, marks, text)

    def _of_items(self, items: dict[int, re.Match[str]], marks: int, text: str) -> CountClue:
        """Return the clue of counts by kind: how many there are, or how many were read so far.

        With unread marks they are how many there are: `1 black, 1 white, 3 unread`.
        """
        unread = items.pop(_UNREAD_KIND, None)
        if unread and not all(map(is_plain, items.values())):
            raise InvalidClueError(f"{text!r}: with unread marks, numbers must be exact")
        if self.miss_has_mark and len(items) > 1:
            # A count that says nothing would turn the marks read so far into bounds on all marks.
            whole = (0, marks)
            items = {k: item for k, item in items.items() if range_of(item, marks) != whole}
        so_far = {kind for kind, item in items.items() if self.miss_has_mark and is_plain(item)}
        ranges = {kind: range_of(item, marks) for kind, item in items.items()}
        if unread or len(so_far) == len(items):
            cells: list[Cell] = [(kind,) for kind, (n, _) in ranges.items() for _ in range(n)]
            cells += [UNREAD] * (range_of(unread, marks)[1] if unread else 0)
            return self._of_marks(cells, marks, text)
        for kind in so_far:
            low, _ = ranges[kind]
            ranges[kind] = (low, max(low, marks))
        all_ranges = [ranges.get(kind, (0, marks)) for kind in range(len(self.kinds))]
        return self._of_ranges(all_ranges, marks, text)

    def _not_a_count(self, text: str, item: re.Match[str] | None, marks: int) -> str:
        """Return the message for a text that is not a count, or that counts an unknown kind."""
        nouns = [kind.label for kind in self.kinds]
        counted = [k for k, kind in enumerate(self.kinds) if kind.mark or k < len(nouns) - 1]
        if item is not None:
            return self._phrases.not_counted(item["kind"], [self.kinds[k] for k in counted])
        if self._counts_one_kind:
            return f"{text!r} is not a clue; a clue is one number, as {self._short(0, 2)}"
        both = [2, 1, *[0] * (len(self.kinds) - 3)]
        numbers = f"{' '.join(map(str, both))} is {self._in_words(both)}"
        if text.isdecimal() and len(text) < 4 and int(text) <= marks:
            each = [self._short(k, int(text)) for k in counted]
            said = [amount_text((int(text),) * 2, nouns[k]) for k in counted]
            ways = ", ".join(f"{short} is {words}" for short, words in zip(each, said, strict=True))
            if not int(text):
                numbers = f"{NONE_WORDS[0]} means no mark at all"
            return f"{text} of what? {ways}; {numbers}"
        both = [1, 2, *[0] * (len(self.kinds) - 3)]
        gap = "" if self.written_as_counts else " "
        example = gap.join(self._short(k, n) for k, n in enumerate(both) if n)
        return f"{text!r} is not a clue; counts are written {example}, and {numbers}"

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
            raise ImpossibleClueError(f"{text!r} cannot happen with {marks} {pegs_text(marks)}")
        return clue

    def _of_written_marks(self, text: str, marks: int) -> CountClue:
        """Return the clue of marks and sets of marks: `B[BW]_`, `B, W`, `b + w`."""
        squeezed = self._between_marks.sub("", text)
        if ends_sentence := self.miss_has_mark and _FULL_STOP.fullmatch(text):
            squeezed = squeezed[:-1]
        cells = self.read_cells(squeezed, text, "BW")
        if ends_sentence and len(cells) == marks - 1 and self._miss not in cells:
            miss = self.kinds[-1]
            raise AmbiguousClueError(
                f"{text!r} may end with a full stop or with {miss.label}: "
                f"write {squeezed} or {squeezed}{miss.mark}"
            )
        if not cells:
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        return self._of_marks(cells, marks, text)

    @cached_property
    def _between_marks(self) -> re.Pattern[str]:
        """Matches what may be between marks, none of it a mark itself."""
        signs = "".join(sign for sign in "+&" if sign not in self._cell_of)
        word = "" if self._cell_of.keys() & {*"and"} else r"|\band\b"
        return re.compile(rf"(?:[\s,;|{signs}]{word})+", re.IGNORECASE)

    def _of_marks(self, cells: list[Cell], marks: int, text: str) -> CountClue:
        """Return the clue of the cells that a player wrote, who may have left out some marks."""
        if len(cells) > marks:
            raise ImpossibleClueError(
                f"{text!r} cannot happen: it has {len(cells)} marks for {marks} {pegs_text(marks)}"
            )
        return self.of_cells(cells + [self._left_out] * (marks - len(cells)), marks)

    def named_marks(self) -> list[tuple[str, str]]:
        return [(kind.mark, kind.label) for kind in self.kinds if kind.mark]

    def legend(self) -> str:
        if self.sentence is None:
            return super().legend()
        heard = [(NONE_WORDS[0], SILENCE_WORDS[0]), (UNREAD_WORDS[0], "not heard")]
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
        """Return counts in words, and which kinds stay open: `1 gear, tumblers open (0t if none)`.

        The text in parentheses says what to write if there are none of them, if that is possible.
        """
        written = clue.kinds_to_write()
        exactly = "exactly " if self.miss_has_mark else ""
        parts = []
        for kind in written:
            low, high = clue.ranges[kind]
            amount = amount_text((low, high), self.kinds[kind].label)
            parts.append(f"{exactly if low == high else ''}{amount}")
        ranges = clue.ranges if self.miss_has_mark else clue.ranges[:-1]
        open_kinds = [k for k, (low, high) in enumerate(ranges) if k not in written and low < high]
        if open_kinds:
            labels = " and ".join(plural(self.kinds[kind].label) for kind in open_kinds)
            can_be_none = all(clue.ranges[kind][0] == 0 for kind in open_kinds)
            if self.miss_has_mark or not can_be_none or len(self.kinds) - 1 in written:
                return ", ".join([*parts, f"{labels} open"])
            letters = [(self._letter(k).casefold(), self.kinds[k].label) for k in open_kinds]
            none = " ".join(
                f"0{mark}" if mark == label[0] else f"0 {plural(label)}" for mark, label in letters
            )
            parts.append(f"{labels} open ({none} if none)")
        return ", ".join(parts)
