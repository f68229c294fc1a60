"""Sentences in which a game itself states its counts, as a player copies them from its log.

NetHack says `You hear 2 tumblers click and 1 gear turn.`, and of the right tune `You see a
drawbridge coming down!`. A game whose marks are called gear or tumbler reads these sentences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.rules.notation.numbers import value_of

SILENCE_WORDS = ("silence",)
"""What players of such a game call a feedback without a mark."""
DEAF_WORDS = ("deaf",)
"""What they call one that could not be heard: nothing was read."""

_NOUNS = ("gear", "tumbler")
_COUNT = re.compile(
    r"\b(\d{1,4}|an?|one|two|three|four|five)\s+(gear|tumbler)s?\s+(?:turn|click)(?:s|ed)?\b",
    re.IGNORECASE,
)
_DRAWBRIDGE = re.compile(
    r"(?:you\s+(?:see|hear)\s+)?(?:(?:a|the)\s+)?"
    r"(?:drawbridge\s+(?:coming|going)\s+(?:down|up)"
    r"|gears\s+turning\s+and\s+chains\s+rattling|chains\s+rattling\s+and\s+gears\s+turning)\b",
    re.IGNORECASE,
)
"""What the game says where the right tune moves the drawbridge, seen or heard."""
_BEFORE_COUNT = re.compile(r"(?:you\s+hear\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """NetHack's sentences in one game; `labels` are what the game calls its kinds of marks."""

    labels: tuple[str, ...]

    def start(self, line: str) -> int | None:
        """Return the index at which a sentence begins in a line, None if none is there."""
        if moved := _DRAWBRIDGE.search(line):
            return moved.start()
        count = _COUNT.search(line)
        if count is None or count[2].casefold() not in self.labels:
            return None
        before = _BEFORE_COUNT.search(line[: count.start()])
        return before.start() if before else count.start()

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the drawbridge moved: the guess was the secret."""
        return _DRAWBRIDGE.match(text.strip()) is not None

    def counts(self, text: str) -> list[int] | None:
        """Return the count of each kind, 0 if it is not named; None if a text has no sentence."""
        counts = [(value_of(number), noun.casefold()) for number, noun in _COUNT.findall(text)]
        if not counts or any(noun not in self.labels for _, noun in counts):
            return None
        return [sum(n for n, noun in counts if noun == label) for label in self.labels]


def sentence_about(labels: Sequence[str]) -> Sentence | None:
    """Return the sentences of a game with these labels, None if it has no gears or tumblers."""
    return Sentence(tuple(labels)) if not set(_NOUNS).isdisjoint(labels) else None
