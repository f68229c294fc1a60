"""Clues about counts: how many marks there are of each kind, and how that is written.

A clue is held as a range for each kind, never as a list of feedbacks. `CountNotation.parse` reads
back what `CountNotation.format` writes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from puzzlehunt.errors import ImpossibleClueError, InvalidClueError, did_you_mean
from puzzlehunt.rules.notation.clue import (
    NONE_WORDS,
    UNREAD,
    UNREAD_WORDS,
    Cell,
    Feedback,
    legend,
)
from puzzlehunt.rules.notation.numbers import NUMBER, value_of
from puzzlehunt.rules.notation.sentences import Sentence, sentence_about

Range: TypeAlias = tuple[int, int]
"""The least and the greatest value of a count."""

_UNREAD_KIND = -1
"""Stands for the number of a kind where unread marks are counted: `1 black, 3 unread`."""


@dataclass(frozen=True, slots=True)
class CountClue:
    """A range for the count of each kind of mark, the miss last.

    `marks` is how many marks the feedback has, misses included. `cells` are the marks as they were
    read, each the kinds that it may be (`UNREAD`: any); None if the player wrote counts instead.
    """

    ranges: tuple[Range, ...]
    marks: int
    cells: tuple[Cell, ...] | None = None

    def __contains__(self, feedback: Feedback) -> bool:
        counts = (*feedback, self.marks - sum(feedback))
        for count, (low, high) in zip(counts, self.ranges, strict=True):
            if not low <= count <= high:
                return False
        return not self._may_have_sets or self._agrees_with_sets(feedback)

    def __iter__(self) -> Iterator[Feedback]:
        """Iterate over the feedbacks in ascending order."""
        in_ranges = _feedbacks_in(self.ranges[:-1], self.ranges[-1], self.marks)
        yield from filter(self._agrees_with_sets, in_ranges) if self._may_have_sets else in_ranges

    @property
    def _may_have_sets(self) -> bool:
        """Whether `set_ranges` may say more than the ranges of single kinds."""
        return len(self.ranges) > 3 and self.cells is not None

    def _agrees_with_sets(self, feedback: Feedback) -> bool:
        return all(
            low <= sum(feedback[k] for k in ks) <= high for ks, low, high in self.set_ranges()
        )

    def set_ranges(self) -> list[tuple[tuple[int, ...], int, int]]:
        """Return sets of kinds, each with the least and the greatest number of marks of its kinds.

        They are needed where a mark may be one of several kinds: with more than three kinds the
        ranges of single kinds then do not say all that the clue says (Hall, "On Representatives of
        Subsets", 1935). An empty list where the ranges say all.
        """
        kinds = len(self.ranges)
        if (
            self.cells is None
            or not self._may_have_sets
            or all(len(cell) < 2 for cell in self.cells)
        ):
            return []
        return [
            (
                subset,
                sum(cell != UNREAD and set(cell) <= set(subset) for cell in self.cells),
                sum(cell == UNREAD or not set(cell).isdisjoint(subset) for cell in self.cells),
            )
            for size in range(2, kinds - 1)
            for subset in combinations(range(kinds - 1), size)
        ]


def _feedbacks_in(ranges: tuple[Range, ...], misses: Range, marks: int) -> Iterator[Feedback]:
    """Iterate over the counts in `ranges` that leave of `marks` marks a number in `misses`."""
    if not ranges:
        if misses[0] <= marks <= misses[1]:
            yield ()
        return
    low, high = ranges[0]
    for count in range(low, min(high, marks) + 1):
        for others in _feedbacks_in(ranges[1:], misses, marks - count):
            yield (count, *others)


def tighten(ranges: tuple[Range, ...], marks: int) -> tuple[Range, ...]:
    """Return the narrowest ranges that admit the same counts, of those whose sum is `marks`.

    If there are no such counts, some range comes back empty: its low is above its high.
    """
    lows, highs = map(sum, zip(*ranges, strict=True))
    return tuple(
        [
            (max(low, marks - (highs - high)), min(high, marks - (lows - low)))
            for low, high in ranges
        ]
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of mark: the rule's name for it, the game's name (label), its mark or None."""

    name: str
    label: str
    mark: str | None


_COLOURS = frozenset(
    ["common", "black", "white", "red", "green", "blue", "yellow", "orange", "grey", "gray", "miss"]
)
"""Labels of kinds that are written as marks (BBW) and, except miss, have no plural.

Other labels are nouns and written as counts, such as bull: 2 bulls.
"""

# A count with its kind: `2 black`, `2-3 gears`, `>=1b`, `3+ white`, `at least one bull`.
_ITEM = re.compile(
    rf"(?P<relation>>=|<=|≥|≤|>|<|=|at least|at most|exactly)?\s*"
    rf"(?P<low>{NUMBER})(?:\s*(?:-|\u2013|to|\.\.)\s*(?P<high>{NUMBER}))?(?P<more>\+)?"
    rf"\s*(?P<kind>[^\W\d_]+)",
    re.IGNORECASE,
)
# What may stand between two counts.
_BETWEEN = re.compile(r"(?:[\s,;&/+]|\band\b)*", re.IGNORECASE)
# A count or range without its kind, for rules that count one kind: `2`, `2-3`, `at least 1`.
_BARE_RANGE = re.compile(
    r"(?:>=|<=|≥|≤|>|<|=|[a-z ])*\d[\d\s+.\u2013-]*(?:to\s*\d+)?", re.IGNORECASE
)
# Two or more numbers without kinds, in the order of the kinds: `2 1`.
_BARE_COUNTS = re.compile(r"(\d{1,4})(?:[\s,;:/+-]+(\d{1,4}))+")


class CountNotation:
    """How counts of kinds of marks are written in one game.

    The last kind is the miss. If it has no mark of its own, marks that a player leaves out are
    misses, else they were not read. Raises ValueError for a mark that cannot be one, and for a mark
    or a name that stands for two things.
    """

    def __init__(self, kinds: tuple[Kind, ...], unread_mark: str = "_") -> None:
        self.kinds = kinds
        self.unread_mark = unread_mark
        marks = [kind.mark for kind in kinds if kind.mark] + [unread_mark]
        for mark in marks:
            if len(mark) != 1 or mark.isspace() or mark.isdigit() or mark in "*[]?/#.,;|":
                raise ValueError(f"{mark!r} cannot be a mark: it must be one letter or sign")
            if [m.casefold() for m in marks].count(mark.casefold()) > 1:
                raise ValueError(f"the mark {mark!r} stands for two things")
        for kind in kinds:
            others = {
                word.casefold() for k in kinds if k != kind for word in (k.label, k.mark or "")
            }
            if kind.label.casefold() in others:
                raise ValueError(f"the name {kind.label!r} stands for two things")

    @property
    def miss_has_mark(self) -> bool:
        """Whether a miss is written with a mark of its own."""
        return self.kinds[-1].mark is not None

    @cached_property
    def written_as_counts(self) -> bool:
        """Whether feedback is written as counts of nouns (2 bulls), and not as marks (BBW)."""
        return self.kinds[0].label not in _COLOURS

    @cached_property
    def _marks(self) -> dict[str, Cell]:
        """What each mark says: the kind that it is, or `UNREAD`."""
        cells = {k.mark.casefold(): (i,) for i, k in enumerate(self.kinds) if k.mark}
        return cells | {
            self.unread_mark.casefold(): UNREAD,
            "?": UNREAD,
            ".": (len(self.kinds) - 1,),
        }

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

    def unread_clue(self, marks: int) -> CountClue:
        """Return the clue of a feedback of `marks` marks of which nothing was read."""
        if self.miss_has_mark:
            return self.of_cells([UNREAD] * marks, marks)
        return CountClue(((0, marks),) * len(self.kinds), marks)

    def full_clue(self, feedback: Feedback, marks: int) -> CountClue:
        """Return the clue of a feedback of `marks` marks that was read in full."""
        counts = (*feedback, marks - sum(feedback))
        if self.written_as_counts:
            return CountClue(tuple((n, n) for n in counts), marks)
        return self.of_cells([(i,) for i, n in enumerate(counts) for _ in range(n)], marks)

    def of_cells(self, cells: list[Cell], marks: int) -> CountClue:
        """Return the clue of `marks` cells, one for each mark."""
        unread_kinds = range(len(self.kinds) if self.miss_has_mark else len(self.kinds) - 1)
        ranges = tuple(
            [
                (cells.count((kind,)), sum([kind in (cell or unread_kinds) for cell in cells]))
                for kind in range(len(self.kinds))
            ]
        )
        ordered = sorted(cells, key=lambda cell: (cell == UNREAD, len(cell), cell))
        return CountClue(tighten(ranges, marks), marks, tuple(ordered))

    def parse(self, text: str, marks: int) -> CountClue:
        """Return the clue of a text about a feedback of `marks` marks.

        Raises InvalidClueError for a text that is no clue, ImpossibleClueError for counts that do
        not add up to `marks`.
        """
        text = text.strip()
        word = text.casefold()
        if word in UNREAD_WORDS:
            return self.unread_clue(marks)
        if word in NONE_WORDS or (word == self.kinds[-1].label != "miss"):
            return self._no_mark(text, marks)
        clue = self._of_sentence(text, marks) or self._of_labels(word, marks)
        clue = clue or self._of_counts(text, marks)
        return clue if clue is not None else self._of_written_marks(text, marks)

    def _no_mark(self, text: str, marks: int) -> CountClue:
        """Return the clue that all marks are misses.

        Raises InvalidClueError if a miss has a mark, which must then be written.
        """
        miss = self.kinds[-1]
        if miss.mark:
            raise InvalidClueError(
                f"{text!r} is not used here, a miss has its own mark: write "
                f"{miss.mark * marks}, or * if nothing was read"
            )
        return self.full_clue((0,) * (len(self.kinds) - 1), marks)

    def _of_labels(self, word: str, marks: int) -> CountClue | None:
        """Return the clue of marks named one by one, None for other texts: `pico pico fermi`."""
        labels = [kind.label for kind in self.kinds]
        named = re.split(r"[\s,;|]+", word)
        if not all(label in labels and len(label) > 1 for label in named):
            return None
        return self._of_marks([(labels.index(label),) for label in named], marks, word)

    @cached_property
    def sentence(self) -> Sentence | None:
        """The sentence in which the game itself states its counts, None for most games."""
        return sentence_about([kind.label for kind in self.kinds[:-1]])

    def _of_sentence(self, text: str, marks: int) -> CountClue | None:
        """Return the clue of the game's own sentence, None for any other text."""
        counts = self.sentence.counts(text) if self.sentence else None
        return (
            None
            if counts is None
            else self._of_ranges([*[(n, n) for n in counts], (0, marks)], marks, text)
        )

    def _of_counts(self, text: str, marks: int) -> CountClue | None:
        """Return the clue of counts (`1b 2w`), None if the text does not begin with a count."""
        if self._counts_one_kind and (clue := self._bare_range(text, marks)):
            return clue
        if bare := _BARE_COUNTS.fullmatch(text):
            numbers = [int(n) for n in re.findall(r"\d+", bare[0])]
            named = self.kinds if self.miss_has_mark else self.kinds[:-1]
            if not len(self.kinds) - 1 <= len(numbers) <= len(named):
                order = " ".join(kind.label for kind in named)
                raise InvalidClueError(f"{text!r} has {len(numbers)} numbers; they mean {order}")
            open_kinds = [(0, marks)] * (len(self.kinds) - len(numbers))
            return self._of_ranges([(n, n) for n in numbers] + open_kinds, marks, text)
        position = 0
        ranges: dict[int, Range] = {}
        while position < len(text):
            item = self._item(text, position)
            kind = None if item is None else self._kind(item["kind"].casefold())
            if item is None or kind is None:
                if text[:1].isdigit() or text[:1] in "<>=≥≤" or ranges:
                    raise InvalidClueError(self._not_a_count(text, item))
                return None
            if kind in ranges:
                label = "unread" if kind == _UNREAD_KIND else plural(self.kinds[kind].label)
                raise InvalidClueError(f"{text!r} counts {label} twice")
            ranges[kind] = self._range(item, marks)
            gap = _BETWEEN.match(text, item.end())
            position = gap.end() if gap else item.end()
        if not ranges:
            return None
        if _UNREAD_KIND in ranges:
            return self._partly_read(ranges, marks, text)
        all_ranges = [ranges.get(kind, (0, marks)) for kind in range(len(self.kinds))]
        return self._of_ranges(all_ranges, marks, text)

    @cached_property
    def _counts_one_kind(self) -> bool:
        """Whether one kind alone is counted beside misses, so that a number need not name it."""
        return len(self.kinds) == 2

    def _bare_range(self, text: str, marks: int) -> CountClue | None:
        """Return the clue of a number or range without a kind, None for other texts."""
        item = _ITEM.fullmatch(f"{text}{self.kinds[0].label}")
        if item is None or not _BARE_RANGE.fullmatch(text):
            return None
        return self._of_ranges([self._range(item, marks), (0, marks)], marks, text)

    def _kind(self, word: str) -> int | None:
        """Return the number of the kind that a word names, None if it names none."""
        return _UNREAD_KIND if word == UNREAD_WORDS[1] else self._names.get(word)

    def _partly_read(self, ranges: dict[int, Range], marks: int, text: str) -> CountClue:
        """Return the clue of exact counts with unread marks: `1 black, 1 white, 3 unread`."""
        if any(low != high for low, high in ranges.values()):
            raise InvalidClueError(f"{text!r}: beside unread marks, numbers must be exact")
        unread = ranges.pop(_UNREAD_KIND)[0]
        cells = [(kind,) for kind, (n, _) in sorted(ranges.items()) for _ in range(n)]
        return self._of_marks([*cells, *[UNREAD] * unread], marks, text)

    def _item(self, text: str, position: int) -> re.Match[str] | None:
        """Return the match of a count with its kind at a position, None for other text.

        `AB` is not read as "a B" (one B) if both A and B are marks.
        """
        item = _ITEM.match(text, position)
        if item and all(c in self._marks for c in (item["low"] + item["kind"]).casefold()):
            return None
        return item

    def _range(self, item: re.Match[str], marks: int) -> Range:
        """Return the range that a match of `_ITEM` states; what is open above ends at `marks`."""
        low = value_of(item["low"])
        high = value_of(item["high"]) if item["high"] else low
        match (item["relation"] or "").casefold():
            case ">=" | "≥" | "at least":
                return (low, max(low, marks))
            case "<=" | "≤" | "at most":
                return (0, high)
            case ">":
                return (low + 1, max(low + 1, marks))
            case "<":
                return (0, low - 1)
        return (low, max(low, marks)) if item["more"] else (low, high)

    def _not_a_count(self, text: str, item: re.Match[str] | None) -> str:
        """Return the message for a text that is no count, or that counts an unknown kind."""
        nouns = [kind.label for kind in self.kinds]
        if item is not None:
            return f"{item['kind']!r} is nothing counted here{did_you_mean(item['kind'], nouns)}"
        example = self._write([(1, 1), (2, 2)] + [(0, 9)] * (len(nouns) - 2), [0, 1])
        return (
            f"{text!r} is no clue; counts are written {example}, or 2 1 for {' '.join(nouns[:2])}"
        )

    def _of_ranges(self, ranges: list[Range], marks: int, text: str) -> CountClue:
        """Return the clue of a range for each kind.

        Raises ImpossibleClueError if no counts in these ranges add up to `marks`.
        """
        tightened = tighten(tuple(ranges), marks)
        if any(low > high for low, high in tightened) or any(low > high for low, high in ranges):
            raise ImpossibleClueError(f"{text!r} cannot happen with {marks} {_pegs(marks)}")
        return CountClue(tightened, marks)

    def _of_written_marks(self, text: str, marks: int) -> CountClue:
        """Return the clue of marks and sets of marks: `B[BW]_`."""
        cells: list[Cell] = []
        position = 0
        squeezed = re.sub(r"[\s,;|]+", "", text)
        while position < len(squeezed):
            if squeezed[position] == "[":
                end = squeezed.find("]", position)
                if end < 0:
                    raise InvalidClueError(f"{text!r}: the [ is never closed")
                cells.append(self._cell_of_set(squeezed[position + 1 : end], text))
                position = end + 1
            else:
                cells.append(self._cell(squeezed[position], text))
                position += 1
        if not cells:
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        return self._of_marks(cells, marks, text)

    def _of_marks(self, cells: list[Cell], marks: int, text: str) -> CountClue:
        """Return the clue of the cells that a player wrote, who may have left out some marks."""
        if len(cells) > marks:
            raise ImpossibleClueError(f"{text!r} has {len(cells)} marks for {marks} {_pegs(marks)}")
        filler = UNREAD if self.miss_has_mark else (len(self.kinds) - 1,)
        return self.of_cells(cells + [filler] * (marks - len(cells)), marks)

    def _cell_of_set(self, inside: str, text: str) -> Cell:
        """Return the cell of the marks inside [ and ]."""
        kinds = {self._cell(mark, text) for mark in inside}
        if not kinds or UNREAD in kinds:
            raise InvalidClueError(f"{text!r}: [] holds the marks that one mark may be, as in [BW]")
        return tuple(sorted(kind for (kind,) in kinds))

    def _cell(self, mark: str, text: str) -> Cell:
        cell = self._marks.get(mark.casefold())
        if cell is None:
            raise InvalidClueError(
                f"{text!r} is no clue here: {mark!r} is no mark; {self.legend()}"
            )
        return cell

    def named_marks(self) -> list[tuple[str, str]]:
        """Return the marks of all kinds that have one, each with what it is called."""
        return [(kind.mark, kind.label) for kind in self.kinds if kind.mark]

    def legend(self) -> str:
        """Return one line that lists the marks of this game."""
        return legend(self.named_marks(), self.unread_mark)

    def format(self, clue: CountClue) -> str:
        """Return the text of a clue; `parse` reads it back as an equal one."""
        if clue == self.unread_clue(clue.marks):
            return "*"
        if clue.cells is not None:
            return self._format_cells(clue.cells)
        return self._write(clue.ranges, self._kinds_to_write(clue))

    def _format_cells(self, cells: tuple[Cell, ...]) -> str:
        miss = (len(self.kinds) - 1,)
        marks = [c for c in cells if self.miss_has_mark or c != miss]
        if not marks:
            return "." if self.written_as_counts else NONE_WORDS[0]
        return "".join(self._format_cell(cell) for cell in marks)

    def _format_cell(self, cell: Cell) -> str:
        marks = [self.kinds[kind].mark or "." for kind in cell]
        if not marks:
            return self.unread_mark
        return marks[0] if len(marks) == 1 else f"[{''.join(marks)}]"

    def _kinds_to_write(self, clue: CountClue) -> list[int]:
        """Return the kinds whose ranges have to be written: the others follow from these.

        If all counts are exact, every kind but the miss is written nevertheless.
        """
        kept = list(range(len(self.kinds)))
        for kind in reversed(range(len(self.kinds))):
            others = [k for k in kept if k != kind]
            others_alone = tuple(
                clue.ranges[k] if k in others else (0, clue.marks) for k in range(len(self.kinds))
            )
            if others and tighten(others_alone, clue.marks) == clue.ranges:
                kept = others
        named = range(len(self.kinds) - 1)
        return sorted({*kept, *named}) if self._all_exact(clue) else kept

    @staticmethod
    def _all_exact(clue: CountClue) -> bool:
        return all(low == high for low, high in clue.ranges)

    def _write(self, ranges: tuple[Range, ...] | list[Range], kinds: list[int]) -> str:
        """Return the text of the ranges of some kinds: `1A2B`, `1b 2-3w`."""
        compact = self.written_as_counts and all(ranges[k][0] == ranges[k][1] for k in kinds)
        items = []
        for k in kinds:
            low, high = ranges[k]
            mark = self.kinds[k].mark
            name = mark if mark and mark.isalpha() else self.kinds[k].label
            name = name if compact else name.lower()
            items.append(f"{low}{name}" if low == high else f"{low}-{high}{name}")
        return ("" if compact else " ").join(items)

    def describe(self, clue: CountClue) -> str:
        """Return a clue in words: `1 black, 1 white, 1 red, 2 unread`."""
        if clue == self.unread_clue(clue.marks):
            return "nothing read"
        if clue.cells is None or (not self.miss_has_mark and self._all_exact(clue)):
            kinds = [k for k in range(len(self.kinds)) if k in self._kinds_to_write(clue)]
            return ", ".join(_amount(clue.ranges[k], self.kinds[k].label) for k in kinds)
        parts = []
        for cell in dict.fromkeys(clue.cells):
            if not self.miss_has_mark and cell == (len(self.kinds) - 1,):
                continue
            label = " or ".join(self.kinds[kind].label for kind in cell) or "unread"
            parts.append(f"{clue.cells.count(cell)} {label}")
        return ", ".join(parts)


def plural(label: str) -> str:
    """Return the plural of a label: gears, misses, but black."""
    if label.endswith(("s", "ch", "sh", "x")):
        return f"{label}es"
    if label == "half":
        return "halves"
    return label if label in _COLOURS else label + "s"


def _amount(amount: Range, label: str) -> str:
    low, high = amount
    noun = label if low == high == 1 else plural(label)
    return f"{low} {noun}" if low == high else f"{low} to {high} {noun}"


def _pegs(count: int) -> str:
    return "peg" if count == 1 else "pegs"
