"""Counts of kinds of marks in words (`1 black, 2-3 whites`), and circles for shared results."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from puzzlehunt.errors import AmbiguousClueError
from puzzlehunt.rules.notation.clue import UNREAD, Cell
from puzzlehunt.rules.notation.count_clue import Range
from puzzlehunt.rules.notation.synonyms import (
    COLOUR_OF,
    MEANINGS,
    OF_KINDS,
    SIGNS,
    any_of,
    value_of,
)

_WITHOUT_PLURAL = frozenset((
    "common", "black", "white", "red", "green", "blue", "yellow", "orange", "grey", "gray",
    "later", "earlier",
))  # fmt: skip


def plural(label: str) -> str:
    """Return the plural of a label: gears, misses, but black."""
    if label.endswith(("s", "ch", "sh", "x")):
        return f"{label}es"
    if label == "half":
        return "halves"
    return label if label in _WITHOUT_PLURAL else label + "s"


class Kind(NamedTuple):
    """A kind of mark: the rule's name, the game's name (label), and its mark, or None.

    Labels with a plural are written as counts (2 bulls), others as marks (BBW).
    """

    name: str
    label: str
    mark: str | None


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


def kinds_of_signs(kinds: Sequence[Kind]) -> dict[str, int]:
    """Return the kinds (by number) that circles, and other signs of their colours, stand for."""
    of_signs: dict[str, int] = {}
    for number, kind in reversed([*enumerate(kinds)]):
        sign = sign_of(kind)
        of_signs |= dict.fromkeys(SIGNS.get(COLOUR_OF.get(sign, ""), sign), number)
    return of_signs


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
_STATES_COUNTS = re.compile("[nz]|ku|uk")


class Count(NamedTuple):
    """How many marks are each of one of some kinds; if there are no kinds, they were not read.

    `is_plain` is whether the number was stated by itself, without a relation.
    """

    cell: Cell
    range: Range
    is_plain: bool = False


class CountText:
    """Reads texts of counts in the words of one game; the last of its kinds is the miss."""

    def __init__(self, kinds: Sequence[Kind], fillers: str) -> None:
        names: dict[str, int] = {}
        for number, word in (*enumerate(k.label for k in kinds), *enumerate(k.name for k in kinds)):
            for form in (word, plural(word), word + "s"):
                names.setdefault(form.casefold(), number)
        self._kinds = kinds
        marks = {kind.mark.casefold(): n for n, kind in enumerate(kinds) if kind.mark}
        self._marks = kinds_of_signs(kinds) | marks
        self._initials = {name[0]: n for name, n in reversed(names.items())}
        self.unclear = {x for x, n in self._marks.items() if self._initials.get(x, n) != n}
        """The letters that are the mark of one kind and begin the name of another."""
        said = [(n, re.escape(name).replace(r"\ ", " ")) for name, n in names.items()]
        said += [(n, OF_KINDS[kind.name]) for n, kind in enumerate(kinds) if kind.name in OF_KINDS]
        said += [
            (n, "other") for n, k in enumerate(kinds) if k.name == "white" and not kinds[-1].mark
        ]
        self._groups: list[tuple[str, int, str, str]] = [
            *[("k", n, word, "") for n, word in said],
            *[(code, 0, word, sign) for code, word, sign in MEANINGS],
            ("", 0, fillers, ""),
            ("x", 0, r"[^\W\d_]+", r"\S"),
        ]
        self._token = any_of((word, sign) for _, _, word, sign in self._groups)

    def counts(self, text: str, marks: int) -> list[Count] | None:
        """Return the counts that a text states of `marks` marks; None for a text without numbers.

        Return [] for a text that has numbers and is not understood. Raises AmbiguousClueError.
        """
        codes, words, values = "", list[str](), list[int]()
        for match in self._token.finditer(text):
            code, value, *_ = self._groups[(match.lastindex or 0) - 1]
            word = match[0].casefold()
            if code == "n":
                value = marks if word == "all" else value_of(word)
            if code == "x" and (word in self._marks or word in self._initials):
                code = "l"
            if code:
                codes += code
                words.append(match[0])
                values.append(value)
        if _STATES_COUNTS.search(codes) is None:
            return None
        if len(self._kinds) == 2 and _COUNT_OF_ONE_KIND.fullmatch(codes):
            codes, values = codes + "k", [*values, 0]
        kinds = self._kinds_of({words[i] for i, code in enumerate(codes) if code == "l"}, text)
        values = [
            kinds[words[i].casefold()] if code == "l" else values[i] for i, code in enumerate(codes)
        ]
        if self._kinds[-1].mark and re.match("p?[kl]p?E", codes):
            return []  # read so far, or in all?
        for form in _COUNTS:
            spans = [match.span() for match in form.finditer(codes)]
            if sum(end - start for start, end in spans) == len(codes):
                return [
                    count for a, b in spans for count in _stated(codes[a:b], values[a:b], marks)
                ]
        return []

    def _kinds_of(self, letters: set[str], text: str) -> Mapping[str, int]:
        """Return the kinds of letters: by their marks, or else by the first letters of names."""
        folded = {letter.casefold() for letter in letters}
        ways = [kinds for kinds in (self._marks, self._initials) if folded <= kinds.keys()]
        are_marks = letters <= {kind.mark for kind in self._kinds}
        if len(ways) == 2 and folded & self.unclear and not are_marks:
            marks = ", ".join(f"{kind.mark} for {kind.label}" for kind in self._kinds if kind.mark)
            raise AmbiguousClueError(
                f"{text!r}: a mark, or the first letter of a name? Write {marks}"
            )
        return ways[0] if ways else {**self._initials, **self._marks}


def _stated(codes: str, values: Sequence[int], marks: int) -> Iterator[Count]:
    """Yield the counts that the words of a number and its kinds state."""
    kinds = [value for code, value in zip(codes, values, strict=True) if code in "kl"]
    numbers = [value for code, value in zip(codes, values, strict=True) if code == "n"]
    relation = "".join(code for code in codes if code in "GLABEz")
    if relation == "z":
        yield from (Count((kind,), (0, 0)) for kind in kinds)
    if not numbers:
        return
    low, high = numbers[0], numbers[-1]
    if "o" in codes[:3] and high - low > 1:
        raise AmbiguousClueError(f"{low} or {high}: write {low}-{high} if it may be between")
    amount = {
        "G": (low, max(low, marks)),
        "L": (0, high),
        "A": (low + 1, max(low + 1, marks)),
        "B": (0, low - 1),
    }.get(relation, (low, high))
    yield Count(tuple(sorted({*kinds})) or UNREAD, amount, not relation and len(numbers) == 1)
