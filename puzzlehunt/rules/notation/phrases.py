"""Counts in people's own words, converted to the words and marks of one game.

`1 in place, 2 elsewhere` becomes `1 black, 2 white`, and `1 gear, don't remember tumblers` becomes
`1 gear, 0+ tumbler`. Descriptions of clues that a notation returns are converted, too.

NetHack itself prints `You hear 2 tumblers click and 1 gear turn.`, and for the right tune `You see
a drawbridge coming down!`. Such sentences are read in games with marks called gear or tumbler.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING

from puzzlehunt.errors import InvalidClueError
from puzzlehunt.rules.notation.clue import NONE_WORDS, UNREAD_WORDS
from puzzlehunt.rules.notation.numbers import NUMBER, number_words, value_of

if TYPE_CHECKING:
    from puzzlehunt.rules.notation.kinds import Kind

_NOUNS = (
    "pegs?", "pins?", "marks?", "letters?", "colou?rs?", "digits?", "notes?", "symbols?", "tiles?",
)  # fmt: skip
"""What a mark is about, in any game: `2 black pegs`."""
_PLACE = r"(?:place|position|spot)s?"
_RIGHT = rf"(?:(?:right|correct)\s+(?:{'|'.join(_NOUNS)})\b,?\s*(?:and\s+|but\s+)?)?"
"""What may be before a place: `right colour, wrong place`."""
_IN_THE = r"(?:(?:in|at|on)\s+)?(?:(?:the|its|their|an?)\s+)?"
IN_PLACE = rf"{_RIGHT}{_IN_THE}(?:right|correct)\s+{_PLACE}|in\s+(?:place|position)|well[\s-]placed"
"""Regular expression of phrases that say that a symbol of the guess is in place."""
ELSEWHERE = (
    rf"{_RIGHT}{_IN_THE}(?:wrong|other|another|different)\s+{_PLACE}"
    r"|elsewhere|misplaced|out\s+of\s+(?:place|position)"
)
"""Regular expression of phrases that say that a symbol of the guess belongs elsewhere."""
_OF_KINDS: Mapping[str, str] = {
    "half": rf"hal(?:f|ves)\s+(?:{IN_PLACE})",
    "black": IN_PLACE,
    "match": IN_PLACE,
    "white": ELSEWHERE,
    "common": r"in\s+common",
    "miss": r"absent|not\s+in\s+(?:the\s+)?(?:code|word|secret|it)",
}
"""What is said of a kind of mark, by the rules' own names of kinds."""

_MEANINGS: Mapping[str, str] = {
    "black": "in place", "match": "in place", "white": "elsewhere", "common": "in common",
    "half": "half in place", "miss": "absent",
}  # fmt: skip
"""What a mark of each kind says, by the rules' own names of kinds."""

_NOT = r"(?:do\s+not|don['\u2019]?t|did\s+not|didn['\u2019]?t)"
_CANNOT = r"(?:can\s?not|can['\u2019]?t|could\s+not|couldn['\u2019]?t)"
_UNKNOWN = (
    rf"(?:i\s+)?(?:{_NOT}\s+(?:remember|know|recall|count|note)"
    rf"|{_CANNOT}\s+(?:remember|recall|tell|hear|see|read|make\s+out|count)|dunno|forgot"
    r"|(?:not\s+sure|unsure|no\s+idea)(?:\s+(?:of|about))?)"
)
"""Said of what was not read, before its name."""
_HOW_MANY = r"(?:\s+(?:how\s+many|the\s+number\s+of|the|of|about|any))*"
_OPEN = r"(?:(?:is|are)\s+)?(?:unknown|unclear|open|unread|forgotten|not\s+(?:read|known|sure)|\?)"
"""The same, after the name."""
_WHOLE = re.compile(
    rf"{_UNKNOWN}(?:\s+(?:it|that|this|them|any))*|unknown|unreadable|illegible|forgotten|not\s+read",
    re.IGNORECASE,
)
_ASIDE = re.compile(rf"\s*\((?:[^()]* if none|{'|'.join(_MEANINGS.values())})\)", re.IGNORECASE)
"""What a notation says in parentheses: how to write that there is none, what a mark means."""
_SIMILARITY = 0.7
"""Least similarity (difflib, 0 to 1) of a name that is proposed for a mistyped one."""
_BEGINS_WITH_NUMBER = re.compile(rf"(?:[<>=\u2264\u2265\s]|[a-z]+\s)*(?:{NUMBER})", re.IGNORECASE)
_LETTER = re.compile(r"(?<=\d)(\+?\s*)([^\W\d_])(?![^\W\d_])")
"""A letter after a number."""
_LETTER_FIRST = re.compile(r"(?<![^\W\d_])()([^\W\d_])(?=\s*[:=]?\s*\d)")
"""A letter before a number."""


def says_unread(text: str) -> bool:
    """Return whether a text says in words that nothing was read: `don't remember`."""
    return _WHOLE.fullmatch(text.strip(" .!")) is not None


class Phrases:
    """Converts phrases about the marks of one game; the last of its `kinds` is the miss.

    `names` maps every name of a kind to the number of the kind.
    """

    def __init__(self, kinds: Sequence["Kind"], names: Mapping[str, int]) -> None:
        self._kinds = kinds
        self._names = names
        words = [re.escape(name) for name in sorted(names, key=len, reverse=True) if len(name) > 1]
        name = rf"(?P<name>{'|'.join(words)})(?![^\W\d_])"
        nouns = [noun for noun in _NOUNS if not any(re.fullmatch(noun, word) for word in names)]
        noun = rf"(?:{'|'.join(nouns)})\b"
        labels = {kind.name: kind.label for kind in kinds}
        self._said = [
            (_pattern(rf"\b(?:{said})(?![^\W\d_])"), labels[kind])
            for kind, said in _OF_KINDS.items()
            if kind in labels
        ]
        self._with_noun = [
            _pattern(rf"\b{name}\s+{noun}"),
            _pattern(rf"\b{noun}\s+(?:(?:is|are)\s+)?{name}"),
        ]
        self._unknown = [
            _pattern(rf"\b{_UNKNOWN}{_HOW_MANY}\s+{name}"),
            _pattern(rf"(?<!\w)(?<!\d\s){name}(?=(?:\s+and\s+\S+)*\s*{_OPEN}(?!\w))"),
        ]
        self._open = _pattern(rf"(0\+ \S+)\s*{_OPEN}(?!\w)")
        self._number_of_noun = _pattern(rf"(.*\d|{NUMBER})\s*{noun}")
        self._no_noun = _pattern(rf"no\s+{noun}")
        self._all = _pattern(rf"\ball\s+(?={name})")
        self._times = _pattern(rf"(?<=\d)\s*[x\u00d7]\s+(?={name})")

    def plain(self, text: str, marks: int) -> str:
        """Convert a text about a feedback of `marks` marks to the game's own words and marks.

        Raises InvalidClueError for a letter that is the mark of one kind and the first letter of
        another kind, if the text does not show which is meant: `1b` in a game of bulls in which B
        marks a cow.
        """
        if says_unread(text):
            return UNREAD_WORDS[0]
        text = _ASIDE.sub("", text)
        for pattern, label in self._said:
            text = pattern.sub(partial(self._label, label), text)
        if self._no_noun.fullmatch(text):
            return NONE_WORDS[0]
        for pattern in self._with_noun:
            text = pattern.sub(r"\g<name>", text)
        if len(self._kinds) == 2 and (number := self._number_of_noun.fullmatch(text)):
            text = number[1]
        text = number_words(self._with_open_kinds(text))
        text = self._times.sub(" ", self._all.sub(f"{marks} ", text))
        return self._by_initials(self._alternatives(text))

    def not_counted(self, word: str, counted: Sequence["Kind"]) -> str:
        """Return the error message for a word that names no kind in `counted`."""
        names = [name for name in self._names if name[0] == word[0].casefold() and len(name) > 1]
        if near := get_close_matches(word.casefold(), names, n=1, cutoff=_SIMILARITY):
            return f"{word!r} is not counted here; did you mean {near[0]}?"
        meanings = [(kind.label, _MEANINGS.get(kind.name, kind.label)) for kind in counted]
        said = [
            label if label in meaning else f"{label} ({meaning})" for label, meaning in meanings
        ]
        ways = " or ".join(filter(None, [", ".join(said[:-1]), said[-1]]))
        return f"{word!r} is not counted here: say {ways}"

    def _with_open_kinds(self, text: str) -> str:
        """Return counts with `0+ white` for what was not read: `1 black, don't know whites`.

        Marks beside it are left as they are: it is not said which of them are misses.
        """
        opened = text
        for pattern in self._unknown:
            opened = pattern.sub(r"0+ \g<name>", opened)
        opened = self._open.sub(r"\1", opened)
        return opened if _BEGINS_WITH_NUMBER.match(opened) else text

    def _label(self, label: str, said: re.Match[str]) -> str:
        """Return the replacement of a phrase: a label, or the phrase itself if it is a name."""
        return said[0] if said[0].casefold() in self._names else label

    def _alternatives(self, text: str) -> str:
        """Return `1 black, 1 white or red, 2 unread` as marks, `B[WR]__`; others as they are."""
        if " or " not in text:
            return text
        cells = []
        for part in re.split(r"\s*,\s*", text):
            count = re.fullmatch(r"(?:up to )?(\d{1,4}) (?:more )?(.+)", part, re.IGNORECASE)
            if count is None:
                return text
            words = re.split(r"\s+or\s+", count[2].casefold())
            if words == [UNREAD_WORDS[1]]:
                mark = "?"
            elif all(word in self._names for word in words):
                signs = [self._kinds[self._names[word]].mark or "." for word in words]
                mark = signs[0] if len(signs) == 1 else f"[{''.join(signs)}]"
            else:
                return text
            cells.append(mark * int(count[1]))
        return "".join(cells)

    def _initial(self, initials: Mapping[str, int], count: re.Match[str]) -> str:
        """Return a count with the name that its letter begins, where it begins one."""
        kind = initials.get(count[2].casefold())
        return count[0] if kind is None else f"{count[1]} {self._kinds[kind].label} "

    def _by_initials(self, text: str) -> str:
        """Return counts by the first letters of names, `2b1c`, with these names: `2 bull 1 cow`."""
        pattern = _LETTER_FIRST if text[:1].isalpha() else _LETTER
        letters = {match[2] for match in pattern.finditer(text)}
        marks = {k.mark.casefold(): number for number, k in enumerate(self._kinds) if k.mark}
        initials = {kind.label[0]: number for number, kind in enumerate(self._kinds[:-1])}
        unclear = {
            letter
            for letter in letters
            if marks.get(letter.casefold(), -1) != initials.get(letter.casefold(), -1)
            and {letter.casefold()} <= marks.keys() & initials.keys()
        }
        others = {letter.casefold() for letter in letters - unclear}
        if not unclear or others & (marks.keys() - initials.keys()):
            return text
        if others & initials.keys():
            return pattern.sub(partial(self._initial, initials), text).strip()
        own_marks = {kind.mark for kind in self._kinds}
        if unclear <= own_marks:
            return text
        letter = min(unclear - own_marks).casefold()
        one, other = self._kinds[initials[letter]], self._kinds[marks[letter]]
        raise InvalidClueError(
            f"{text!r}: is {letter} a {one.label} or a {other.label}? "
            f"Write {one.mark} for {one.label}, {other.mark} for {other.label}"
        )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


# The sentences of NetHack.

SILENCE_WORDS = ("silence", "silent", "nothing", "no sound", "no sounds")
"""Words of NetHack players for a feedback without a mark."""
DEAF_WORDS = ("deaf",)
"""Words of NetHack players for an answer that they could not hear: nothing was read."""

_HEARD = ("gear", "tumbler")
_NOISES = re.compile(
    r"\b(\d{1,4}|an?|one|two|three|four|five)\s+(gear|tumbler)s?\s+(?:turn|click)(?:s|ed)?\b",
    re.IGNORECASE,
)
_NOISE = re.compile(r"\b(?:gear|tumbler)s?\b", re.IGNORECASE)
_VERB = re.compile(r"\b((?:gear|tumbler)s?)\s+(?:turn|click)(?:s|ed)?\b", re.IGNORECASE)
_BEFORE = re.compile(r"^\s*(?:you|i|we)\s+heard?\s+", re.IGNORECASE)
_DRAWBRIDGE = re.compile(
    r"(?:you\s+(?:see|hear)\s+)?(?:(?:a|the)\s+)?"
    r"(?:drawbridge\s+(?:coming|going)\s+(?:down|up)"
    r"|gears\s+turning\s+and\s+chains\s+rattling|chains\s+rattling\s+and\s+gears\s+turning)\b",
    re.IGNORECASE,
)
"""What the game says when the right tune moves the drawbridge, seen or heard."""
_SILENCE = re.compile(
    r"\b(?:(?:you|i|we)\s+)?(?:hear|heard)\s+(?:nothing|no\s+(?:sounds?|noises?))\b(?:\s+at\s+all)?"
    r"|\b(?:(?:you|i|we)\s+)?(?:do\s+not|don['\u2019]t|did\s+not|didn['\u2019]t)\s+hear\s+"
    r"(?:anything|a\s+(?:thing|sound))\b|\bnothing\s+happen(?:s|ed)\b|\bnothing\s+(?:was\s+|is\s+)?heard\b",
    re.IGNORECASE,
)
"""What is said if the tune was answered by silence."""
_DEAF = re.compile(
    r"\b(?:(?:you|i|we)\s+)?(?:can\s?not|can['\u2019]t|could\s+not|couldn['\u2019]t)\s+hear\b"
    r"(?:\s+(?:it|anything|a\s+thing))?|(?:(?:you|i|we)\s+(?:are|am|was|were)\s+)?(?:too\s+far"
    r"(?:\s+away)?|deaf)\b",
    re.IGNORECASE,
)
"""What is said if nobody could hear the answer."""
_BEFORE_NOISES = re.compile(r"(?:you\s+hear\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Parses NetHack's sentences in one game; `labels` are its names of the kinds of marks."""

    labels: tuple[str, ...]

    def start(self, line: str) -> int | None:
        """Return the index in a line at which a sentence begins, None if there is none."""
        if moved := _DRAWBRIDGE.search(line):
            return moved.start()
        if heard := _SILENCE.search(line):
            return heard.start()
        count = _NOISES.search(line)
        if count is None or count[2].casefold() not in self.labels:
            return None
        before = _BEFORE_NOISES.search(line[: count.start()])
        return before.start() if before else count.start()

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the drawbridge moved: the guess was the secret."""
        return _DRAWBRIDGE.match(text.strip()) is not None

    def says_silence(self, text: str) -> bool:
        """Return whether a text says that there was no sound: the feedback has no mark."""
        said = text.strip(" .!")
        return said.casefold() in SILENCE_WORDS or _SILENCE.fullmatch(said) is not None

    def says_unheard(self, text: str) -> bool:
        """Return whether a text says that the answer could not be heard: nothing was read."""
        return _DEAF.fullmatch(text.strip(" .!")) is not None

    def as_counts(self, text: str) -> str:
        """Remove the sentence around counts: `You hear 1 gear turn` becomes `1 gear`."""
        return (
            _VERB.sub(r"\1", _BEFORE.sub("", text.rstrip(" .!"))) if _NOISE.search(text) else text
        )

    def counts(self, text: str) -> list[int] | None:
        """Return the count of each kind in a sentence, 0 for a kind that it does not name.

        None for a text that has no such sentence, or names a kind twice.
        """
        counts = [(value_of(number), noun.casefold()) for number, noun in _NOISES.findall(text)]
        if not counts or any(noun not in self.labels for _, noun in counts):
            return None
        if len(_NOISE.findall(text)) > len({noun for _, noun in counts}):
            return None  # It says one of them twice, or that it was not heard.
        return [sum(n for n, noun in counts if noun == label) for label in self.labels]


def sentence_about(labels: Sequence[str]) -> Sentence | None:
    """Return the parser of NetHack's sentences, None if no label is `gear` or `tumbler`."""
    return Sentence(tuple(labels)) if not set(_HEARD).isdisjoint(labels) else None
