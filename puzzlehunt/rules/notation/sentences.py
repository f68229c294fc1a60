"""Sentences in which a game itself states its counts, as a player copies them from its log.

NetHack says `You hear 2 tumblers click and 1 gear turn.`, and of the right tune `You see a
drawbridge coming down!`. A game whose marks are called gear or tumbler reads these sentences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.rules.notation.numbers import value_of

SILENCE_WORDS = ("silence", "silent", "nothing", "no sound", "no sounds")
"""What players of such a game call a feedback without a mark."""
DEAF_WORDS = ("deaf",)
"""What they call one that could not be heard: nothing was read."""

_NOUNS = ("gear", "tumbler")
_COUNT = re.compile(
    r"\b(\d{1,4}|an?|one|two|three|four|five)\s+(gear|tumbler)s?\s+(?:turn|click)(?:s|ed)?\b",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:gear|tumbler)s?\b", re.IGNORECASE)
_VERB = re.compile(r"\b((?:gear|tumbler)s?)\s+(?:turn|click)(?:s|ed)?\b", re.IGNORECASE)
_BEFORE = re.compile(r"^\s*(?:you|i|we)\s+heard?\s+", re.IGNORECASE)
_DRAWBRIDGE = re.compile(
    r"(?:you\s+(?:see|hear)\s+)?(?:(?:a|the)\s+)?"
    r"(?:drawbridge\s+(?:coming|going)\s+(?:down|up)"
    r"|gears\s+turning\s+and\s+chains\s+rattling|chains\s+rattling\s+and\s+gears\s+turning)\b",
    re.IGNORECASE,
)
"""What the game says where the right tune moves the drawbridge, seen or heard."""
_SILENCE = re.compile(
    r"\b(?:(?:you|i|we)\s+)?(?:hear|heard)\s+(?:nothing|no\s+(?:sounds?|noises?))\b(?:\s+at\s+all)?"
    r"|\b(?:(?:you|i|we)\s+)?(?:do\s+not|don['\u2019]t|did\s+not|didn['\u2019]t)\s+hear\s+"
    r"(?:anything|a\s+(?:thing|sound))\b|\bnothing\s+happen(?:s|ed)\b|\bnothing\s+(?:was\s+|is\s+)?heard\b",
    re.IGNORECASE,
)
"""What is said where the tune was answered by silence."""
_DEAF = re.compile(
    r"\b(?:(?:you|i|we)\s+)?(?:can\s?not|can['\u2019]t|could\s+not|couldn['\u2019]t)\s+hear\b"
    r"(?:\s+(?:it|anything|a\s+thing))?|(?:(?:you|i|we)\s+(?:are|am|was|were)\s+)?(?:too\s+far"
    r"(?:\s+away)?|deaf)\b",
    re.IGNORECASE,
)
"""What is said where nobody could hear the answer."""
_BEFORE_COUNT = re.compile(r"(?:you\s+hear\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """NetHack's sentences in one game; `labels` are what the game calls its kinds of marks."""

    labels: tuple[str, ...]

    def start(self, line: str) -> int | None:
        """Return the index at which a sentence begins in a line, None if none is there."""
        if moved := _DRAWBRIDGE.search(line):
            return moved.start()
        if heard := _SILENCE.search(line):
            return heard.start()
        count = _COUNT.search(line)
        if count is None or count[2].casefold() not in self.labels:
            return None
        before = _BEFORE_COUNT.search(line[: count.start()])
        return before.start() if before else count.start()

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the drawbridge moved: the guess was the secret."""
        return _DRAWBRIDGE.match(text.strip()) is not None

    def says_silence(self, text: str) -> bool:
        """Return whether a text says that nothing answered: the feedback has no mark."""
        said = text.strip(" .!")
        return said.casefold() in SILENCE_WORDS or _SILENCE.fullmatch(said) is not None

    def says_deaf(self, text: str) -> bool:
        """Return whether a text says that the answer could not be heard: nothing was read."""
        return _DEAF.fullmatch(text.strip(" .!")) is not None

    def as_counts(self, text: str) -> str:
        """Return counts without the sentence around them: `You hear 1 gear turn` as `1 gear`."""
        return _VERB.sub(r"\1", _BEFORE.sub("", text.rstrip(" .!"))) if _NOUN.search(text) else text

    def counts(self, text: str) -> list[int] | None:
        """Return the count of each kind, 0 if it is not named; None if a text has no sentence."""
        counts = [(value_of(number), noun.casefold()) for number, noun in _COUNT.findall(text)]
        if not counts or any(noun not in self.labels for _, noun in counts):
            return None
        if len(_NOUN.findall(text)) > len({noun for _, noun in counts}):
            return None  # It says one of them twice, or that it was not heard.
        return [sum(n for n, noun in counts if noun == label) for label in self.labels]


def sentence_about(labels: Sequence[str]) -> Sentence | None:
    """Return the sentences of a game with these labels, None if it has no gears or tumblers."""
    return Sentence(tuple(labels)) if not set(_NOUNS).isdisjoint(labels) else None
