"""Sentences in which a game itself states its counts, as a player copies them from its log.

NetHack says `You hear 2 tumblers click and 1 gear turn.` A game whose marks are called gear or
tumbler reads this sentence.
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
_BEFORE_COUNT = re.compile(r"(?:you\s+hear\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """NetHack's sentence in one game; `labels` are what the game calls its kinds of marks."""

    labels: tuple[str, ...]

    def start(self, line: str) -> int | None:
        """Return the index at which the sentence begins in a line, None if it is not there."""
        count = _COUNT.search(line)
        if count is None or count[2].casefold() not in self.labels:
            return None
        before = _BEFORE_COUNT.search(line[: count.start()])
        return before.start() if before else count.start()

    def counts(self, text: str) -> list[int] | None:
        """Return the count of each kind, 0 if it is not named; None if a text has no sentence."""
        counts = [(value_of(number), noun.casefold()) for number, noun in _COUNT.findall(text)]
        if not counts or any(noun not in self.labels for _, noun in counts):
            return None
        return [sum(n for n, noun in counts if noun == label) for label in self.labels]


def sentence_about(labels: Sequence[str]) -> Sentence | None:
    """Return the sentence of a game with these labels, None if it has no gears or tumblers."""
    return Sentence(tuple(labels)) if not set(_NOUNS).isdisjoint(labels) else None
