"""Clues about counts: how many marks there are of each kind, and how clues state it.

Marks are cells, in any order (`B[BW]_`). A number is the count of a kind or, if a miss has a mark
of its own, how many were read so far; a relation or range is about all marks (`=1b`, `2-3 gears`).
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypeAlias

from puzzlehunt.codes.alphabet import SIGNS, Code
from puzzlehunt.errors import AmbiguousClueError, ImpossibleClueError, InvalidClueError, counted
from puzzlehunt.rules.notation import nethack, synonyms
from puzzlehunt.rules.notation.clue import (
    UNREAD,
    UNREAD_SQUARE,
    WON_WORDS,
    Cell,
    MarkNotation,
    Parts,
    cells_of,
    check_marks,
)
from puzzlehunt.rules.notation.clue_values import CountClue, Range, of_cells, of_ranges
from puzzlehunt.rules.notation.synonyms import COLOUR_OF, plain, says_unread


class Kind(NamedTuple):
    """A kind of mark: the rule's name, the game's name (label), its mark, or None, and the plural.

    Labels with another plural are written as counts (2 bulls), others as marks (BBW).
    """

    name: str
    label: str
    mark: str | None
    plural: str


_OF_NAMES = {
    "match": "⚫", "white": "⚪", "common": "⚪", "half": "🟡", "later": "🔼", "earlier": "🔽",
    "miss": "⭕",
}  # fmt: skip
"""The circles for kinds that no game calls by a colour, by the rule's name; others are black."""
BLACK = SIGNS["black"][0]
"""The circle for black; one for each symbol of the secret is the winning feedback."""


def sign_of(kind: Kind) -> str:
    """Return the circle for marks of a kind."""
    return SIGNS.get(kind.label, _OF_NAMES.get(kind.name, BLACK))[0]


_AROUND = " \t\r\n,;|"
"""What may be before and after a clue: blanks, and the signs of blank cells."""
_BLANK_CELL = re.compile(r"(?:^|[,;|\t])[ \r\n]*[,;|\t]")
_BETWEEN_MARKS = re.compile(r"(?:[\s,;|]|\band\b)+", re.IGNORECASE)
_BETWEEN_NUMBERS = re.compile(r"\s*[:/+-]\s*|\s+")
_MAY_BE_BLANK = re.compile(r"\s-\s|\s{3}")
"""What may be a blank cell between two numbers, although no separator shows it."""

_AMOUNT = "(?:bnan|[GLABE]?n(?:[to]n)?|n[GL]|z)"
_KIND = "p?[kl]p?"
_COUNTS = [
    re.compile(
        rf"(?:n{_KIND}[GL]$|{_AMOUNT}(?:{_KIND}(?:o{_KIND})*|u)|u{_KIND}(?:a{_KIND})*|k(?:ak)*u)[ga]*"
    ),
    re.compile(rf"{_KIND}{_AMOUNT}[ga]*"),
]
"""A count with its kind behind the number, or before it, in the codes of `MEANINGS`."""
_COUNT_OF_ONE_KIND = re.compile(f"{_AMOUNT}p?")
_STATES_COUNTS = re.compile("n|z.|ku|uk")

Count: TypeAlias = tuple[Cell, Range, bool]
"""How many marks are each of one of some kinds; without kinds, they were not read.

The last part is whether the number was stated by itself, without a relation.
"""


class CountNotation(MarkNotation):
    """The notation of clues about counts in one game.

    The last of `kinds` is the miss; `mark_count` says how many marks there are for a guess. With
    `hides_win`, a win has to be said. Raises ValueError for a mark that is not allowed, and for a
    mark or a name that has two meanings.
    """

    def __init__(
        self,
        kinds: tuple[Kind, ...],
        unread_mark: str = "_",
        mark_count: Callable[[Code], int] = len,
        hides_win: bool = False,
    ) -> None:
        self._miss: Cell = (len(kinds) - 1,)
        self._marks: dict[str, int] = {}
        """The kinds by their marks, their circles, and other signs of the circles' colours."""
        for number, sign in reversed([*enumerate(map(sign_of, kinds))]):
            self._marks |= dict.fromkeys(SIGNS.get(COLOUR_OF.get(sign, ""), sign), number)
        self._marks |= {kind.mark.casefold(): n for n, kind in enumerate(kinds) if kind.mark}
        signs: dict[str, Cell] = {sign: (kind,) for sign, kind in self._marks.items()}
        signs |= {".": self._miss, **dict.fromkeys("*" + synonyms.UNREAD_SIGNS, UNREAD)}
        super().__init__([kind.mark for kind in kinds], unread_mark, signs)
        self.kinds, self.mark_count, self.hides_win = kinds, mark_count, hides_win
        self.labels = [kind.label for kind in kinds]
        self._plurals = {kind.label: kind.plural for kind in kinds}
        self.miss_has_mark = kinds[-1].mark is not None
        self._reported = self.labels if self.miss_has_mark else self.labels[:-1]
        self.left_out = UNREAD if self.miss_has_mark else self._miss
        is_counted = kinds[0].plural != kinds[0].label and not self.miss_has_mark
        self.written_as_counts = is_counted and all(k.mark.isalpha() for k in kinds if k.mark)
        """Whether full clues are written as counts (`2 bulls`), not as marks (`BBW`)."""
        self.shared_signs = {BLACK, UNREAD_SQUARE, *map(sign_of, kinds)}
        self._names: dict[str, int] = {}
        """The kinds by the forms of their labels, and of the rule's own names."""
        for number, word in [*enumerate(self.labels), *enumerate(kind.name for kind in kinds)]:
            for form in (word, self._plurals.get(word, word), f"{word}s", f"{word}es"):
                self._names.setdefault(form.casefold(), number)
        self._correct = [n for n, kind in enumerate(kinds) if kind.name in synonyms.OF_CORRECT]
        self._initials = {name[0]: kind for name, kind in reversed(self._names.items())}
        self._unclear = {x for x, n in self._marks.items() if self._initials.get(x, n) != n}
        """The letters that are the mark of one kind and begin the name of another."""
        self._of_tune = self.labels[:-1] if {"gear", "tumbler"} & {*self.labels} else []
        """The labels that are counted, if clues may be what NetHack prints."""
        if self.labels[-1] != "miss":
            self.none_words += (self.labels[-1],)
        if self._of_tune:
            self.unread_words += ("deaf",)
            self.none_words += ("silence", "silent", "nothing", nethack.PLAYED)
        named = [*((kind.mark, kind.label) for kind in kinds), (unread_mark, "unread")]
        check_marks(named, "*[]?/#.,;|<>=≤≥", synonyms.RESERVED)

    def full_clue(self, feedback: Parts, guess: Code) -> CountClue:
        marks = self.mark_count(guess)
        counts = (*feedback, marks - sum(feedback))
        if counts[-1] < 0:  # a win that looks like a lost guess
            return CountClue(tuple((n, n) for n in counts), marks)
        return self._of_cells([(i,) for i, n in enumerate(counts) for _ in range(n)])

    def _of_cells(self, cells: Sequence[Cell]) -> CountClue:
        return of_cells(cells, len(self.kinds), self.left_out)

    @cached_property
    def _words(self) -> tuple[list[tuple[str, int]], re.Pattern[str]]:
        """The codes and kinds of the words and signs of counts, and a pattern with their groups."""
        said = [(n, re.escape(name).replace(r"\ ", " ")) for name, n in self._names.items()]
        own = [(n, kind.name) for n, kind in enumerate(self.kinds)]
        own = own if self._correct else []  # else a miss may be in place
        said += [(n, synonyms.OF_KINDS[name]) for n, name in own if name in synonyms.OF_KINDS]
        said += [(n, "other") for n, name in own if name == "white" and not self.miss_has_mark]
        fillers = ("", nethack.FILLERS * bool(self._of_tune), "")
        correct = ("c", synonyms.CORRECT * bool(self._correct), "")
        others = (correct, *synonyms.MEANINGS, fillers, ("x", r"[^\W\d_]+", r"\S"))
        groups = [("k", n, word, "") for n, word in said]
        groups += [(code, 0, word, sign) for code, word, sign in others]
        return [group[:2] for group in groups], synonyms.any_of(group[2:] for group in groups)

    def read(self, text: str, guess: Code) -> CountClue:
        written, marks = plain(text), self.mark_count(guess)
        shown = written.strip(_AROUND)
        shown = nethack.heard(shown, self._of_tune) or shown
        word, filler = shown.casefold(), self.left_out
        if word in self.unread_words or says_unread(word):
            return self._of_cells([UNREAD] * marks)
        if word in self.none_words and not self.miss_has_mark:
            return self._of_cells([self._miss] * marks)
        counts = []
        only_marks = {*word} <= {*" \t,;|[]", *self._cell_of}
        if not only_marks:
            if rest := synonyms.REST.fullmatch(shown):
                shown = written = rest["before"]
                others = rest["rest"]
                filler = UNREAD if says_unread(others) else self._cells(others, text, 1)[0]
            counts = self._numbers(written) or self._counts(shown, text, marks)
        if counts and not self._are_cells(counts, text, filler, marks):
            ranges = [(0, marks)] * len(self.kinds)
            for (kind, *_), (low, high), is_plain in counts:
                so_far = is_plain and self.miss_has_mark
                ranges[kind] = (low, max(low, marks)) if so_far else (low, high)
            clue = of_ranges(ranges, marks, self.left_out)
        else:
            cells = [cell for cell, (number, _), _ in counts for _ in range(number)]
            if not counts:
                cells = self._cells(written, text, marks)
            if len(self.kinds) > 3 and any(len(cell) > 1 for cell in cells):
                # Ranges of four kinds would not say all that such a mark says.
                raise InvalidClueError(f"{text!r}: a mark here is one kind or {self.unread_mark}")
            cells += [filler] * (marks - len(cells))
            clue = self._of_cells(cells) if len(cells) == marks else None
        if clue is None:
            raise ImpossibleClueError(f"{text!r} cannot happen with {counted(marks, 'peg')}")
        return clue

    def kind_called(self, name: str) -> str:
        try:
            clue = self.read(f"1 {name}", (0,))
        except InvalidClueError:
            return ""
        lows = [low for low, _ in clue.ranges]
        return self.labels[lows.index(1)] if sum(lows) == 1 else ""

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won: NetHack's sentence, or black circles."""
        all_black = {*plain(text)} - {*" \t"} == {BLACK} and BLACK not in self._cell_of
        return super().says_won(text) or all_black or nethack.heard(text, self._of_tune) == "won"

    def sentence_start(self, line: str) -> int | None:
        return nethack.start(line, self._of_tune)

    def _cells(self, written: str, text: str, marks: int) -> list[Cell]:
        word = written.strip(_AROUND)
        if self.miss_has_mark and len(word) != marks and word.count(".") == 1:
            word = word.removesuffix(".")  # a full stop
        groups = [
            [(self.labels.index(part.casefold()),)]
            if len(part) > 1 and part.casefold() in self.labels
            else self.read_cells(part, text)
            for part in _BETWEEN_MARKS.split(word)
        ]
        if not any(groups):
            raise InvalidClueError("a clue is empty; write * if nothing was read")
        no_marks = (UNREAD, self.left_out)
        read = [kept for each in groups if (kept := [c for c in each if c not in no_marks])]
        # Groups of one kind each are one clue (`BB W`), others may be those of two rows (`BW B`).
        of_one_kind = {group[0] for group in read if len({*group}) == 1}
        are_groups = len(read) > 1 and any(len(group) > 1 for group in read)
        may_be_two = are_groups and len(of_one_kind) < len(read)
        has_gap = "." in word if self.miss_has_mark else _BLANK_CELL.search(written.rstrip(_AROUND))
        only_dots = not read and ("*" in word or not word.strip("."))
        if has_gap or may_be_two or (only_dots and word not in ("." * marks, "*" * marks)):
            signs = f"{self.signs[-1]} {self.labels[-1]}, {self.unread_mark} unread"
            raise AmbiguousClueError(
                f"{text.strip()!r} can be read in two ways: write a sign for each mark, without "
                f"blanks ({signs}); a second clue needs its own guess"
            )
        return [*chain.from_iterable(groups)]

    def _numbers(self, written: str) -> list[Count]:
        """Return the counts of numbers without kinds, in the order of the kinds: `2 1`, `2,,1`.

        Return [] for any other text. A blank cell is a count that was not read.
        """
        most = len(self._reported)
        cells = cells_of(written)
        if len(cells) == 1:
            cells = _BETWEEN_NUMBERS.split(cells[0])
            may_lack = len(cells) < most and _MAY_BE_BLANK.search(written.strip())
            if may_lack or not cells[0]:
                return []
        while len(cells) > most and not cells[-1]:
            del cells[-1]
        while len(cells) > most and not cells[0]:
            del cells[0]
        is_cut = len(cells) < most and not cells[-1]
        if is_cut or not max(2, len(self.kinds) - 1) <= len(cells) <= most:
            return []
        counts: list[Count] = []
        for kind, cell in enumerate(cells):
            if cell.isdecimal() and len(cell) < 5:
                counts.append(((kind,), (int(cell), int(cell)), True))
            elif cell not in ("", *"-\u2013\u2014", *self.unread_words):
                return []
        return counts

    def _counts(self, said: str, text: str, marks: int) -> list[Count]:
        """Return the counts that a text states of `marks` marks; [] for a text without numbers."""
        codes, values, letters, of_any = "", list[int](), dict[int, str](), False
        groups, pattern = self._words
        for match in pattern.finditer(said.rstrip(".!")):
            code, value = groups[(match.lastindex or 0) - 1]
            word = match[0].casefold()
            if code == "n":
                value = marks if word in ("all", "everything") else synonyms.value_of(word)
            if code == "x" and (word in self._marks or word in self._initials):
                code, letters[len(codes)] = "l", match[0]
            if code == "c":
                of_any = True
                codes += "kok"[: 2 * len(self._correct) - 1]
                values += [0, 0, 1][: 2 * len(self._correct) - 1]
            elif code:
                codes += code
                values.append(value)
        if _STATES_COUNTS.search(codes) is None:
            return []
        if len(self.kinds) == 2 and _COUNT_OF_ONE_KIND.fullmatch(codes):
            codes, values = codes + "k", [*values, 0]
        kinds = self._kinds_of({*letters.values()}, text)
        for place, letter in letters.items():
            values[place] = kinds[letter.casefold()]
        is_open = self.miss_has_mark and re.match("p?[kl]p?E", codes)  # read so far, or in all?
        for form in _COUNTS[: 0 if is_open else 2]:
            spans = [match.span() for match in form.finditer(codes)]
            is_one = len(spans) == 1 or not of_any  # 1 in place, 2 correct: three, or two in all?
            if is_one and sum(end - start for start, end in spans) == len(codes):
                counts = [c for a, b in spans for c in _stated(codes[a:b], values[a:b], marks)]
                others = {*self._correct} - {*chain.from_iterable(cell for cell, _, _ in counts)}
                if others and synonyms.SAYS_ALL.search(said):
                    counts = [(cell, found, False) for cell, found, _ in counts]
                    counts += [((kind,), (0, 0), False) for kind in others]
                return counts
        what = f"{said} of what?" if said.isdecimal() else f"{text!r} is not a clue."
        example = (2, 1)[: len(self.kinds) - 1]
        short = " ".join(self._short(kind, count, count) for kind, count in enumerate(example))
        bare = " ".join(map(str, example))
        raise InvalidClueError(f"{what} A count is written {short}, and {bare} means the same")

    def _kinds_of(self, letters: set[str], text: str) -> Mapping[str, int]:
        """Return the kinds of letters: by their marks, or else by the first letters of names."""
        folded = {letter.casefold() for letter in letters}
        ways = [kinds for kinds in (self._marks, self._initials) if folded <= kinds.keys()]
        are_marks = letters <= {kind.mark for kind in self.kinds}
        if len(ways) == 2 and folded & self._unclear and not are_marks:
            marks = ", ".join(f"{mark} for {label}" for mark, label in self.named_marks())
            raise AmbiguousClueError(f"{text!r}: a mark, or a name's first letter? Write {marks}")
        return ways[0] if ways else {**self._initials, **self._marks}

    def _are_cells(self, counts: list[Count], text: str, filler: Cell, marks: int) -> bool:
        """Return whether counts state marks: what was read, or `1 black, 3 unread`.

        Otherwise they state ranges. Raises AmbiguousClueError for a 0 that may be either.
        """
        cells = [cell for cell, _, _ in counts]
        if len({*cells}) < len(cells):
            raise InvalidClueError(f"{text!r} says twice how many there are of a kind")
        zeros = [cell for cell, found, is_plain in counts if cell and is_plain and found == (0, 0)]
        are_all_marks = sum(low for _, (low, _), _ in counts) == marks
        counts_misses = self._miss in cells and len(zeros) < len(counts)
        if self.miss_has_mark and zeros and not are_all_marks and not counts_misses:
            none = f"no {self.labels[zeros[0][0]]}"
            raise AmbiguousClueError(
                f"{text!r}: is 0 what was read so far (leave it out), or all there is ({none})?"
            )
        is_marks = filler != self.left_out or any(len(cell) != 1 for cell in cells)
        are_plain = all(is_plain for _, _, is_plain in counts)
        if is_marks and not are_plain:
            raise InvalidClueError(f"{text!r}: with unread marks, numbers must be exact")
        return are_plain and (is_marks or self.miss_has_mark)

    def named_marks(self) -> list[tuple[str, str]]:
        named = [(kind.mark, kind.label) for kind in self.kinds if kind.mark]
        return [*named, ("won", "if it is the secret")] if self.hides_win else named

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        if len(guess) < 2:
            return []
        left_out, unread = "is a miss", ", or a miss"
        number = "; a kind without one is open" if len(self.kinds) > 2 else ""
        if self.miss_has_mark:
            left_out, unread, number = "was not read", "", " were read so far"
        mark = self.format_cell((0,))
        return [
            (f"what is left out {left_out}", mark),
            (f"{self.unread_mark} is any mark{unread}", mark + self.unread_mark),
            (f"a number says how many{number}", self._short(0, 1, 1).lower()),
        ]

    def format(self, clue: CountClue) -> str:
        if clue.nothing_read:
            return "*"
        if clue.ranges[-1][0] < 0:
            return WON_WORDS[0]
        items = self._items(clue)
        if self.written_as_counts and clue.is_exact:
            return "".join(self._short(kind, low, high) for (kind,), low, high in items)
        if clue.cells is None:
            texts = []
            for (kind,), low, high in items:
                # If misses have a mark, a number alone is what was read so far.
                sign = "=" if low == high and self.miss_has_mark else ""
                texts.append(sign + self._short(kind, low, high))
            return " ".join(texts)
        marks = "".join(self.format_cell(cell) * count for cell, _, count in items)
        # An unread mark alone would say that nothing was read.
        return f"{marks}." if marks == self.unread_mark else marks or "none"

    def quoted(self, text: str, clue: CountClue) -> str:
        return super().quoted(text, clue) if clue.cells is None else self.describe(clue)

    def restates(self, old: CountClue, new: CountClue) -> bool:
        """Return whether a new clue corrects the marks of an old one: `BW` after `BB`.

        Marks of other kinds (`W` after `B`) and ranges are additions, no corrections.
        """
        if old & new in (None, old, new):  # they contradict each other, or one says more
            return False
        in_both = {*chain(*old.cells or ())} & {*chain(*new.cells or ())}
        return bool(in_both - {*self.left_out})

    def _items(self, clue: CountClue) -> list[tuple[Cell, int, int]]:
        """Return what a clue has to state: cells, each with the least and the greatest number."""
        if clue.cells is None or (clue.is_exact and not self.miss_has_mark):
            kinds = range(len(self.kinds) - 1) if clue.is_exact else clue.kinds_to_write()
            return [((kind,), *clue.ranges[kind]) for kind in kinds]
        items = [(cell, count, count) for cell, count in Counter(clue.cells).items()]
        return [item for item in items if self.miss_has_mark or item[0] != self._miss]

    def _short(self, kind: int, low: int, high: int) -> str:
        mark = self.kinds[kind].mark
        if not mark or not mark.isalpha():
            return self._amount((kind,), low, high)
        is_clear = not self.written_as_counts and mark.casefold() not in self._unclear
        number = f"{low}" if low == high else f"{low}-{high}"
        return number + (mark.lower() if is_clear else mark)

    def _amount(self, cell: Cell, low: int, high: int) -> str:
        """Return an amount in words: `2 to 3 gears`, `1 black or white`, `2 unread`."""
        labels = [self.labels[kind] for kind in cell]
        nouns = labels if low == high == 1 else map(self._plurals.__getitem__, labels)
        number = f"{low}" if low == high else f"{low} to {high}"
        return f"{number} {' or '.join(nouns) or 'unread'}"

    def describe(self, clue: CountClue) -> str:
        """Return a clue in words: `1 black, 1 white, 1 red, 2 unread`, `1 gear, tumblers open`."""
        if clue.nothing_read:
            return "nothing read"
        if clue.ranges[-1][0] < 0:
            return WON_WORDS[0]
        items, words = self._items(clue), []
        for cell, low, high in items:
            is_exact = low == high and self.miss_has_mark and clue.cells is None
            amount = self._amount(cell, low, high)
            words.append(f"exactly {amount}" if is_exact else amount)
        if clue.cells is None:
            written = {kind for (kind,), _, _ in items}
            plurals = enumerate(map(self._plurals.__getitem__, self._reported))
            if left := [plural for kind, plural in plurals if kind not in written]:
                words.append(f"{' and '.join(left)} open")
        elif UNREAD in clue.cells and not self.miss_has_mark:
            more = "more " if len(items) > 1 else ""
            words[-1] = f"up to {items[-1][2]} {more}unread"
        return ", ".join(words)


def _stated(codes: str, values: Sequence[int], marks: int) -> list[Count]:
    """Return the counts that the words of a number and its kinds state: one, or one a kind.

    `codes` are those of `MEANINGS`, `values` the number or the kind of each word.
    """
    kinds = [value for code, value in zip(codes, values, strict=True) if code in "kl"]
    numbers = [value for code, value in zip(codes, values, strict=True) if code == "n"]
    relation = next((code for code in codes if code in "GLABEz"), "")
    if not numbers:
        return [((kind,), (0, 0), False) for kind in kinds] if relation else []
    low, high = numbers[0], numbers[-1]
    if "o" in codes[:3] and high - low > 1:
        raise AmbiguousClueError(f"{low} or {high}: write {low}-{high} if it may be between")
    if relation in ("A", "G"):
        low = low + 1 if relation == "A" else low
        high = max(low, marks)
    if relation in ("B", "L"):
        high = high - 1 if relation == "B" else high
        low = 0
    is_plain = not relation and len(numbers) == 1
    return [(tuple(sorted({*kinds})) or UNREAD, (low, high), is_plain)]
